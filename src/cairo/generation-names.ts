/** Names of the generations, oldest first: apart from what they are, so that configuration is read without loading it. */
export const GENERATION_NAMES = [
  "2024-06",
  "2024-07-16",
  "2024-07-17",
  "2024-10-17",
  "2024-10-24",
  "2025-02",
  "head",
] as const;
export type GenerationName = (typeof GENERATION_NAMES)[number];
