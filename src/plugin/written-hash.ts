import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { readTextFile } from "../base/files.js";
import type { AskedRead } from "../store/failed-read.js";
import type { WrittenHash } from "../submission/read-finding.js";
import { EXPLAIN_WITHIN } from "./explain-within.js";
import type { Session } from "./session.js";

/** How a file begins that `hdp types` wrote. */
export const TASK_TYPES_HEAD = "// The tasks of this project, written by `npx hardhat hdp types`.";

/** Files that are read, the first, those of them at once, and bytes of the largest. */
const MAX_FILES = 200;
const AT_ONCE = 20;
const MAX_FILE_BYTES = 100_000;

/** Files in which a hash may be written by hand, or by `hdp types`. */
const SOURCE = /\.(?:[cm]?[jt]s|json|sol|cairo)$/;
/** Folders of a project, the likely ones first. */
const LIKELY = ["contracts", "ignition", "scripts", "test"];
/** Folders of a project with what is made of its sources, or kept by this plugin. */
const MADE = ["artifacts", "cache", "types", "coverage", "dist", "hdp"];

/** A file of a project. */
interface SourceText {
  /** Below the project's folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Returns where the sources of the project have an asked hash in digits; undefined where that is not found in the
 * milliseconds that it may take, or where a value was brought for a task that is finalized.
 */
export async function findWrittenHash(
  session: Session,
  { taskHash, brought }: AskedRead,
  timeout: number = EXPLAIN_WITHIN.contracts,
): Promise<WrittenHash | undefined> {
  if (brought !== undefined) return undefined;
  const end = performance.now() + timeout;
  const isOver = (): boolean => performance.now() > end;
  const { root } = session.project.config.paths;
  const paths = await sourcePaths(session, isOver);
  for (let at = 0; at < paths.length && !isOver(); at += AT_ONCE) {
    const reading = paths.slice(at, at + AT_ONCE).map(async (path) => {
      const text = await readTextFile(join(root, path), MAX_FILE_BYTES).catch(() => "");
      return writtenIn({ path, text }, taskHash);
    });
    const found = (await Promise.all(reading)).find((one) => one !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns where a task hash is written in a file; undefined where it is not, or is part of a longer number. */
export function writtenIn({ path, text }: SourceText, hash: string): WrittenHash | undefined {
  const digits = hash.slice(2).toLowerCase();
  const at = text.toLowerCase().search(new RegExp(`(?<![0-9a-f])${digits}(?![0-9a-f])`));
  if (at < 0) return undefined;
  const before = text.slice(0, at);
  const place = { path, line: before.split("\n").length };
  if (!text.startsWith(TASK_TYPES_HEAD)) return place;
  const name = [...before.matchAll(/\*\/\s+(\w+): \{/g)].at(-1)?.[1];
  return { ...place, task: name === undefined ? "a task" : `tasks.${name}` };
}

/** Returns the paths of a project's sources, those of its own folder first, then those of the likely folders. */
async function sourcePaths(
  { config, project }: Session,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const { root, artifacts, cache } = project.config.paths;
  const made = MADE.map((name) => join(root, name));
  const skipped = new Set([...made, artifacts, cache, config.dataDir]);
  const paths: string[] = [];
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (paths.length >= MAX_FILES || isOver()) break;
    const entries = await readEntries(join(root, folder));
    const pathOf = ({ name }: Dirent): string => (folder === "" ? name : `${folder}/${name}`);
    const files = entries.filter((one) => one.isFile() && SOURCE.test(one.name));
    const folders = entries.filter((one) => one.isDirectory() && isOfSources(one.name));
    paths.push(...files.map(pathOf));
    const below = folders.map(pathOf).filter((path) => !skipped.has(join(root, path)));
    // Folders in a folder come before those beside it: the likely ones are read whole.
    waiting.unshift(...below.sort((one, other) => rank(one) - rank(other)));
  }
  return paths.slice(0, MAX_FILES);
}

async function readEntries(folder: string): Promise<readonly Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isOfSources(name: string): boolean {
  return name !== "node_modules" && !name.startsWith(".");
}

/** The place of a folder among those of a project, by its name. */
function rank(path: string): number {
  const at = LIKELY.indexOf(path);
  return at < 0 ? LIKELY.length : at;
}
