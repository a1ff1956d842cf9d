import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { MAX_CLASS_BYTES, readTextFile } from "../base/files.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { COMPILED_SUFFIX, SIERRA_SUFFIX } from "../program/scarb.js";
import { type FieldChoice, placed, TaskError, TaskRequestError } from "../request/reader.js";
import type { Task, TaskRequest } from "../request/task.js";
import type { BlockResolver } from "./block-ranges.js";
import type { KnownPrograms } from "./known-programs.js";

/** Maximum number of reported errors: a file of empty tasks has hundreds of thousands. */
export const MAX_ERRORS = 100;

/** Source of tasks, and the project data that is needed to read them. */
export interface TaskSource {
  /** Folder that paths of task files and classes are relative to. */
  readonly folder: string;
  /** Name of the source, for messages. */
  readonly source?: string | undefined;
  /** Returns the position of a path in the text of the source. */
  readonly placeOf?: ((path: string) => string) | undefined;
  /** Programs to add the read classes to. */
  readonly programs: KnownPrograms;
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Resolves blocks written as `latest-64` or dates; without it they are errors. */
  readonly resolveBlocks?: BlockResolver | undefined;
}

/**
 * Parses raw JSON in which tasks may name modules by their classes.
 *
 * @throws TaskRequestError with every error at once, in the modules and elsewhere.
 */
export async function parseWithModules<T extends Task | TaskRequest>(
  given: unknown,
  parse: (json: unknown) => T,
  { folder, programs, ...source }: TaskSource,
): Promise<T> {
  const json = await withLocatedClasses(given, folder);
  const { findModuleReferences, resolveModules } = await import("../program/module-task.js");
  const files = findModuleReferences(json).flatMap(({ compiledClassFile, sierraClassFile }) =>
    sierraClassFile === undefined ? [compiledClassFile] : [compiledClassFile, sierraClassFile],
  );
  const texts = new Map(
    await Promise.all([...new Set(files)].map(async (file) => [file, await read(resolve(folder, file))] as const)),
  );
  const resolved = resolveModules(json, (file) => texts.get(file));
  if (resolved.errors.length > 0) throw together(resolved.errors, resolved.json, parse, source);
  for (const { programHash, file, ...program } of resolved.programs) {
    programs.add(programHash, { ...program, file: resolve(folder, file) });
  }
  return parse(resolved.json);
}

/** Returns the JSON with the paths of classes that are given as a folder or by name. */
async function withLocatedClasses(json: unknown, folder: string): Promise<unknown> {
  if (typeof json !== "object" || json === null) return json;
  if ("tasks" in json && Array.isArray(json.tasks)) {
    const tasks = await Promise.all(json.tasks.map(async (task: unknown) => await withLocatedClasses(task, folder)));
    return { ...json, tasks };
  }
  const form = "module" in json ? json.module : undefined;
  if (typeof form !== "object" || form === null || !("class" in form) || typeof form.class !== "string") return json;
  const located = await locateClass(form.class, folder);
  return located === undefined ? json : { ...json, module: { ...located, ...form, class: located.class } };
}

/** Joins errors: those in modules before those elsewhere. */
function together(
  errors: readonly HdpError[],
  rest: unknown,
  parse: (json: unknown) => unknown,
  source: Pick<TaskSource, "source" | "placeOf">,
): TaskRequestError {
  const all = errors.flatMap((error) => (error instanceof TaskRequestError ? error.errors : [error]));
  const inModules = all.map(
    ({ code, shortMessage, path, hints }) =>
      new TaskError({ code, message: shortMessage, hints, path: path ?? "", source: placed(path ?? "", source) }),
  );
  const elsewhere = failureOf(rest, parse);
  const [first, ...others] = [...inModules, ...(elsewhere?.errors ?? [])].slice(0, MAX_ERRORS);
  if (first === undefined) throw new TypeError("no error to tell of");
  return new TaskRequestError([first, ...others], source.source, inModules.length + (elsewhere?.count ?? 0));
}

function failureOf(json: unknown, parse: (json: unknown) => unknown): TaskRequestError | undefined {
  try {
    parse(json);
    return undefined;
  } catch (error) {
    if (error instanceof TaskRequestError) return error;
    throw error;
  }
}

/** Returns a file's text; undefined for one that cannot be read: the resolver reports it with its task. */
async function read(path: string): Promise<string | undefined> {
  return await readTextFile(path, MAX_CLASS_BYTES).catch(() => undefined);
}

/** The other naming convention for the two files of a class. */
const CASM_SUFFIX = ".casm.json";
const NAME = /^[A-Za-z_]\w*$/;
const TARGETS = ["target/dev", "target/release"];

/** Where a class was found: the compiled class, and the Sierra class beside it. */
interface LocatedClass {
  readonly class: string;
  readonly sierra?: string;
}

/**
 * Returns the files of a class that is given as a folder (with its files, or of a built Scarb package), or as the name
 * of a contract or package in the target folders of the searched places. Undefined for anything else, which is a path.
 *
 * @throws HdpError HDP-7022 for a folder without a class, and where several classes match
 */
async function locateClass(given: string, folder: string): Promise<LocatedClass | undefined> {
  const path = resolve(folder, given);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile() === true) return path.endsWith(CASM_SUFFIX) ? await withSierra(path) : undefined;
  if (kind?.isDirectory() === true) {
    for (const place of ["", ...TARGETS]) {
      const found = await classesIn(join(path, place));
      if (found.length > 0) return await withSierra(only(found, given));
    }
    throw noClass(`"${given}" is a folder without one`, [
      `Searched ${path}, and target/dev and target/release in it, for *${COMPILED_SUFFIX} and *${CASM_SUFFIX}.`,
    ]);
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
  const stem = file.endsWith(CASM_SUFFIX) ? file.slice(0, -CASM_SUFFIX.length) : file.slice(0, -COMPILED_SUFFIX.length);
  for (const ending of [SIERRA_SUFFIX, ".sierra.json"]) {
    if ((await stat(stem + ending).catch(() => undefined)) !== undefined) return { class: file, sierra: stem + ending };
  }
  return { class: file };
}

function only(files: readonly string[], given: string): string {
  const [first, second] = files;
  if (first !== undefined && second === undefined) return first;
  throw noClass(`"${given}" is the name of ${files.length} classes`, files);
}

function noClass(place: string, hints: readonly string[]): HdpError {
  return hdpError("HDP-7022", { kind: "compiled class", place, example: undefined }, { path: "module.class", hints });
}
