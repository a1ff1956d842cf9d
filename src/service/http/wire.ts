import { z } from "zod";

/** Lenient hex as services print it: any length, any letter case, leading zeros. */
export const wireHexSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/, "expected 0x and hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2)}`);

/** A task hash: 32 bytes. Services print it with or without leading zeros. */
export const wireTaskHashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected 0x and at most 64 hex digits")
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase().padStart(64, "0")}`);

/** An id in a reply: not empty. */
export const wireIdSchema = z.string().min(1, "expected an id");

/** The specification's request body, as far as the wire goes: src/request parses the tasks themselves. */
export const wireTaskRequestSchema = z
  .object({ destinationChainId: z.string(), tasks: z.array(z.record(z.unknown())).min(1) })
  .passthrough();
