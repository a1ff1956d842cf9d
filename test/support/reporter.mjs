// Mocha's dots, then the ten files that took longest: where a faster test run is to be found. The last lines have the
// failed tests and the totals, for scripts/ci.mjs: a failure may print the output of another test run, which has such
// lines too.
import { relative } from "node:path";

import mocha from "mocha";

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END } = mocha.Runner.constants;

export default class Dots extends mocha.reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const taken = new Map();
    const add = ({ file, duration }) => {
      if (file === undefined || duration === undefined) return;
      taken.set(file, (taken.get(file) ?? 0) + duration);
    };
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
    runner.once(EVENT_RUN_END, () => {
      printSlowest(taken);
      printFailed(this.failures);
      const { passes, failures } = this.stats;
      console.log(`  ${passes} passed, ${failures} failed in ${taken.size} files\n`);
    });
  }
}

function printSlowest(taken) {
  const slowest = [...taken].sort(([, a], [, b]) => b - a).slice(0, 10);
  if (taken.size < slowest.length + 1) return;
  console.log("  The ten slowest files:");
  for (const [file, duration] of slowest) {
    console.log(
      `    ${(duration / 1000).toFixed(1).padStart(6)} s  ${relative(process.cwd(), file)}`,
    );
  }
  console.log();
}

function printFailed(tests) {
  if (tests.length === 0) return;
  console.log("  Failed tests:");
  for (const test of tests) {
    const [reason] = (test.err?.message ?? "no reason given").split("\n");
    console.log(`    ${relative(process.cwd(), test.file ?? "")}: ${test.fullTitle()}: ${reason}`);
  }
  console.log();
}
