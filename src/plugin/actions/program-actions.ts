import { resolve } from "node:path";

import type { Hex } from "viem";
import { isHex } from "viem/utils";

import type { InjectedStateInput } from "../../cairo/module-state.js";
import type { GenerationName, ModuleRead } from "../../cairo/module-read.js";
import type { ModuleProfile } from "../../cairo/profile.js";
import {
  type ModuleProgram,
  type ModuleTaskRun,
  ruleFor,
  runModuleTask,
} from "../../compute/module-runner.js";
import type { RunReaders } from "../../chain/readers.js";
import { hdpError, suggested } from "../../errors/hdp-error.js";
import { rememberedClass } from "../../program/compiled-class.js";
import { decodedOutput } from "../../program/standard-classes.js";
import { flatProgramHash, programHash as hashOf } from "../../program/program-hash.js";
import { taskHash } from "../../request/task-hash.js";
import type { CallOptions } from "../../request/data-processor.js";
import type { ModuleTask } from "../../request/task.js";
import type { Anchor, CairoValue, ModuleResult } from "../../request/task-result.js";
import type { ServiceCallOptions } from "../../service/http/http-client.js";
import type { ProgramRecord } from "../../service/program-registry.js";
import { ChainSources } from "../chain-sources.js";
import { knownPrograms, parsedClass } from "../known-programs.js";
import {
  type ModuleEnvironment,
  moduleEnvironment,
  type ModuleSources,
} from "../module-environment.js";
import {
  type HashForm,
  type ModuleUploadOptions,
  type ModuleVersion,
  uploadModule,
} from "../module-upload.js";
import { hasModuleRegistry, programRegistry } from "../services.js";
import { sendOnce, type SendOptions } from "../charged-calls.js";
import type { ConnectedNetwork } from "../connected-network.js";
import type { Scope, Session } from "../session.js";
import { readTaskInput, type TaskInput } from "../task-input.js";

export type { ModuleProfile, ProfiledFunction, ProfiledStack } from "../../cairo/profile.js";

/** A module task that was run, without the blocks that its proofs rest on. */
export interface UnanchoredRun extends ModuleTaskRun {
  readonly taskHash: Hex;
  /** Program hash as the registry computes it. */
  readonly programHash: Hex;
  /** Program hash as the newer prover computes it. Computed on first access: a class of 350,000 felts takes seconds. */
  readonly flatProgramHash: Hex;
  /** Which value of the run a submission would store; absent for a panic. */
  readonly rule: ModuleResult["rule"] | undefined;
  /** The return value of `main`, where the ABI is known. */
  readonly decoded: CairoValue | undefined;
}

/** A module task that was run and not submitted. */
export interface ModuleDryRun extends UnanchoredRun {
  /** The blocks that the proofs rest on: one for each chain that was read, where it is known. */
  readonly anchors: readonly Anchor[];
}

/** Options of `hdp.program.run`. */
export interface DryRunOptions extends CallOptions {
  /** Generation to run with, instead of the task's own and `hdp.local.generation`. */
  readonly generation?: GenerationName | undefined;
  readonly maxSteps?: number | undefined;
  /** Memory limit, in cells of 8 bytes. Default 2^27, 1 GiB, which all runs of the process share. */
  readonly maxMemoryCells?: number | undefined;
  /** Tries by label, beside those that tasks name, that the modules may read and write. Each run starts from them. */
  readonly injectedState?: InjectedStateInput | undefined;
  /** Called with a profile of each module's steps and reads, in the order of the tasks, also where a run fails. */
  readonly onProfile?: ((profile: ModuleProfile) => void) | undefined;
}

/** A class that the registry of a connection's API version took. */
export interface UploadedClass {
  /** The hash in the registry's answer. In a registry of 2024 it is the one to name in module tasks. */
  readonly programHash: Hex;
  /** The hash that was computed locally before the upload, of the bytecode by segments. */
  readonly computedHash: Hex;
  /** Which of the two hashes of the class `programHash` is; undefined where it is neither. */
  readonly form: HashForm | undefined;
  /** The version of a module that it is now; undefined in a registry of 2024. */
  readonly module?: ModuleVersion | undefined;
  /** The registry's unmodified reply. */
  readonly raw: unknown;
}

/** `hdp.program`: compiled modules and the program registry. Paths are relative to the project. */
export interface ProgramActions {
  /**
   * Stores a compiled class in the registry of the connection's API version: with `module-tasks` as a version of a
   * module, else in the program registry of 2024. The file is read and hashed first: an invalid file is never sent. Nor,
   * without `force`, is a class that the registry has.
   *
   * @throws HdpError HDP-6001 for a file that cannot be read, HDP-7001 or HDP-7002 for one that is not a compiled class
   */
  readonly upload: (
    file: string,
    options?: ServiceCallOptions & SendOptions & ModuleUploadOptions,
  ) => Promise<UploadedClass>;
  /** Returns the record of a program in a registry of 2024. @throws HdpError HDP-2043 over API version `module-tasks` */
  readonly metadata: (programHash: string, options?: ServiceCallOptions) => Promise<ProgramRecord>;
  /** Registers a class, so that tasks that name only its program hash run locally. Returns the program hash. */
  readonly register: (file: string) => Promise<Hex>;
  /** Runs the module tasks of an input over the connected chains without submitting them, one run for each. */
  readonly run: (input: TaskInput, options?: DryRunOptions) => Promise<readonly ModuleDryRun[]>;
}

