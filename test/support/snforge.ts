import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { root } from "./hardhat-cli.js";
import { withScarbCache } from "./scarb-cache.js";
import { runTool, type StarknetTools } from "./starknet-tools.js";

/** A folder's text files by their path in it, with forward slashes. */
export type FolderFiles = Readonly<Record<string, string>>;

export interface SnforgeRun {
  readonly code: number | null;
  readonly output: string;
  /** Names of the tests without the package: "store_test::a_result_is_read_by_both_names". */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** L2 gas by test name. */
  readonly gas: Readonly<Record<string, number>>;
}

export interface SnforgeOptions {
  /** Folder of the package under test. Default: the folder itself. */
  readonly package?: string;
  /** Folder of its workspace. Default: the package is none's member. */
  readonly workspace?: string;
  readonly args?: readonly string[];
  /** Whether a run that passed stands for the next one with the same files and tools. Default true. */
  readonly cached?: boolean;
  /** Whether the package is built too, as for a network. Default false. */
  readonly build?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const NOT_SOURCES = new Set(["target", ".snfoundry_cache", "Scarb.lock", "node_modules"]);
const cache = join(root, "node_modules", ".cache", "hardhat-hdp", "snforge");

/** All files of a folder, under `prefix`. */
export function filesOf(folder: string, prefix = ""): FolderFiles {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_SOURCES.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(files, filesOf(path, `${prefix}${entry.name}/`));
    else files[prefix + entry.name] = readFileSync(path, "utf8");
  }
  return files;
}

/** `Scarb.toml` with snforge's library taken from the tools instead of the registry. */
export function withToolsLibrary(scarbToml: string, { snforgeStd }: StarknetTools): string {
  if (snforgeStd === undefined || !scarbToml.includes("snforge_std")) return scarbToml;
  return `${scarbToml}${patchOf({ snforge_std: snforgeStd })}`;
}

/** A section of `Scarb.toml` that takes packages from folders instead of the registry; undefined ones are left there. */
export function patchOf(folders: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(folders).flatMap(([name, path]) =>
    path === undefined ? [] : [`${name} = { path = ${JSON.stringify(path)} }\n`],
  );
  return `\n[patch.scarbs-xyz]\n${lines.join("")}`;
}

/** Runs the real `snforge test` in a copy of the files. */
export async function snforgeTest(
  tools: StarknetTools,
  files: FolderFiles,
  options: SnforgeOptions = {},
): Promise<SnforgeRun> {
  const args = ["test", "--color", "never", ...(options.args ?? [])];
  const manifest = join(options.workspace ?? options.package ?? "", "Scarb.toml");
  const patched = { ...files, [manifest]: withToolsLibrary(files[manifest] ?? "", tools) };
  const key = createHash("sha256")
    .update(JSON.stringify([tools.versions, args, patched]))
    .digest("hex");
  const kept = join(cache, `${key}.txt`);
  const before = options.cached === false ? undefined : textOf(kept);
  if (before !== undefined) return readRun({ code: 0, output: before });
  const folder = mkdtempSync(join(tmpdir(), "hdp-snforge-"));
  try {
    writeFiles(folder, patched);
    const cwd = join(folder, options.package ?? "");
    const run = { cwd, env: options.env ?? {} };
    const result = await withScarbCache(tools, cwd, async () => {
      const built =
        options.build === true
          ? await runTool(tools, "scarb", ["build"], run)
          : { code: 0, output: "" };
      const tested = await runTool(tools, "snforge", args, run);
      return {
        code: built.code === 0 ? tested.code : built.code,
        output: built.output + tested.output,
      };
    });
    if (result.code === 0 && options.cached !== false) keep(kept, result.output);
    return readRun(result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes files under a folder, making the folders they lie in. */
export function writeFiles(folder: string, files: FolderFiles): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** What the text of `snforge test` says of each test. */
export function readRun({
  code,
  output,
}: {
  readonly code: number | null;
  readonly output: string;
}): SnforgeRun {
  const lines = [...output.matchAll(/^\[(PASS|FAIL)\] \w+?::(\S+)(.*)$/gm)];
  const named = (verdict: string): string[] =>
    lines.flatMap(([, found, name = ""]) => (found === verdict ? [name] : [])).sort();
  const gas = lines.flatMap(([, , name = "", rest = ""]): [string, number][] => {
    const l2 = /l2_gas: ~(\d+)/.exec(rest)?.[1];
    return l2 === undefined ? [] : [[name, Number(l2)]];
  });
  return {
    code,
    output,
    passed: named("PASS"),
    failed: named("FAIL"),
    gas: Object.fromEntries(gas),
  };
}

/** Names of the tests in Cairo files, as `readRun` gives them: "hash_test::output_roots" for tests/hash_test.cairo. */
export function testNames(files: FolderFiles, folder = "tests"): string[] {
  return Object.entries(files)
    .filter(([path]) => path.startsWith(`${folder}/`))
    .flatMap(([path, text]) => {
      const module = path.slice(folder.length + 1).replace(/\.cairo$/, "");
      const name = /#\[test\]\s*(?:#\[[^\n]*\]\s*)*fn (\w+)/g;
      return [...text.matchAll(name)].map((match) => `${module}::${match[1] ?? ""}`);
    })
    .sort();
}

function keep(file: string, output: string): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${file}.${process.pid.toString()}`, output);
  renameSync(`${file}.${process.pid.toString()}`, file);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
