import { ArgumentType } from "hardhat/types/arguments";
import { type NewTaskDefinition, type TaskDefinition, TaskDefinitionType } from "hardhat/types/tasks";

import { commands, type CommandEntry } from "./generated/commands.js";

/** Every command; definitions only, actions load when they run. */
export const tasks: TaskDefinition[] = [
  group(["hdp"], "Submits tasks to a data processor, awaits them and reads their results"),
  group(["hdp", "module"], "Writes, builds and runs modules"),
  ...commands.flatMap(bothNames),
  {
    type: TaskDefinitionType.NEW_TASK,
    id: ["test", "cairo"],
    description: "Runs the Cairo package of hdp.cairo with snforge",
    action: () => import("./test-cairo.js"),
    positionalArguments: [
      {
        name: "testFiles",
        type: ArgumentType.STRING,
        description: "Runs only the Cairo tests whose name contains this",
        defaultValue: [],
        isVariadic: true,
      },
    ],
    options: {
      noCompile: {
        name: "noCompile",
        type: ArgumentType.FLAG,
        description: "Has no effect: snforge compiles what it tests",
        defaultValue: false,
      },
    },
  },
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
