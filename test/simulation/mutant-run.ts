import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build, type Plugin } from "esbuild";

import type { Mutant } from "./mutants.js";
import type { Plan } from "./plan.js";
import type * as suite from "./suite.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = fileURLToPath(new URL("suite.ts", import.meta.url));
const FOLDER = join(ROOT, "node_modules", ".cache", "hdp-simulation");

/** The first of the quick schedules that breaks a promise of the source with a defect planted in it. */
export async function schedulesOver(mutant: Mutant): Promise<Plan | string | undefined> {
  const path = join(FOLDER, `${mutant.does.replaceAll(/\W+/g, "-")}-${process.pid}.mjs`);
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    packages: "external",
    logLevel: "silent",
    plugins: [planting(mutant)],
  });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path, outputFiles[0]?.contents ?? "");
  try {
    const mutated = (await import(pathToFileURL(path).href)) as typeof suite;
    if (mutant.file.startsWith("src/dev-server/"))
      return (await mutated.serverHistories({ pairs: false })).failure;
    return (await mutated.firstBroken(mutated.QUICK)).broken;
  } finally {
    await rm(path);
  }
}

function planting(mutant: Mutant): Plugin {
  const edits = [mutant, ...(mutant.also ?? [])];
  return {
    name: "mutant",
    setup: (builder) => {
      builder.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const planted = edits.filter(({ file }) => relative(ROOT, path) === file);
        if (planted.length === 0) return undefined;
        let contents = readFileSync(path, "utf8");
        for (const { file, find, put } of planted) {
          const places = contents.match(new RegExp(written(find), "g")) ?? [];
          if (places.length !== 1) throw new Error(`${file} has not once: ${find}`);
          contents = contents.replace(new RegExp(written(find)), () => put);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}

/** A pattern for a text of a source, in whatever way it is broken into lines. */
function written(text: string): string {
  const parts = text.match(/\w+|[^\s\w]/g) ?? [];
  return parts
    .map((part) => (/^[)\]}]$/.test(part) ? `,?\\s*${escaped(part)}` : escaped(part)))
    .join("\\s*");
}

function escaped(part: string): string {
  return part.replace(/[^\w]/g, "\\$&");
}
