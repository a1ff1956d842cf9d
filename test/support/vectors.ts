import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

/** Folder of the published vectors: HDP_VECTORS, or beside the project. What only they have is skipped without them. */
export const VECTORS =
  process.env["HDP_VECTORS"] ?? join(import.meta.dirname, "..", "..", "..", "shared", "vectors");

/** A file of the vectors, or `undefined` where this machine does not have it. The caller checks what it uses of it. */
export function readVectors(file: string): unknown {
  const path = join(VECTORS, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** A file of the published figures that the project carries itself. */
export function readFigures<T>(file: string, schema: z.ZodType<T, z.ZodTypeDef, unknown>): T {
  const path = join(import.meta.dirname, "..", "conformance", "figures", file);
  return schema.parse(JSON.parse(readFileSync(path, "utf8")));
}

export const hex = z.custom<`0x${string}`>(
  (value) => typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value),
);
