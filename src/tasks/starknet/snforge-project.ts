import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { shipped } from "../../base/files.js";
import {
  addToScarbToml,
  addToSnfoundryToml,
  cairoPackageName,
  newScarbToml,
  outdatedSnforge,
} from "./snforge-settings.js";

/** What was done to one file of the project. */
export interface InitializedFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly change: "created" | "added to" | "unchanged";
  /** An existing setting that keeps the tests from running, and what to do about it: it is not changed. */
  readonly warning?: string;
}

/** The Cairo packages of this package. */
const ownCairo = fileURLToPath(shipped("contracts/starknet/"));

/**
 * Makes an empty folder a Starknet Foundry project, with a contract that reads a result and a test of it, or adds a
 * first test against the mock to an existing project. Plans everything before writing anything. A second run changes
 * nothing.
 *
 * @throws HdpError HDP-8016 for files that can't be added to safely
 */
export async function initSnforgeProject(folder: string, projectRoot: string): Promise<readonly InitializedFile[]> {
  const target = resolve(projectRoot, folder);
  const cairoPath = relative(target, cairoFolder(projectRoot)).replaceAll("\\", "/");
  const scarb = await textOf(join(target, "Scarb.toml"));
  const snfoundry = await textOf(join(target, "snfoundry.toml"));
  const isNew = scarb === undefined && !existsSync(join(target, "src", "lib.cairo"));
  const packageName = cairoPackageName(basename(target));
  const planned: Readonly<Record<string, string>> = {
    "Scarb.toml": scarb === undefined ? newScarbToml(packageName, cairoPath) : addToScarbToml(scarb, cairoPath),
    "snfoundry.toml": addToSnfoundryToml(snfoundry),
    "src/lib.cairo": await ownText("template/src/lib.cairo"),
    "tests/hdp_test.cairo": isNew
      ? (await ownText("template/tests/hdp_test.cairo")).replace("threshold_gate::", `${packageName}::`)
      : await ownText("tests/first_test.cairo"),
  };
  const files: InitializedFile[] = [];
  for (const [path, text] of Object.entries(planned)) files.push(await write(target, path, text));
  const outdated = outdatedSnforge(scarb ?? "");
  if (outdated === undefined) return files;
  const { found, needed } = outdated;
  const warning = `snforge_std ${found} is too old for the helpers, which need ${needed} or newer: write snforge_std = "${needed}" in Scarb.toml and install that snforge.`;
  return files.map((file) => (file.path === "Scarb.toml" ? { ...file, warning } : file));
}

/** A source that is shipped with the helper package. */
async function ownText(path: string): Promise<string> {
  return await readFile(join(ownCairo, "testing", path), "utf8");
}

async function write(target: string, path: string, text: string): Promise<InitializedFile> {
  const file = join(target, path);
  const before = await textOf(file);
  // Existing sources are the user's own: only settings are added to.
  if (before === text || (before !== undefined && path.endsWith(".cairo"))) return { path, change: "unchanged" };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return { path, change: before === undefined ? "created" : "added to" };
}

/** The installed package, so that the path is right on every machine; else this package. */
function cairoFolder(projectRoot: string): string {
  for (let folder = projectRoot; ; folder = dirname(folder)) {
    const installed = join(folder, "node_modules", "hardhat-hdp", "contracts", "starknet");
    if (existsSync(installed)) return installed;
    if (dirname(folder) === folder) return ownCairo;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? await readFile(file, "utf8") : undefined;
}
