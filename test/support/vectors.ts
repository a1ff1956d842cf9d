import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of the published vectors: HDP_VECTORS, or beside the project. */
const FOLDER = process.env["HDP_VECTORS"] ?? join(import.meta.dirname, "..", "..", "..", "shared", "vectors");

/** The vectors' JSON, `undefined` where this machine does not have it. The caller checks what it uses of it. */
export function readVectors(file: string): unknown {
  const path = join(FOLDER, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
