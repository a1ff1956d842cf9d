import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

const root = join(import.meta.dirname, "../..");
const folder = process.env["HDP_VECTORS"] ?? join(root, "../shared/vectors");

/** Reads a file of the published vectors; skips the running test where the vectors are not at hand. */
export function readVectors<T>(context: Mocha.Context, file: string, schema: z.ZodType<T, z.ZodTypeDef, unknown>): T {
  const path = join(folder, file);
  if (!existsSync(path)) {
    console.warn(`Skipped: ${path} is not there (set HDP_VECTORS to the folder of the published vectors).`);
    context.skip();
  }
  return schema.parse(JSON.parse(readFileSync(path, "utf8")));
}

export const hex = z.custom<`0x${string}`>((value) => typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value));
