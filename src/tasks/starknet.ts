import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NewTaskActionFunction } from "hardhat/types/tasks";
import { errorResult, successfulResult } from "hardhat/utils/result";

import { isRecord } from "../base/collections.js";
import { errorMessage, plural } from "../base/text.js";
import { shellWord } from "../errors/printable.js";
import { type HdpError, hdpError, isHdpError } from "../errors/hdp-error.js";
import { cairoPathFrom, ownCairo } from "../plugin/cairo-packages.js";
import type { CairoConfig } from "../plugin/config/config.js";
import { writeOutput } from "../plugin/project-files.js";
import { cairoName, computeFixtures, renderFixtures } from "./requests/task-fixtures.js";
import { command } from "./run-command.js";
import {
  addSettings,
  hasSetting,
  notAddable,
  type Setting,
  tomlOrUndefined,
} from "./toml-settings.js";
import { mark, printBlock, style } from "./ui/screen.js";
import { untilInterrupted } from "./watch.js";

/** Runs `hdp starknet init`: adds the Cairo packages to a Starknet Foundry project. */
export const init = command(async ({ dir }: { dir: string }, { hre, screen }) => {
  const files = await initSnforgeProject(dir, hre.config.paths.root);
  printBlock(screen, ...files.map(({ path, change }) => `  ${change.padEnd(9)}  ${path}`));
  const test = dir === "." ? "snforge test" : `cd ${shellWord(dir)} && snforge test`;
  printBlock(screen, `  Run the test: ${style.command(test)}`);
  return { dir, files };
});

interface InitializedFile {
  readonly path: string;
  readonly change: "created" | "added to" | "unchanged";
}

/**
 * Makes an empty folder a Starknet Foundry project, or adds a first test against the mock to an existing one. Plans
 * everything before writing anything. A second run changes nothing. @throws HdpError HDP-8016
 */
export async function initSnforgeProject(
  folder: string,
  projectRoot: string,
): Promise<readonly InitializedFile[]> {
  const target = resolve(projectRoot, folder);
  const cairoPath = await cairoPathFrom(target, projectRoot);
  const scarb = await readIfPresent(join(target, "Scarb.toml"));
  const snfoundry = await readIfPresent(join(target, "snfoundry.toml"));
  const isNew = scarb === undefined && !existsSync(join(target, "src", "lib.cairo"));
  const packageName = cairoName(basename(target), "package");
  const ownText = async (path: string): Promise<string> =>
    await readFile(join(ownCairo, "hardhat_hdp_testing", path), "utf8");
  const planned: Readonly<Record<string, string>> = {
    "Scarb.toml":
      scarb === undefined ? newScarbToml(packageName, cairoPath) : addToScarbToml(scarb, cairoPath),
    "snfoundry.toml": addToSnfoundryToml(snfoundry),
    "src/lib.cairo": await ownText("template/src/lib.cairo"),
    "tests/hdp_test.cairo": isNew
      ? (await ownText("template/tests/hdp_test.cairo")).replace(
          "threshold_gate::",
          `${packageName}::`,
        )
      : await ownText("tests/first_test.cairo"),
  };
  const files: InitializedFile[] = [];
  for (const [path, text] of Object.entries(planned)) {
    const before = await readIfPresent(join(target, path));
    // Existing sources are the user's own: only settings are extended.
    const isKept = before === text || (before !== undefined && path.endsWith(".cairo"));
    if (!isKept) await writeOutput(path, target, text, "dir");
    const written = before === undefined ? "created" : "added to";
    files.push({ path, change: isKept ? "unchanged" : written });
  }
  return files;
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return existsSync(file) ? await readFile(file, "utf8") : undefined;
}

/** Version for a new project: the newest one that was tested. */
const SNFORGE = "0.63.0";
const MOCK = "hardhat_hdp_testing::mock::ExecutionStoreMock";

/**
 * Adds the settings that a test against the mock needs to `Scarb.toml`, and changes no existing line.
 *
 * @param cairoPath path of this package's Cairo packages from the folder of `Scarb.toml`, with forward slashes
 * @throws HdpError HDP-8016 for a file that cannot be extended safely
 */
export function addToScarbToml(text: string, cairoPath: string): string {
  const document = tomlOrUndefined(text);
  const snforge = { header: "[dependencies]", key: "snforge_std", value: `"${SNFORGE}"` };
  const settings: Setting[] = [
    {
      header: "[dependencies]",
      key: "hardhat_hdp",
      value: `{ path = "${cairoPath}/hardhat_hdp" }`,
    },
    { header: "[dependencies]", key: "starknet", value: '">=2.13.1, <3.0.0"' },
    {
      header: "[dev-dependencies]",
      key: "hardhat_hdp_testing",
      value: `{ path = "${cairoPath}/hardhat_hdp_testing" }`,
    },
    ...(hasSetting(document, snforge) ? [] : [{ ...snforge, header: "[dev-dependencies]" }]),
    {
      header: "[target-defaults.test]",
      key: "build-external-contracts",
      value: `["${MOCK}"]`,
      item: MOCK,
    },
    { header: "[scripts]", key: "test", value: '"snforge test"' },
    {
      header: "[tool.scarb]",
      key: "allow-prebuilt-plugins",
      value: '["snforge_std"]',
      item: "snforge_std",
    },
  ];
  if (document !== undefined && !isRecord(document["package"])) {
    throw notAddable(
      "Scarb.toml",
      "it has no [package] section, so it has no tests of its own.",
      settings,
    );
  }
  return addSettings(text, "Scarb.toml", settings);
}

