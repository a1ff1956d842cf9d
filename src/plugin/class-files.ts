import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { COMPILED_SUFFIX, SIERRA_SUFFIX } from "../program/scarb.js";

/** The other naming convention for the two files of a class. */
const CASM_SUFFIX = ".casm.json";
const NAME = /^[A-Za-z_]\w*$/;
const TARGETS = ["target/dev", "target/release"];

/** Where a class was found: the compiled class, and the Sierra class beside it. */
type LocatedClass = Readonly<{ class: string; sierra?: string }>;

/** Returns a document with the paths of classes that it gives as a folder or by name, relative to a folder. */
export async function withLocatedClasses(json: object, folder: string): Promise<object> {
  if ("tasks" in json && Array.isArray(json.tasks)) {
    const tasks = await Promise.all(
      json.tasks.map(async (task: unknown) =>
        isRecord(task) ? await withLocatedClasses(task, folder) : task,
      ),
    );
    return { ...json, tasks };
  }
  const module = "module" in json ? json.module : undefined;
  if (!isRecord(module) || typeof module["class"] !== "string") return json;
  const located = await locateClass(module["class"], folder);
  if (located === undefined) return json;
  return { ...json, module: { ...located, ...module, class: located.class } };
}

/**
 * Returns the files of a class that is given as a folder (with its files, or of a built Scarb package), or as the name
 * of a contract or package in the target folders of the searched places. Undefined for anything else, which is a path.
 * @throws HdpError HDP-7022 for a folder without a class, and where several classes match
 */
async function locateClass(given: string, folder: string): Promise<LocatedClass | undefined> {
  const path = resolve(folder, given);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile() === true)
    return path.endsWith(CASM_SUFFIX) ? await withSierra(path) : undefined;
  if (kind?.isDirectory() === true) return await classInFolder(path, given);
  if (!NAME.test(given)) return undefined;
  const named = await namedClasses(given, [folder, dirname(folder)]);
  return named.length === 0 ? undefined : await withSierra(only(named, given));
}

/** @throws HdpError HDP-7022 for a folder without a class, or with several */
async function classInFolder(path: string, given: string): Promise<LocatedClass> {
  for (const place of ["", ...TARGETS]) {
    const found = await classesIn(join(path, place));
    if (found.length > 0) return await withSierra(only(found, given));
  }
  throw noClass(`"${given}" is a folder without one`, [
    `Searched ${path}, and target/dev and target/release in it, for *${COMPILED_SUFFIX} and *${CASM_SUFFIX}.`,
  ]);
}

/** Returns the compiled classes of a contract or package, in the target folders of these folders and of theirs. */
export async function namedClasses(
  name: string,
  roots: readonly string[],
): Promise<readonly string[]> {
  for (const root of roots) {
    const packages = [root, ...(await foldersIn(root))];
    for (const target of TARGETS) {
      const inTargets = packages.map(async (folder) => await classesIn(join(folder, target)));
      const found = (await Promise.all(inTargets)).flat();
      const fitting = found.filter((file) => isNamed(file, name));
      if (fitting.length > 0) return fitting;
    }
  }
  return [];
}

async function foldersIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
}

/** Returns whether a file is of a name: `x` and `x_Module` match by package, `p_X` by contract. */
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
  const suffix = file.endsWith(CASM_SUFFIX) ? CASM_SUFFIX : COMPILED_SUFFIX;
  const stem = file.slice(0, -suffix.length);
  for (const ending of [SIERRA_SUFFIX, ".sierra.json"]) {
    if ((await stat(stem + ending).catch(() => undefined)) !== undefined)
      return { class: file, sierra: stem + ending };
  }
  return { class: file };
}

function only(files: readonly string[], given: string): string {
  const [first, second] = files;
  if (first !== undefined && second === undefined) return first;
  throw noClass(`"${given}" is the name of ${files.length} classes`, files);
}

function noClass(place: string, hints: readonly string[]): HdpError {
  const values = { kind: "compiled class", place, example: undefined };
  return hdpError("HDP-7022", values, { path: "module.class", hints });
}
