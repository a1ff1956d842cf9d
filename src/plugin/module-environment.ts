import type { Hex } from "viem";

import type { StateServer } from "../cairo/module-state.js";
import type { GenerationName } from "../cairo/module-read.js";
import type { StarknetReader } from "../chain/chain-reader.js";
import type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram, ModuleResultRule } from "../compute/module-runner.js";
import { isHdpError } from "../errors/hdp-error.js";
import type { ModuleTask } from "../request/task.js";
import { knownPrograms } from "./known-programs.js";
import type { ConfiguredProject } from "./session.js";
import { starknetReaders } from "./starknet-readers.js";

/** Sources that are searched in addition to those of the project's configuration. */
export interface ModuleSources {
  readonly stored?: ((programHash: Hex) => ModuleProgram | undefined) | undefined;
  /** Returns the error for an unknown program, instead of the project's own error. */
  readonly unknown?: ((programHash: Hex) => Error) | undefined;
  readonly ownStateServer?: (() => StateServer | undefined) | undefined;
  /** Whether runs are refused that the published provers cannot make. */
  readonly requireProvable?: boolean | undefined;
}

/** What modules of a session run with, whether the run is submitted or a dry run. */
export interface ModuleEnvironment {
  /** Returns the class of a program hash. @throws HdpError HDP-4411 */
  readonly programFor: (programHash: Hex) => Promise<ModuleProgram>;
  /** Generation of programs that name none. */
  readonly generation: GenerationName | "auto";
  /** Which value of a run is stored. */
  readonly result: ModuleResultRule;
  readonly starknetReaderFor: (chainId: bigint) => Promise<StarknetReader | undefined>;
  readonly stateServer: () => Promise<StateServer | undefined>;
}

/**
 * Returns the environment of a session's modules, configured by its `hdp.local`. Programs are looked up in `stored` before
 * the project's known classes; tries of injected state in `ownStateServer` before `hdp.local.stateServer`.
 */
export function moduleEnvironment(
  { config, project }: ConfiguredProject,
  { stored, unknown, ownStateServer }: ModuleSources = {},
): ModuleEnvironment {
  const { generation, moduleResult: result } = config.local;
  return {
    programFor: async (programHash) => {
      const found = stored?.(programHash);
      if (found !== undefined) return found;
      try {
        return await knownPrograms(project.config).find(programHash, config);
      } catch (error) {
        throw isHdpError(error, "HDP-4411") ? (unknown?.(programHash) ?? error) : error;
      }
    },
    generation,
    result,
    starknetReaderFor: starknetReaders(config),
    stateServer: async () => {
      const { stateServer } = await import("./services.js");
      return ownStateServer?.() ?? (await stateServer(config));
    },
  };
}

/** Returns the module runner of a session. The first task loads the Cairo machine: most projects have no module tasks. */
export function sessionModuleRunner(
  project: ConfiguredProject,
  sources?: ModuleSources,
): ModuleRunner {
  const environment = moduleEnvironment(project, sources);
  let runner: Promise<ModuleRunner> | undefined;
  const run = async (task: ModuleTask, context: ModuleContext): Promise<ModuleOutcome> => {
    runner ??= import("../compute/module-runner.js").then(({ moduleRunner }) =>
      moduleRunner({ ...environment, requireProvable: sources?.requireProvable }),
    );
    const compute = await runner;
    return await compute(task, context);
  };
  const requireProgram = async ({ programHash }: ModuleTask): Promise<void> => {
    await environment.programFor(programHash);
  };
  return Object.assign(run, { requireProgram });
}
