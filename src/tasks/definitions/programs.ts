import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

const file = { name: "file", description: "A compiled class: *.compiled_contract_class.json" } as const;

/** Compiled modules and the program registry. */
export const programTasks: TaskDefinition[] = [
  ...command("upload", "Store a compiled class in the program registry", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("../upload.js")),
  ),
  ...command("program", "Print what the program registry knows of a program hash", (builder) =>
    builder
      .addPositionalArgument({ name: "programHash", description: "The program hash" })
      .addFlag(json)
      .setAction(() => import("../program.js")),
  ),
  ...command("program-hash", "Print the program hash of a compiled class, without any network", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("../program-hash.js")),
  ),
];
