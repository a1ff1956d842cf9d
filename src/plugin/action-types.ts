import type { Hex } from "viem";

import type { Standing } from "../journal/explain.js";
import type { JournalRecord } from "../journal/record.js";
import type { AwaitOptions, TaskResult } from "../request/lifecycle.js";
import type { ModuleTasks } from "../service/data-processor/module-tasks-client.js";
import type { ServiceCallOptions } from "../service/http/http-client.js";
import type { ProgramRecord } from "../service/program-registry/program-registry.js";
import type { AwaitRequestOptions, StorageProof, StorageProofQuery } from "../service/storage-proof/storage-proof.js";
import type { DryRunOptions, ModuleDryRun } from "./module-runs.js";
import type { TaskInput } from "./types.js";

/** Both hashes of a compiled class. */
export interface ProgramHashes {
  /** What the program registry returns and a module task names: the bytecode hashed by its segments. */
  readonly programHash: Hex;
  /** What the newer prover computes: the bytecode hashed as one list. */
  readonly flatProgramHash: Hex;
}

export interface UploadedClass {
  /** The registry's answer: the hash to name in module tasks. */
  readonly programHash: Hex;
  /** The hash computed here, before the upload. */
  readonly computedHash: Hex;
  /** Whether the two are the same. */
  readonly matches: boolean;
  /** The registry's reply as it came. */
  readonly raw: unknown;
}

/** `hdp.program`: compiled modules and the program registry. Paths are relative to the project. */
export interface ProgramActions {
  /** Hashes of a compiled class. Needs no network and no service. */
  readonly hash: (file: string) => Promise<ProgramHashes>;
  /** Stores a compiled class in the registry. The file is read and hashed first; a wrong file is never sent. */
  readonly upload: (file: string, options?: ServiceCallOptions) => Promise<UploadedClass>;
  /** What the registry knows of a program. */
  readonly metadata: (programHash: string, options?: ServiceCallOptions) => Promise<ProgramRecord>;
  /**
   * Makes a compiled class known here, so that tasks that name only its program hash can be run locally.
   *
   * @returns its program hash
   */
  readonly register: (file: string) => Promise<Hex>;
  /** Runs the module tasks of an input over the connected chains without submitting them, one run for each. */
  readonly run: (input: TaskInput, options?: DryRunOptions) => Promise<readonly ModuleDryRun[]>;
}

/** `hdp.storageProof`: the storage proof interface. Its use is charged. */
export interface StorageProofActions {
  /** `body` from `storageProofRequest` of `hardhat-hdp/service`, or any JSON of your own. */
  readonly submitRequest: StorageProof["submitRequest"];
  /** Resolves when the request has queries and all are completed. The wait ends after `hdp.timeouts.await`. */
  readonly awaitRequest: (requestId: string, options?: AwaitRequestOptions) => Promise<readonly StorageProofQuery[]>;
  readonly queries: StorageProof["getQueries"];
  /** Takes a query's `internal_id`. */
  readonly actions: StorageProof["getActions"];
  readonly growOrders: GrowOrderActions;
  /** Needs no key. */
  readonly isAlive: StorageProof["isAlive"];
}

/** Grow orders. Their fields are not published: bodies go in and come out as they are. */
export interface GrowOrderActions {
  readonly list: StorageProof["growOrders"];
  readonly create: StorageProof["createGrowOrder"];
  readonly read: StorageProof["growOrder"];
  readonly cancel: StorageProof["cancelGrowOrder"];
}

/** `hdp.moduleTasks`: what a data processor of edition `module-tasks` offers beside submitting and status. */
export interface ModuleTaskActions {
  readonly details: Bound<ModuleTasks["details"]>;
  readonly mmrs: Bound<ModuleTasks["mmrs"]>;
  readonly outputPreimage: Bound<ModuleTasks["outputPreimage"]>;
  readonly stateTransitions: Bound<ModuleTasks["stateTransitions"]>;
  readonly list: Bound<ModuleTasks["list"]>;
  readonly retry: Bound<ModuleTasks["retry"]>;
  readonly health: Bound<ModuleTasks["health"]>;
}

/** A method as a function of its own: the members of `hdp` survive destructuring. */
type Bound<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => ReturnType<F>;

/** A submission as the journal has it, with where it stands and what can be done, in sentences. */
export interface SubmissionRecord extends JournalRecord {
  readonly explanation: Standing;
}

export interface ResumeOptions extends AwaitOptions {
  /** The service's id of a submission whose answer was lost. */
  readonly accepted?: string | undefined;
  /** Give the submission up: its tasks may be sent again. */
  readonly lost?: boolean | undefined;
}

export interface ResumedSubmission {
  readonly record: SubmissionRecord;
  /** In the order of its task hashes; empty when it was given up. */
  readonly results: readonly TaskResult[];
}

/** `hdp.journal`: what was sent from this project. */
export interface JournalActions {
  /** Every submission, oldest first. */
  readonly list: () => Promise<readonly SubmissionRecord[]>;
  /**
   * Finishes a submission, named by journal id, service id or task hash, on the network it was made on: awaits it and
   * reads its results. One of unknown outcome is looked up in the execution store.
   */
  readonly resume: (id: string, options?: ResumeOptions) => Promise<ResumedSubmission>;
}

export type { DryRunOptions, ModuleDryRun } from "./module-runs.js";
export type { StorageProofQuery } from "../service/storage-proof/storage-proof.js";
export type { TaskStatus } from "../request/lifecycle.js";
