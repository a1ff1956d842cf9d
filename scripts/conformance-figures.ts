// `npm run figures`: writes the published figures that conformance is tested against (task hashes, results, encodings,
// aggregates, Merkle roots and the chain data behind them) from a folder of vectors into test/conformance/figures, so
// that a clone alone tests conformance. Each item names its source. Compiled classes of others are not taken.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./root.js";

/** Folder of the published vectors: HDP_VECTORS, or beside the project. */
const VECTORS = process.env["HDP_VECTORS"] ?? join(root, "..", "shared", "vectors");
export const FIGURES = join(root, "test", "conformance", "figures");
export const FIGURE_FILES = [
  "aggregates.json",
  "chain-data.json",
  "datalake-tasks.json",
  "encodings.json",
  "merkle.json",
  "module-tasks.json",
  "recomputed.json",
] as const;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Remarks of those who collected the vectors: nothing is tested by them. */
const REMARKS = ["note", "notes", "why", "verified", "moduleTasksNote", "rule"];

/** The text of one file of figures, made from the vectors' file. */
export function figures(file: string): string {
  const json = JSON.parse(readFileSync(join(VECTORS, file), "utf8")) as Json;
  return `${layOut(withoutRemarks(json))}\n`;
}

function withoutRemarks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutRemarks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !REMARKS.includes(key))
      .map(([key, inner]) => [key, key === "source" ? sourceText(inner) : withoutRemarks(inner)]),
  );
}

/** A source in one line: repository, commit, file. */
function sourceText(source: Json): Json {
  if (typeof source !== "object" || source === null) return source;
  return Object.values(source)
    .filter((part) => typeof part === "string")
    .join(" ");
}

/** JSON with one item of the outer two levels on a line: small, and readable in a diff. */
function layOut(value: Json, depth = 0): string {
  if (typeof value !== "object" || value === null || depth === 2) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[\n${value.map((item: Json) => JSON.stringify(item)).join(",\n")}\n]`;
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${layOut(inner, depth + 1)}`,
  );
  return `{\n${entries.join(",\n")}\n}`;
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(FIGURES, { recursive: true });
  for (const file of FIGURE_FILES) writeFileSync(join(FIGURES, file), figures(file));
}
