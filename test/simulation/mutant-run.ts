import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build, type Plugin } from "esbuild";

import type { Mutant } from "./mutants.js";
import type { Histories } from "./random-histories.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = fileURLToPath(new URL("suite.ts", import.meta.url));
const FOLDER = join(ROOT, "node_modules", ".cache", "hdp-simulation");

/** Histories of the source with a mistake planted in it, until it is noticed or the time is over. */
export async function simulateMutant(mutant: Mutant, seconds: number, from: number): Promise<Histories> {
  const path = join(FOLDER, `${mutant.does.replaceAll(/\W+/g, "-")}-${process.pid}.mjs`);
  const { outputFiles } = await build({
    ...{ entryPoints: [ENTRY], write: false, bundle: true, format: "esm", platform: "node", target: "node22.13" },
    ...{ packages: "external", logLevel: "silent", plugins: [planting(mutant)] },
  });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path, outputFiles[0]?.contents ?? "");
  try {
    const mutated = (await import(pathToFileURL(path).href)) as { simulateAll: SimulateAll };
    return await mutated.simulateAll(seconds, from);
  } finally {
    await rm(path);
  }
}

type SimulateAll = (seconds: number, from: number) => Promise<Histories>;

function planting({ file, find, put }: Mutant): Plugin {
  return {
    name: "mutant",
    setup: (builder) => {
      builder.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        if (relative(ROOT, path) !== file) return undefined;
        const source = readFileSync(path, "utf8");
        if (source.split(find).length !== 2) throw new Error(`${file} has not once: ${find}`);
        return { contents: source.replace(find, () => put), loader: "ts" };
      });
    },
  };
}
