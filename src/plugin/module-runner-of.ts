import type { Hex } from "viem";

import type { StateServer } from "../cairo/injected-state.js";
import type { ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import { knownPrograms } from "./known-programs.js";
import { stateServer } from "./service-clients.js";
import type { Session } from "./session.js";
import { starknetReaders } from "./starknet-reader.js";

/**
 * The module runner of a session, as its configuration says. A program is looked for in `stored` first, then among
 * the classes that the project knows; tries of injected state in `ownStateServer` before `hdp.local.stateServer`.
 */
export function moduleRunnerOf(
  { config, project }: Session,
  stored?: (programHash: Hex) => ModuleProgram | undefined,
  ownStateServer?: () => StateServer | undefined,
): ModuleRunner {
  // The Cairo machine is loaded by the first module task: most projects have none.
  let runner: Promise<ModuleRunner> | undefined;
  return async (task, context) => {
    runner ??= import("../compute/module-runner.js").then(({ moduleRunner }) =>
      moduleRunner({
        programFor: async (programHash) =>
          stored?.(programHash) ?? (await knownPrograms(project.config).find(programHash, config)),
        generation: config.local.generation,
        result: config.local.moduleResult,
        starknetReaderFor: starknetReaders(config),
        stateServer: async () => ownStateServer?.() ?? (await stateServer(config)),
      }),
    );
    return await (
      await runner
    )(task, context);
  };
}