/** Returns the actions on programs and modules over a connection. */
export function programActions({ project: { config }, session }: Scope): ProgramActions {
  const absolute = (file: string): string => resolve(config.paths.root, file);

  return {
    upload: async (file, options = {}) => {
      const path = absolute(file);
      const computedHash = hashOf(await parsedClass(path, file));
      const own = await session();
      if (hasModuleRegistry(own)) return await uploadedModule(own, { path, file }, options);
      const { client, service } = await programRegistry(own);
      const { answer, earlier } = await sendOnce(own, service, {
        kind: "program",
        content: computedHash,
        options: { label: file, ...options },
        send: async (call) => await client.upload({ path }, call),
        idOf: ({ programHash }) => programHash,
        // A registry that fails may answer as one that does not know the program. To send it again is harmless: a
        // registry stores a class once, and answers a second upload with the same hash.
        look: async (hash) => await client.metadata(hash, { signal: options.signal, attempts: 1 }),
      });
      const raw = answer?.raw ?? earlier?.serviceId ?? computedHash;
      const programHash = answer?.programHash ?? (isHex(raw) ? raw : computedHash);
      const form = BigInt(programHash) === BigInt(computedHash) ? "segments" : undefined;
      return { programHash, computedHash, form, raw };
    },
    metadata: async (programHash, options) => {
      const own = await session();
      const { networkName: network } = own;
      const list = suggested("hdp service-modules", [], { network });
      if (hasModuleRegistry(own)) throw hdpError("HDP-2043", { network, list });
      const { client } = await programRegistry(own);
      return await client.metadata(programHash, options);
    },
    register: async (file) => await knownPrograms(config).addClassFile(absolute(file)),
    run: async (input: unknown, options) => await runModules(input, await session(), options),
  };
}

async function uploadedModule(
  network: ConnectedNetwork,
  file: Parameters<typeof uploadModule>[1],
  options: ModuleUploadOptions & ServiceCallOptions,
): Promise<UploadedClass> {
  const { programHash, computedHash, form, raw, ...module } = await uploadModule(
    network,
    file,
    options,
  );
  return { programHash, computedHash, form, module, raw };
}

/**
 * Runs the module tasks of an input over the chains of a session, or the fixtures that replace them, without a data
 * processor and without a transaction.
 *
 * @throws HdpError HDP-1132 where the request has no module tasks, HDP-4411 where a class is not known, and the errors
 * of the Cairo machine
 */
export async function runModules(
  input: unknown,
  session: Session,
  options: DryRunOptions = {},
): Promise<readonly ModuleDryRun[]> {
  const request = await readTaskInput(input, session);
  const tasks = request.tasks.filter((task): task is ModuleTask => task.type === "Module");
  if (tasks.length === 0) throw hdpError("HDP-1132", {}, { path: "tasks" });
  return await runModuleTasks(tasks, session, options);
}

/** Options of {@link runUnanchored}. */
interface ModuleRunsOptions {
  /** Searched before the project's known programs. */
  readonly sources?: ModuleSources;
  /** What the modules are likely to read. */
  readonly expected?: readonly ModuleRead[];
}

/** Runs module tasks as {@link runModules} does. */
export async function runModuleTasks(
  tasks: readonly ModuleTask[],
  session: Session,
  options: DryRunOptions,
  more: ModuleRunsOptions = {},
): Promise<readonly ModuleDryRun[]> {
  const { runs, anchors } = await runUnanchored(tasks, session, options, more);
  // The blocks that the proofs rest on must still be there after the last read.
  const rested = [...(await anchors()).values()].filter((anchor) => anchor !== undefined);
  return runs.map((run) => Object.assign(run, { anchors: rested }));
}

/** Runs module tasks. Returns the runs, and a function that checks the blocks that their proofs rest on, and returns them. */
export async function runUnanchored(
  tasks: readonly ModuleTask[],
  session: Session,
  options: DryRunOptions,
  { sources, expected }: ModuleRunsOptions = {},
): Promise<{ readonly runs: readonly UnanchoredRun[]; readonly anchors: RunReaders["anchors"] }> {
  const environment = moduleEnvironment(session, sources);
  const signal = options.signal ?? new AbortController().signal;
  const { readerFor, starknet, anchors } = session.part(ChainSources).readersFor(signal);
  const runs: UnanchoredRun[] = [];
  for (const task of tasks) {
    const program = await environment.programFor(task.programHash);
    const { generation } = options;
    const done = await runModuleTask(
      task,
      // The class of a program may be a getter, which is read when the run begins.
      generation === undefined ? program : { ...program, generation },
      { readerFor, starknet, signal },
      { ...options, ...environment },
      expected,
    );
    runs.push(describedRun(task, program, done, environment));
  }
  return { runs, anchors };
}

/** Returns a run with its hashes, the rule of its result and its decoded value. */
function describedRun(
  task: ModuleTask,
  program: ModuleProgram,
  done: ModuleTaskRun,
  { result }: ModuleEnvironment,
): UnanchoredRun {
  const { status, generation, retdata } = done.run;
  const hasReturned = status === "returned";
  return {
    ...done,
    taskHash: taskHash(task),
    programHash: task.programHash,
    get flatProgramHash() {
      return flatProgramHash(rememberedClass(program.compiledClassJson));
    },
    rule: hasReturned ? ruleFor(task, result, generation) : undefined,
    decoded: hasReturned ? decodedOutput(task.programHash, program.abi, retdata) : undefined,
  };
}
