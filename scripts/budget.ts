// Fails where the source has outgrown scripts/budget.json: hand-written files of src, members of `hdp` at all
// levels, task definitions. A change that needs more takes as much away elsewhere, or raises a figure in a commit of its
// own that says for which user.
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { keysOf } from "../src/base/collections.js";
import hardhatHdp from "../src/index.js";
import type { FaultInjection } from "../src/plugin/hdp.js";
import { tasks } from "../src/tasks/commands.js";
import budget from "./budget.json" with { type: "json" };
import { root } from "./root.js";

const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.split(/[\\/]/).includes("generated"))
  .map((entry) => join(entry.parentPath, entry.name));

/** The members of `hdp.faults`, which is an instance of a class with further methods. */
const faults: Readonly<Record<keyof FaultInjection, true>> = {
  waiting: true,
  inject: true,
  clear: true,
};

/** Counts what is not an object of further members. */
function membersOf(value: object): number {
  const members: readonly unknown[] = Object.values(value);
  return members.reduce<number>(
    (sum, member) =>
      sum +
      (typeof member === "object" && member !== null && !Array.isArray(member)
        ? membersOf(member)
        : 1),
    0,
  );
}

const connection = await (
  await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] })
).network.create();
const measured = {
  files: files.length,
  members: membersOf({ ...connection.hdp, faults }),
  tasks: tasks.length,
};
await connection.close();

for (const name of keysOf(measured)) {
  console.log(`${name.padEnd(8)} ${String(measured[name]).padStart(6)} of ${String(budget[name])}`);
  if (measured[name] > budget[name]) process.exitCode = 1;
}
if (process.exitCode === 1)
  console.log("More than scripts/budget.json allows: take as much away elsewhere.");
