import { z } from "zod";

/** Hex text, in lower case. */
export const hexSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/, "expected 0x and hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`);
