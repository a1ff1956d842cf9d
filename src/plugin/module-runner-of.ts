import type { Hex } from "viem";

import { isHdpError } from "../base/errors.js";
import type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import type { ModuleTask } from "../request/task.js";
import { knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";
import { starknetReaders } from "./starknet-reader.js";

/** Programs beside those that the project knows. */
export interface ProgramSource {
  readonly stored?: ((programHash: Hex) => ModuleProgram | undefined) | undefined;
  /** The error for one that nobody knows, in the place of the project's own words. */
  readonly unknown?: ((programHash: Hex) => Error) | undefined;
}

/**
 * The module runner of a session, as its configuration says. A program is looked for in `stored` first, then among
 * the classes that the project knows.
 */
export function moduleRunnerOf({ config, project }: Session, { stored, unknown }: ProgramSource = {}): ModuleRunner {
  // The Cairo machine is loaded by the first module task: most projects have none.
  let runner: Promise<ModuleRunner> | undefined;
  const programFor = async (programHash: Hex): Promise<ModuleProgram> => {
    const found = stored?.(programHash);
    if (found !== undefined) return found;
    try {
      return await knownPrograms(project.config).find(programHash, config);
    } catch (error) {
      throw isHdpError(error, "HDP-4411") ? (unknown?.(programHash) ?? error) : error;
    }
  };
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
