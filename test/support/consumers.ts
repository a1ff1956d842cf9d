import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../scripts/root.js";
import { blocksOf } from "./markdown-blocks.js";

/** A Solidity file that a user copies, or a page's block that is one. */
export interface TaughtSource {
  /** From the package's root; of a block the page's path and the file that the block names. */
  readonly path: string;
  readonly text: string;
}

/** A contract that reads results from a store. */
export interface Consumer {
  readonly name: string;
  readonly source: TaughtSource;
  /** The contract's own lines. */
  readonly text: string;
  /** Its name in the file of compiled contracts, which a change of the source changes. */
  readonly key: string;
}

const FILES = [
  "examples/*/contracts/**/*.sol",
  "templates/**/*.sol",
  "test/fixture-*/contracts/**/*.sol",
  "contracts/starknet/templates/**/*.sol",
];
const PAGES = ["*.md", "{docs,skills}/**/*.md", "examples/*/*.md", "contributing/**/*.md"];
const CONTRACT = /^(?:abstract )?contract (\w+)[^{]*\{[\s\S]*?^\}/gm;
const READS_RESULTS = /\bHdp(?:Results|OutputRoot)\b|\bIHdp\w*(?:Store|Satellite)\b|TaskResult\b/;

/** Returns every Solidity source that is shipped or shown to be copied, without tests, which show attacks too. */
export function taughtSources(): readonly TaughtSource[] {
  const files = globSync(FILES, { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
  const blocks = globSync(PAGES, { cwd: root })
    .flatMap((page) => blocksOf(page))
    .filter(({ language }) => language === "solidity")
    .map(({ page, line, file, text }) => ({ path: `${page}/${file ?? `${line}.sol`}`, text }));
  return [...files, ...blocks].filter(({ path }) => !path.endsWith(".t.sol")).sort(byPath);
}

function byPath(a: TaughtSource, b: TaughtSource): number {
  return a.path < b.path ? -1 : 1;
}

/** Returns the contracts among {@link taughtSources} that read results. */
export function consumers(): readonly Consumer[] {
  return taughtSources().flatMap((source) =>
    [...source.text.matchAll(CONTRACT)]
      .filter(([text]) => READS_RESULTS.test(text))
      .map(([text, name = ""]) => ({ name, source, text, key: keyOf(source, name) })),
  );
}

function keyOf({ path, text }: TaughtSource, name: string): string {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${path}:${name}@${digest}`;
}
