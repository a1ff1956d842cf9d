import type { Hex } from "viem";

import { isHdpError } from "../errors/hdp-error.js";
import type { StateServer } from "../cairo/injected-state.js";
import type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import type { ModuleTask } from "../request/task.js";
import { knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";
import { starknetReaders } from "./starknet-reader.js";

/** What is looked at beside what the project's configuration names. */
export interface ModuleSources {
  readonly stored?: ((programHash: Hex) => ModuleProgram | undefined) | undefined;
  /** The error for a program that nobody knows, in the place of the project's own words. */
  readonly unknown?: ((programHash: Hex) => Error) | undefined;
  readonly ownStateServer?: (() => StateServer | undefined) | undefined;
}

/**
 * The module runner of a session, as its configuration says. A program is looked for in `stored` first, then among
 * the classes that the project knows; tries of injected state in `ownStateServer` before `hdp.local.stateServer`.
 */
export function moduleRunnerOf(
  { config, project }: Session,
  { stored, unknown, ownStateServer }: ModuleSources = {},
): ModuleRunner {
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
        stateServer: async () => {
          const { stateServer } = await import("./service-clients.js");
          return ownStateServer?.() ?? (await stateServer(config));
        },
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
