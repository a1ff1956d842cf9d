// All checks in one go, for `.ci/run`. Ends with what failed and one plain line, `N passed, N failed`: each test counts
// as one, each other check (lint, types, formatting) as one.
import { spawn } from "node:child_process";

import { setup } from "./setup.mjs";
import { root } from "./toolchain.mjs";

const env = { ...setup(), FORCE_COLOR: "0" };

/** Minutes after which a check that does not end is stopped, and has failed. */
const MAX_MINUTES = 30;

/** Runs a check. What it prints comes as it is printed, or in one piece at its end where others run beside it. */
function check(name, args, { beside = false } = {}) {
  const title = `\n== ${name}: npm ${args.join(" ")}\n`;
  return new Promise((resolve) => {
    if (!beside) process.stdout.write(title);
    const child = spawn("npm", args, {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", beside ? "pipe" : "inherit"],
      detached: true,
    });
    const timer = setTimeout(() => {
      console.log(`\n${name} did not end within ${MAX_MINUTES} minutes`);
      process.kill(-child.pid, "SIGKILL");
    }, MAX_MINUTES * 60_000);
    let output = "";
    const keep = (chunk) => {
      if (!beside) process.stdout.write(chunk);
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (beside) process.stdout.write(title + output);
      resolve({ name, code, output });
    });
  });
}

/** The totals of a test run: the last line of test/support/reporter.mjs. None where the run did not end. */
function totals(output) {
  const [, passes = 0, failures = 0] =
    [...output.matchAll(/^ {2}(\d+) passed, (\d+) failed in \d+ files$/gm)].at(-1) ?? [];
  return { passes: Number(passes), failures: Number(failures) };
}

/** A line for each test that failed: what test/support/reporter.mjs lists before the totals. */
function failedTests(output) {
  const [, list = ""] = output.split(/^ {2}Failed tests:$/m).slice(-2);
  return [...list.matchAll(/^ {4}(test\/.*)$/gm)].map(([, line]) => line);
}

let passed = 0;
let failed = 0;
const failures = [];
const judge = ({ name, code }) => {
  if (code === 0) {
    passed += 1;
    return;
  }
  failed += 1;
  failures.push(name);
};
// ESLint takes as long as the others together, and all take one core.
await Promise.all([
  check("lint", ["run", "--silent", "lint"], { beside: true }).then(judge),
  (async () => {
    for (const [name, args] of [
      ["types", ["run", "--silent", "typecheck"]],
      ["formatting", ["run", "--silent", "format:check"]],
      ["package", ["run", "--silent", "check:package"]],
    ]) {
      judge(await check(name, args, { beside: true }));
    }
  })(),
]);
for (const [name, args] of [
  ["tests", ["test", "--silent"]],
  ["tests with other tools", ["run", "--silent", "test:tools"]],
]) {
  const { code, output } = await check(name, args);
  const tests = totals(output);
  passed += tests.passes;
  if (code === 0) continue;
  // A run may fail without a failing test: it was stopped, or a file could not be loaded.
  failed += Math.max(tests.failures, 1);
  const lines = failedTests(output);
  failures.push(...(lines.length === 0 ? [`${name}: ended with code ${code}`] : lines));
}
if (failures.length > 0)
  console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join("\n")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
