import type { Task, TaskManager } from "hardhat/types/tasks";

import { commands } from "./generated/commands.js";

/**
 * Leaves a command's other names out of `npx hardhat --help`. Hardhat lists what it iterates, and finds a task by its
 * key: the names stay callable. (It has `hidden` for options only.)
 */
export function unlistOtherNames({ rootTasks }: TaskManager): void {
  const listed = new Set(commands.map(({ name }) => `hdp:${name.replaceAll(" ", ":")}`));
  listOnly(rootTasks, (name) => !name.startsWith("hdp:") || listed.has(name));
  const own = rootTasks.get("hdp");
  if (own !== undefined) listOnly(own.subtasks, () => false);
}

function listOnly(tasks: Map<string, Task>, isListed: (name: string) => boolean): void {
  Object.defineProperty(tasks, Symbol.iterator, {
    configurable: true,
    value: function* () {
      for (const [name, task] of tasks.entries()) if (isListed(name)) yield [name, task];
    },
  });
}
