import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { HdpError } from "../base/errors.js";
import { Limiter } from "../base/limiter.js";
import type { GenerationName } from "../cairo/generation-names.js";
import { ProvenChainReader } from "../chain/proven-chain-reader.js";
import { generationOf, type ModuleTaskRun, ruleOf, runModuleTask } from "../compute/module-runner.js";
import { decodeReturn } from "../program/abi/arguments.js";
import { parseCompiledClass } from "../program/compiled-class.js";
import { flatProgramHash } from "../program/program-hash.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { CairoValue, ModuleResult } from "../request/lifecycle.js";
import { taskHash } from "../request/task-hash.js";
import type { ModuleTask, TaskRequest } from "../request/task.js";
import { knownPrograms } from "./known-programs.js";
import { providerFor } from "./provider-for.js";
import { starknetReaders } from "./starknet-reader.js";

/** A module task that was run and not submitted. */
export interface ModuleDryRun extends ModuleTaskRun {
  readonly taskHash: Hex;
  /** As the registry computes it. */
  readonly programHash: Hex;
  /** As the newer prover computes it. */
  readonly flatProgramHash: Hex;
  /** Which word a submission would store; absent for a panic. */
  readonly rule: ModuleResult["rule"] | undefined;
  /** What `main` returned, where the ABI is known. */
  readonly decoded: CairoValue | undefined;
}

export interface DryRunOptions {
  /** Instead of the task's own and `hdp.local.generation`. */
  readonly generation?: GenerationName | undefined;
  readonly maxSteps?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the module tasks of a request over the chains of a connection, without a data processor and without a
 * transaction.
 *
 * @throws HdpError HDP-6071 where the request has none, HDP-4411 where a class is not known, and as the machine
 */
export async function runModules(
  request: TaskRequest,
  connection: NetworkConnection<string>,
  context: Pick<HookContext, "config" | "network">,
  options: DryRunOptions = {},
): Promise<readonly ModuleDryRun[]> {
  const tasks = request.tasks.filter((task): task is ModuleTask => task.type === "Module");
  if (tasks.length === 0) throw noModules();
  const { hdp } = connection.networkConfig;
  const { prove, concurrency, generation, moduleResult } = hdp.local;
  const signal = options.signal ?? new AbortController().signal;
  const limiter = new Limiter(concurrency);
  const readers = new Map<ChainIdentifier, Promise<ProvenChainReader>>();
  const readerFor = (chain: ChainIdentifier): Promise<ProvenChainReader> => {
    const reader =
      readers.get(chain) ??
      providerFor(chain, connection, context).then(
        (provider) => new ProvenChainReader(provider, { prove, limiter, signal }),
      );
    readers.set(chain, reader);
    return reader;
  };

  const starknetReaderFor = starknetReaders(hdp);
  const runs: ModuleDryRun[] = [];
  for (const task of tasks) {
    const known = await knownPrograms(context.config).find(task.programHash, hdp);
    const program = options.generation === undefined ? known : { ...known, generation: options.generation };
    const done = await runModuleTask(
      task,
      program,
      { readerFor, signal },
      { generation, maxSteps: options.maxSteps, starknetReaderFor },
    );
    const returned = done.run.status === "returned";
    runs.push({
      ...done,
      taskHash: taskHash(task),
      programHash: task.programHash,
      flatProgramHash: flatProgramHash(parseCompiledClass(known.compiledClassJson)),
      rule: !returned ? undefined : moduleResult === "auto" ? ruleOf(done.run.generation) : moduleResult,
      decoded: returned && known.abi !== undefined ? decodeReturn(known.abi, done.run.retdata) : undefined,
    });
  }
  return runs;
}

/** @throws HdpError HDP-4412 for a name that is no generation */
export function parseGeneration(text: string | undefined): GenerationName | undefined {
  return generationOf(text);
}

function noModules(): HdpError {
  return new HdpError({
    code: "HDP-6071",
    path: "tasks",
    message: "there is no module task in this request.",
    hints: [
      "Datalake tasks are computed by submitting them: npx hardhat hdp:submit <file>, local on development chains.",
    ],
  });
}
