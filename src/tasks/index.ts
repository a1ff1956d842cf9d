import { type NewTaskDefinition, type TaskDefinition, TaskDefinitionType } from "hardhat/types/tasks";

import { commands, type CommandEntry } from "./generated/commands.js";

/** Every command; definitions only, actions load when they run. */
export const tasks: TaskDefinition[] = [
  group(["hdp"], "Submits tasks to a data processor, awaits them and reads their results"),
  group(["hdp", "module"], "Writes, builds and runs modules"),
  ...commands.flatMap(bothNames),
];

/**
 * One command under both of its names, `hdp:submit` and `hdp submit` (`hdp:module:run` and `hdp module run` for
 * "module run"): the first is short to type, the second is Hardhat's own form and is listed by `npx hardhat hdp`.
 */
function bothNames({ name, description, action, positionalArguments, options }: CommandEntry): NewTaskDefinition[] {
  const words = ["hdp", ...name.split(" ")];
  const rest = { description, action, positionalArguments, options };
  return [[words.join(":")], words].map((id) => ({ type: TaskDefinitionType.NEW_TASK, id, ...rest }));
}

function group(id: string[], description: string): TaskDefinition {
  return { type: TaskDefinitionType.EMPTY_TASK, id, description };
}
