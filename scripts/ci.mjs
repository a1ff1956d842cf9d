// All checks in one go, for `.ci/run`. Ends with one plain line, `N passed, N failed`: each test counts as one, each
// other check (lint, types, formatting) as one.
import { spawn } from "node:child_process";

import { setup } from "./setup.mjs";
import { root } from "./toolchain.mjs";

const env = { ...setup(), FORCE_COLOR: "0" };

function check(name, args) {
  return new Promise((resolve) => {
    console.log(`\n== ${name}: npm ${args.join(" ")}`);
    const child = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      output += chunk.toString();
    });
    child.on("close", (code) => resolve({ name, code, output }));
  });
}

/** Mocha's closing counts: "12 passing (3s)", "1 failing". */
function count(output, word) {
  const found = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].at(-1);
  return found === undefined ? 0 : Number(found[1]);
}

let passed = 0;
let failed = 0;
for (const [name, args] of [
  ["lint", ["run", "--silent", "lint"]],
  ["types", ["run", "--silent", "typecheck"]],
  ["formatting", ["run", "--silent", "format:check"]],
  ["package", ["run", "--silent", "check:package"]],
]) {
  const { code } = await check(name, args);
  if (code === 0) passed += 1;
  else failed += 1;
}
for (const [name, args] of [
  ["tests", ["test", "--silent"]],
  ["tests with other tools", ["run", "--silent", "test:tools"]],
]) {
  const { code, output } = await check(name, args);
  passed += count(output, "passing");
  const failing = count(output, "failing");
  failed += failing > 0 ? failing : code === 0 ? 0 : 1;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
