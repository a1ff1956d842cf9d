import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NewTaskActionFunction } from "hardhat/types/tasks";
import { errorResult, successfulResult } from "hardhat/utils/result";

import { plural } from "../../base/text.js";
import { type HdpError, hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { CairoConfig } from "../../plugin/config/config.js";
import { writeOutput } from "../../plugin/project-files.js";
import { computeFixtures, renderFixtures } from "../requests/task-fixtures.js";
import { mark } from "../ui/screen.js";

/** Milliseconds without a change before tests run again: editors write a file in several steps. */
const SETTLED = 200;

/** `npx hardhat test cairo`, and the Cairo part of `npx hardhat test`. */
export const testCairo: NewTaskActionFunction<{ testFiles: string[]; watch: boolean }> = async (args, hre) => {
  const config = hre.config.hdp.cairo;
  if (config === undefined || !existsSync(join(config.package, "Scarb.toml"))) {
    const values = { dir: config?.package, folder: config?.package };
    const hints = ["Or make one there: npx hardhat hdp starknet init cairo"];
    throw hdpError("HDP-6073", values, { path: "hdp.cairo.package", hints });
  }
  const { exitCode, ...counts } = await runCairoTests(hre, config, args.testFiles);
  if (args.watch) {
    const files = (config.fixtures?.tasks ?? []).map((path) => resolve(hre.config.paths.root, path));
    console.log(`  Watching ${plural(files.length, "task file")}`);
    await watched(files, async () => await runCairoTests(hre, config, args.testFiles));
  }
  const summary = { ...counts, todo: 0 };
  return exitCode === 0 ? successfulResult({ summary }) : errorResult({ summary });
};

/** Runs the tests after each change of a file, one run after the other, until the process is interrupted. */
async function watched(files: readonly string[], run: () => Promise<unknown>): Promise<void> {
  let due: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const again = (): void => {
    last = last.then(run).catch((error: unknown) => {
      console.error(`  ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  // Watches folders: many editors replace a file instead of writing to it.
  const watchers = [...new Set(files.map(dirname))].map((folder) =>
    watch(folder, (_event, name) => {
      if (name !== null && !files.includes(join(folder, name))) return;
      clearTimeout(due);
      due = setTimeout(again, SETTLED);
    }),
  );
  await once(process, "SIGINT");
  for (const watcher of watchers) watcher.close();
  clearTimeout(due);
}

/** Returns snforge's counts and its exit code. */
async function runCairoTests(hre: HardhatRuntimeEnvironment, config: CairoConfig, names: readonly string[]) {
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
async function runSnforge({ package: cwd, snforge, snforgeArgs }: CairoConfig, names: readonly string[]) {
  const child = spawn(snforge, ["test", ...snforgeArgs, ...names], { cwd, stdio: ["ignore", "pipe", "inherit"] });
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
