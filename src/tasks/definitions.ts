import { ArgumentType } from "hardhat/types/arguments";
import { type NewTaskDefinition, type TaskDefinition, TaskDefinitionType } from "hardhat/types/tasks";

import { commands, type CommandEntry } from "./generated/commands.js";

/** Every command under all its names; definitions only, actions load when they run. */
export const tasks: TaskDefinition[] = withParents(commands.flatMap(underAllNames));

/** What joins Hardhat's own command `test`. */
export const testTasks: TaskDefinition[] = [cairoTests()];

/** The part of `npx hardhat test` that runs Cairo tests. */
function cairoTests(): TaskDefinition {
  return {
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
  };
}

/**
 * A command under its name and its older ones, each in two forms: `hdp:module:run` and, as Hardhat itself writes it,
 * `hdp module run`. An older name may hold a colon of its own: `hdp snforge:init`.
 */
function underAllNames({
  name,
  aliases,
  description,
  action,
  positionalArguments,
  options,
}: CommandEntry): NewTaskDefinition[] {
  const rest = { description, action, positionalArguments, options };
  const ids = [name, ...aliases].flatMap((each) => {
    const words = ["hdp", ...each.split(" ")].filter((word) => word !== "");
    return [[words.join(":")], words];
  });
  const unique = new Map(ids.map((id) => [id.join(" "), id]));
  return [...unique.values()].map((id) => ({ type: TaskDefinitionType.NEW_TASK, id, ...rest }));
}

/** Parents first, as Hardhat asks for; one that is no command itself lists what is below it. */
function withParents(definitions: readonly NewTaskDefinition[]): TaskDefinition[] {
  const known = new Set(definitions.map(({ id }) => id.join(" ")));
  const groups = new Map<string, TaskDefinition>();
  for (const { id } of definitions) {
    const parent = id.slice(0, -1);
    const key = parent.join(" ");
    if (parent.length === 0 || known.has(key)) continue;
    const below = definitions.filter((one) => one.id.length === id.length && one.id.join(" ").startsWith(`${key} `));
    const description = `Has ${below.map((one) => one.id.at(-1)).join(", ")}`;
    groups.set(key, { type: TaskDefinitionType.EMPTY_TASK, id: parent, description });
  }
  return [...groups.values(), ...definitions].sort((a, b) => a.id.length - b.id.length);
}
