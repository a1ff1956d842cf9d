/** Names of the wire editions: apart from the editions themselves, so that configuration is read without loading them. */
export const EDITION_NAMES = ["tasks", "batch", "module-tasks"] as const;

export type WireEditionName = (typeof EDITION_NAMES)[number];
