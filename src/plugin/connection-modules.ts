import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import type { ModuleRunner } from "../compute/compute-request.js";
import { moduleRunner, type ModuleProgram } from "../compute/module-runner.js";
import { knownPrograms } from "./known-programs.js";
import { starknetReaders } from "./starknet-reader.js";

/**
 * The module runner of a connection, as its configuration says. A program is looked for in `stored` first, then among
 * the classes that the project knows.
 */
export function connectionModules(
  context: Pick<HookContext, "config">,
  connection: NetworkConnection<string>,
  stored?: (programHash: Hex) => ModuleProgram | undefined,
): ModuleRunner {
  const { hdp } = connection.networkConfig;
  return moduleRunner({
    programFor: async (programHash) =>
      stored?.(programHash) ?? (await knownPrograms(context.config).find(programHash, hdp)),
    generation: hdp.local.generation,
    result: hdp.local.moduleResult,
    starknetReaderFor: starknetReaders(hdp),
  });
}
