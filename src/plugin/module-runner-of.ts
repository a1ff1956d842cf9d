import type { Hex } from "viem";

import type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import type { ModuleTask } from "../request/task.js";
import { knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";
import { starknetReaders } from "./starknet-reader.js";

/**
 * The module runner of a session, as its configuration says. A program is looked for in `stored` first, then among
 * the classes that the project knows.
 */
export function moduleRunnerOf(
  { config, project }: Session,
  stored?: (programHash: Hex) => ModuleProgram | undefined,
): ModuleRunner {
  // The Cairo machine is loaded by the first module task: most projects have none.
  let runner: Promise<ModuleRunner> | undefined;
  const programFor = async (programHash: Hex): Promise<ModuleProgram> =>
    stored?.(programHash) ?? (await knownPrograms(project.config).find(programHash, config));
  const run = async (task: ModuleTask, context: ModuleContext): Promise<ModuleOutcome> => {
    runner ??= import("../compute/module-runner.js").then(({ moduleRunner }) =>
      moduleRunner({
        programFor,
        generation: config.local.generation,
        result: config.local.moduleResult,
        starknetReaderFor: starknetReaders(config),
      }),
    );
    return await (
      await runner
    )(task, context);
  };
  const requireProgram = async ({ programHash }: ModuleTask): Promise<void> => {
    await programFor(programHash);
  };
  return Object.assign(run, { requireProgram });
}
