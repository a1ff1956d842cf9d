import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { COMPILED_SUFFIX, SIERRA_SUFFIX } from "../program/scarb.js";

/** The other naming of the two files of a class. */
const CASM_SUFFIX = ".casm.json";
const NAME = /^[A-Za-z_]\w*$/;
const TARGETS = ["target/dev", "target/release"];

/** Where a class was found: the compiled class, and the Sierra class beside it. */
export interface LocatedClass {
  readonly class: string;
  readonly sierra?: string;
}

/**
 * The files of a class that is given as a folder (with its files, or of a Scarb package that was built), or by the name
 * of a contract or package in the target folders of the places to search. Anything else is undefined: a path.
 *
 * @throws HdpError HDP-7025 for a folder without a class, and where several fit
 */
export async function locateClass(given: string, folder: string): Promise<LocatedClass | undefined> {
  const path = resolve(folder, given);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile() === true) return path.endsWith(CASM_SUFFIX) ? await withSierra(path) : undefined;
  if (kind?.isDirectory() === true) {
    for (const place of ["", ...TARGETS]) {
      const found = await classesIn(join(path, place));
      if (found.length > 0) return await withSierra(only(found, given));
    }
    throw noClass(given, path);
  }
  if (!NAME.test(given)) return undefined;
  const named = await namedClasses(given, [folder, dirname(folder)]);
  return named.length === 0 ? undefined : await withSierra(only(named, given));
}

/** Compiled classes of a contract or package by that name, in the target folders of these folders and of theirs. */
export async function namedClasses(name: string, roots: readonly string[]): Promise<readonly string[]> {
  for (const root of roots) {
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    const packages = [root, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name))];
    for (const target of TARGETS) {
      const found = (await Promise.all(packages.map(async (folder) => await classesIn(join(folder, target))))).flat();
      const fitting = found.filter((file) => isNamed(file, name));
      if (fitting.length > 0) return fitting;
    }
  }
  return [];
}

/** `x` and `x_Module` by the package, `p_X` by the contract. */
function isNamed(file: string, name: string): boolean {
  const stem = basename(file).replace(COMPILED_SUFFIX, "").replace(CASM_SUFFIX, "");
  return stem === name || stem === `${name}_Module` || stem.endsWith(`_${name}`);
}

async function classesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(COMPILED_SUFFIX) || name.endsWith(CASM_SUFFIX))
    .sort()
    .map((name) => join(folder, name));
}

async function withSierra(file: string): Promise<LocatedClass> {
  const stem = file.endsWith(CASM_SUFFIX) ? file.slice(0, -CASM_SUFFIX.length) : file.slice(0, -COMPILED_SUFFIX.length);
  for (const ending of [SIERRA_SUFFIX, ".sierra.json"]) {
    if ((await stat(stem + ending).catch(() => undefined)) !== undefined) return { class: file, sierra: stem + ending };
  }
  return { class: file };
}

function only(files: readonly string[], given: string): string {
  const [first, second] = files;
  if (first !== undefined && second === undefined) return first;
  throw hdpError(
    "HDP-7025",
    { given, found: `is the name of ${files.length} compiled classes`, advice: "Give the path of one of these:" },
    { path: "module.class", hints: files.map((file) => `  ${file}`) },
  );
}

function noClass(given: string, path: string): HdpError {
  const searched = `Searched ${path}, and target/dev and target/release in it, for *${COMPILED_SUFFIX} and *${CASM_SUFFIX}.`;
  const advice = "Build the module first: npx hardhat hdp module build <folder>";
  const found = "is a folder without a compiled class";
  return hdpError("HDP-7025", { given, found, advice }, { path: "module.class", hints: [searched] });
}
