import { z } from "zod";

/** Name of the file part of `POST /submit-program`. */
export const PROGRAM_FILE_PART = "programFile";

/** A program hash as registries print it, canonical afterwards: lower case, no leading zeros. */
export const wireProgramHashSchema = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a program hash (0x and hex digits)")
  .transform((text): `0x${string}` => `0x${BigInt(text).toString(16)}`);

/** Reply of `POST /submit-program`: the hash itself or, in the later published edition, an object. */
export const programSubmittedSchema = z.union([
  wireProgramHashSchema,
  z.object({ programHash: wireProgramHashSchema }).passthrough(),
]);

/** Reply of `GET /get-metadata`. */
export const programMetadataSchema = z
  .object({ layout: z.string().min(1), version: z.number().int().nonnegative() })
  .passthrough();

export type ProgramMetadata = z.infer<typeof programMetadataSchema>;
