import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { build } from "esbuild";

import { root } from "./hardhat-cli.js";

const FOLDER = join(root, "node_modules", ".cache", "hdp-tests");
const bundled = new Map<string, Promise<string>>();

/**
 * Returns a script of the tests as one file with all that it imports, packages included, for processes that tests start
 * by the dozen: reading some 300 files takes most of the processor time of such a process.
 */
export async function childScript(file: string): Promise<string> {
  const known = bundled.get(file) ?? bundle(file);
  bundled.set(file, known);
  return await known;
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    mainFields: ["module", "main"],
    minify: true,
    logLevel: "warning",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    // Coverage is counted by the lines of the sources.
    sourcemap: process.env["NODE_V8_COVERAGE"] === undefined ? false : "inline",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`${file} was bundled to nothing`);
  // Named by what is in it: workers and later runs share one, and none meets half of one.
  const digest = createHash("sha256").update(output.contents).digest("hex").slice(0, 16);
  const path = join(FOLDER, `${relative(root, file).replaceAll(/\W+/g, "-")}-${digest}.mjs`);
  if (existsSync(path)) return path;
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(draft, output.contents);
  renameSync(draft, path);
  return path;
}
