import { task } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { NewTaskDefinition, NewTaskDefinitionBuilder } from "hardhat/types/tasks";

/**
 * One command under both of its names, `hdp:submit` and `hdp submit` (`hdp:module:run` and `hdp module run` for
 * "module run"): the first is short to type, the second is Hardhat's own form and is listed by `npx hardhat hdp`.
 */
export function command(
  name: string,
  description: string,
  define: (builder: NewTaskDefinitionBuilder) => { build(): NewTaskDefinition },
): NewTaskDefinition[] {
  const words = name.split(" ");
  return [
    define(task(["hdp", ...words].join(":"), description)).build(),
    define(task(["hdp", ...words], description)).build(),
  ];
}

// Options that several commands share.

export const json = {
  name: "json",
  description: "Print one JSON document on standard output, progress on standard error",
} as const;

export const timeout = {
  name: "timeout",
  description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
  type: ArgumentType.STRING_WITHOUT_DEFAULT,
  defaultValue: undefined,
} as const;

export const yes = { name: "yes", description: "Do it without asking" } as const;
