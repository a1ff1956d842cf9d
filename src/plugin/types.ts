import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import type { ChaosOptions } from "../processor/faults/chaos.js";
import type { Fault } from "../processor/faults/fault.js";
import type { AwaitOptions, Submission, SubmitOptions, TaskResult, TaskStatus } from "../request/lifecycle.js";
import type { Task, TaskRequest } from "../request/task.js";
import type { JournalActions, ModuleTaskActions, ProgramActions, StorageProofActions } from "./action-types.js";
import type { InspectionActions } from "./inspection-types.js";

export type * from "./action-types.js";
export type * from "./inspection-types.js";
export type { AwaitOptions, SubmitOptions, SubmitPlan } from "../request/lifecycle.js";

/**
 * What can be submitted: the path of a JSON file (relative to the project), the file's content as an object, a task,
 * several tasks, or a parsed request. Tasks alone are delivered to the chain they are submitted on.
 */
export type TaskInput = string | Task | readonly Task[] | TaskRequest | Readonly<Record<string, unknown>>;

export type RunOptions = SubmitOptions & AwaitOptions;

/** A submission whose tasks are finalized. */
export interface FinishedSubmission {
  readonly submission: Submission;
  readonly taskHashes: readonly Hex[];
  readonly status: TaskStatus;
}

/** The first task's result, with all of them in `results`, in request order. */
export interface RunResult extends TaskResult {
  readonly results: readonly TaskResult[];
}

/** An execution store in use on a connection. */
export interface StoreHandle {
  readonly address: Address;
  /** Whether this package deployed it: results can then be finalized by hand. */
  readonly mock: boolean;
}

export interface DeployStoreOptions {
  /** Accept proven results only. Default: whether `hdp.local.finalize` is "proven". */
  readonly authentic?: boolean | undefined;
}

/** Who computes tasks on a connection. */
export interface ProcessorInfo {
  readonly kind: "local" | "remote";
  /** For people: "local data processor", or the service's host and edition. */
  readonly description: string;
}

/** What `connection.hdp` and `hre.hdp` have in common. */
export interface HdpActions {
  /** Hands tasks to the data processor: parsed and hashed first, then sent. Resolves when they are accepted. */
  readonly submit: (input: TaskInput, options?: SubmitOptions) => Promise<Submission>;
  /** Waits until a submission is finalized. Rejects when it fails or the time is over. */
  readonly await: (submission: Submission | string, options?: AwaitOptions) => Promise<FinishedSubmission>;
  /** The submission's state now. */
  readonly status: (submission: Submission | string) => Promise<TaskStatus>;
  /** The finalized result of a task hash (or of a task), from the execution store. Rejects when there is none. */
  readonly readResult: (task: Hex | Task, options?: ReadResultOptions) => Promise<TaskResult>;
  /** submit, await and readResult in one. */
  readonly run: (input: TaskInput, options?: RunOptions) => Promise<RunResult>;
  /** Deploys a mock execution store, which is the connection's store from then on. */
  readonly deployExecutionStore: (options?: DeployStoreOptions) => Promise<StoreHandle>;
  /** Finalizes a value of your choice as the result of a task, in a mock execution store. */
  readonly finalize: (task: Hex | Task, value: bigint | Hex) => Promise<TaskResult>;
  /** Who will compute: the local data processor or a service. Reads configuration, sends nothing. */
  readonly processor: () => Promise<ProcessorInfo>;
  /** The execution store in use; on development chains a mock is deployed when there is none. */
  readonly store: () => Promise<StoreHandle>;
}

/** The interfaces beside the data processor, in both as well. */
export interface ServiceActions {
  readonly program: ProgramActions;
  readonly storageProof: StorageProofActions;
  readonly moduleTasks: ModuleTaskActions;
  readonly journal: JournalActions;
}

export interface ReadResultOptions {
  /** Another store than the destination's. */
  readonly store?: Hex | undefined;
  /**
   * Chain identifier, or alias, of the chain the result was delivered to. Default: where the task was submitted to, as far as that is known; else the
   * connection's own chain.
   */
  readonly destination?: string | undefined;
}

/** What goes wrong in the local data processor of one connection, for tests. */
export interface FaultInjection {
  /** Faults that have not happened yet, in order. */
  readonly waiting: readonly Fault[];
  /** Lets these happen, each once, in order: `connection.hdp.faults.inject(stuckAt("Sampled"))`. */
  readonly inject: (...faults: readonly Fault[]) => void;
  /** Injects `count` faults that follow from the seed; returns them. */
  readonly chaos: (options: ChaosOptions) => readonly Fault[];
  /** Takes back what has not happened yet. */
  readonly clear: () => void;
}

/** `connection.hdp`: bound to one chain. */
export interface HdpConnection extends HdpActions, InspectionActions, ServiceActions {
  /** Failure injection. The faults are made by `hardhat-hdp/faults`. */
  readonly faults: FaultInjection;
}

/** `hre.hdp`: the same over `hre.network.getOrCreate()`, the connection that tasks and scripts share. */
export interface Hdp extends HdpActions, InspectionActions, ServiceActions {
  /** The `hdp` of a connection. */
  readonly for: (connection: NetworkConnection<string>) => HdpConnection;
}
