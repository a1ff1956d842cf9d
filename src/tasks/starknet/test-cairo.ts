import { watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

import type { NewTaskActionFunction } from "hardhat/types/tasks";
import { errorResult, successfulResult } from "hardhat/utils/result";

import { plural } from "../../base/text.js";
import { cairoPackage, runCairoTests } from "../../plugin/cairo-tests.js";

/** Milliseconds without a change after which tests run again: editors write a file in several steps. */
const SETTLED = 200;

/** `npx hardhat test cairo`, and the Cairo part of `npx hardhat test`. */
export const testCairo: NewTaskActionFunction<{ testFiles: string[]; watch: boolean }> = async (args, hre) => {
  const run = async (): ReturnType<typeof runCairoTests> => await runCairoTests(hre, args.testFiles);
  const { passed, failed, skipped, exitCode } = await run();
  if (args.watch) {
    const { fixtures } = cairoPackage(hre.config.hdp.cairo);
    const files = (fixtures?.tasks ?? []).map((path) => resolve(hre.config.paths.root, path));
    console.log(`  Watching ${plural(files.length, "task file")}`);
    await watched(files, run);
  }
  const summary = { passed, failed, skipped, todo: 0 };
  return exitCode === 0 ? successfulResult({ summary }) : errorResult({ summary });
};

/** Runs the tests after each change of a file, one run at a time, until the process is interrupted. */
async function watched(files: readonly string[], run: () => Promise<unknown>): Promise<void> {
  let running = false;
  let due: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(due);
    due = setTimeout(() => {
      if (running) {
        later();
        return;
      }
      running = true;
      void run()
        .catch((error: unknown) => {
          console.error(`  ${error instanceof Error ? error.message : String(error)}`);
        })
        .finally(() => (running = false));
    }, SETTLED);
  };
  // Watches folders: many editors replace a file instead of writing to it.
  const watchers = [...new Set(files.map(dirname))].map((folder) => {
    const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
    return watch(folder, (_event, name) => {
      if (name === null || names.has(name)) later();
    });
  });
  await new Promise<void>((done) => process.once("SIGINT", () => done()));
  for (const watcher of watchers) watcher.close();
  clearTimeout(due);
}

export default testCairo;
