import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

import { systemErrorWord } from "../../base/files.js";
import { plural } from "../../base/text.js";
import type { DatabaseFacts } from "../../submission/database-file.js";
import { projectSubmissions } from "../project-database.js";
import { type Check, type Found, green, red, yellow } from "./finding.js";

/** What the checks of the submission database ask. */
export interface DatabaseIo {
  /** The folder, relative to the project. */
  readonly folder: string;
  /** Returns what the database is; undefined where there is no file yet. @throws HdpError HDP-51xx */
  readonly facts: () => DatabaseFacts | undefined;
  /** Returns why nothing can be written into the folder, or where it would be made; undefined where something can. */
  readonly readOnly: () => Promise<string | undefined>;
  /** Returns the permissions of the file, `0o600`; undefined without a file, and where a system has none. */
  readonly mode: () => Promise<number | undefined>;
  /** Returns whether git ignores the folder; undefined outside a repository. */
  readonly isIgnored: () => Promise<boolean | undefined>;
}

/** The checks of the database that keeps what was sent. */
export const DATABASE_CHECKS: readonly Check<DatabaseIo>[] = [
  { name: "file", run: async ({ facts }) => await Promise.resolve().then(() => opened(facts())) },
  { name: "folder", run: folderState },
  { name: "permissions", run: permissions },
  { name: "git", run: ofGit },
];

function opened(facts: DatabaseFacts | undefined): Found {
  if (facts === undefined) return green("none yet: the first submission makes it");
  const { version, submissions } = facts;
  return green(`opens, version ${version}, ${plural(submissions, "submission")}`);
}

async function folderState({ folder, readOnly }: DatabaseIo): Promise<Found> {
  const reason = await readOnly();
  if (reason === undefined) return green(`${folder}/ can be written`);
  return red(
    `${folder}/ is read-only (${reason})`,
    "Nothing can be sent from here: make it writable, or name another folder as hdp.dataDir.",
  );
}

async function permissions({ folder, mode }: DatabaseIo): Promise<Found | undefined> {
  const found = await mode();
  if (found === undefined) return undefined;
  const shown = found.toString(8).padStart(3, "0");
  if ((found & 0o077) === 0) return green(`${shown}: for its owner alone`);
  return yellow(
    `${shown}: others can read it, and it lists all that was sent`,
    `chmod 600 ${folder}/submissions.db`,
  );
}

async function ofGit({ folder, isIgnored }: DatabaseIo): Promise<Found> {
  const ignored = await isIgnored();
  if (ignored === undefined) return green("the project is in no repository");
  if (ignored) return green(`${folder}/ is ignored`);
  return yellow(`${folder}/ is not ignored`, `Add ${folder}/ to .gitignore.`);
}

/** Returns what the checks ask of a project's database. */
export function databaseIo(dataDir: string, root: string): DatabaseIo {
  const path = join(dataDir, "submissions.db");
  return {
    folder: relative(root, dataDir).replaceAll("\\", "/") || ".",
    facts: () => projectSubmissions(dataDir).facts(),
    readOnly: async () => await readOnlyReason(dataDir),
    mode: async () => {
      if (process.platform === "win32" || !existsSync(path)) return undefined;
      return (await stat(path)).mode & 0o777;
    },
    isIgnored: async () => await ignoredByGit(join(dataDir, "submissions.db"), root),
  };
}

/** Tries it: permissions do not say what a mount or an access list forbids. */
async function readOnlyReason(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return await readOnlyReason(dirname(folder));
  try {
    await rmdir(await mkdtemp(join(folder, ".hdp-doctor-")));
    return undefined;
  } catch (error) {
    return systemErrorWord(error);
  }
}

/** Asks git, which reads every file of patterns: it exits with 1 for a path that it does not ignore, 128 elsewhere. */
async function ignoredByGit(path: string, root: string): Promise<boolean | undefined> {
  try {
    await promisify(execFile)("git", ["check-ignore", "--quiet", path], { cwd: root });
    return true;
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    return code === 1 ? false : undefined;
  }
}