/** Returns the Scarb.toml of a new package that depends on the Cairo packages. */
export function newScarbToml(packageName: string, cairoPath: string): string {
  return addToScarbToml(
    `[package]\nname = "${packageName}"\nversion = "0.1.0"\nedition = "2024_07"\n\n[[target.starknet-contract]]\n`,
    cairoPath,
  );
}

/** Adds to `snfoundry.toml` a profile for a devnet on this machine. `text` is undefined where there is no file yet. */
export function addToSnfoundryToml(text = ""): string {
  if (hasSetting(tomlOrUndefined(text), { header: "[sncast]", key: "devnet", value: "" }))
    return text;
  return addSettings(text, "snfoundry.toml", [
    { header: "[sncast.devnet]", key: "account", value: '"devnet-1"' },
    { header: "[sncast.devnet]", key: "url", value: '"http://127.0.0.1:5050"' },
  ]);
}

/** Runs `npx hardhat test cairo`, which is also the Cairo part of `npx hardhat test`. */
export const testCairo: NewTaskActionFunction<{ testFiles: string[]; watch: boolean }> = async (
  args,
  hre,
) => {
  const config = hre.config.hdp.cairo;
  if (config === undefined || !existsSync(join(config.package, "Scarb.toml"))) {
    const values = { dir: config?.package, folder: config?.package };
    const hints = ["Or make one there: npx hardhat hdp starknet init cairo"];
    throw hdpError("HDP-6073", values, { path: "hdp.cairo.package", hints });
  }
  const runTests = async (): Promise<CairoTests> =>
    await runCairoTests(hre, config, args.testFiles);
  const { exitCode, ...counts } = args.watch
    ? await watchTests(fixtureTaskFiles(config, hre), runTests)
    : await runTests();
  const summary = { ...counts, todo: 0 };
  return exitCode === 0 ? successfulResult({ summary }) : errorResult({ summary });
};

function fixtureTaskFiles({ fixtures }: CairoConfig, hre: HardhatRuntimeEnvironment): string[] {
  return (fixtures?.tasks ?? []).map((path) => resolve(hre.config.paths.root, path));
}

/** Runs the tests now and after each change of a task file. Returns the counts of the last run. */
async function watchTests(
  files: readonly string[],
  runTests: () => Promise<CairoTests>,
): Promise<CairoTests> {
  let latest: CairoTests = { passed: 0, failed: 1, skipped: 0, exitCode: 1 };
  await untilInterrupted({
    watched: () => ({ files }),
    run: async () => {
      latest = await runTests().catch((error: unknown) => {
        console.error(`  ${errorMessage(error)}`);
        return { ...latest, exitCode: 1 };
      });
    },
    onWatching: () => console.log(`  Watching ${plural(files.length, "task file")}`),
  });
  return latest;
}

/** Counts of a run of Cairo tests. */
interface CairoTests {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly exitCode: number;
}

async function runCairoTests(
  hre: HardhatRuntimeEnvironment,
  config: CairoConfig,
  names: readonly string[],
): Promise<CairoTests> {
  const wrong = config.fixtures === undefined ? 0 : await writeFixtures(hre, config.fixtures);
  const { exitCode, output } = await runSnforge(config, names);
  // In a workspace, each package has a line of counts, and the last line is their sum.
  const counts = output
    .match(/^Tests(?: summary)?: \d+ passed, \d+ failed, \d+ ignored/gm)
    ?.at(-1)
    ?.match(/\d+/g);
  const [passed = 0, failed = 0, skipped = 0] = (counts ?? []).map(Number);
  // If nothing compiles, nothing is counted: that is a failure too.
  const all = wrong + (exitCode !== 0 && failed === 0 ? 1 : failed);
  return { passed, failed: all, skipped, exitCode: wrong > 0 ? 1 : exitCode };
}

/** Returns the number of task files that failed. Each is a failed test; the file is written where none did. */
async function writeFixtures(
  hre: HardhatRuntimeEnvironment,
  { tasks, out, format, recording }: NonNullable<CairoConfig["fixtures"]>,
): Promise<number> {
  let failed = 0;
  const onFailure = (path: string, error: HdpError): void => {
    failed += 1;
    console.error(`  ${mark(false)} fixtures of ${path}: ${error.message}\n`);
  };
  try {
    const connection = await hre.network.getOrCreate();
    const computed = await computeFixtures(tasks, hre.config, connection, { recording, onFailure });
    const text = renderFixtures(computed, format);
    if (failed === 0) await writeOutput(out, hre.config.paths.root, text, "hdp.cairo.fixtures.out");
  } catch (error) {
    if (!isHdpError(error)) throw error;
    onFailure(out, error);
  }
  if (failed > 0) console.error(`  ${out} stays as it was.\n`);
  return failed;
}

/** Runs `snforge test` with its output to this process's. @throws HdpError HDP-7031 */
async function runSnforge(
  { package: cwd, snforge, snforgeArgs }: CairoConfig,
  names: readonly string[],
) {
  const child = spawn(snforge, ["test", ...snforgeArgs, ...names], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  await once(child, "close").catch((cause: unknown) => {
    const tools = "Starknet Foundry (snforge, scarb and universal-sierra-compiler)";
    const values = { program: snforge, tools, otherwise: "name its path here" };
    throw hdpError("HDP-7031", values, { path: "hdp.cairo.snforge", cause });
  });
  return { exitCode: child.exitCode ?? 1, output };
}
