import type { Address, Hex } from "viem";

import type { Explanation } from "../compute/explain-task.js";
import type { Recording } from "../chain/recording/recording.js";
import type { TaskVerification } from "../compute/verify-task.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { TaskInput } from "./types.js";

export type { ExplainedSample, Explanation } from "../compute/explain-task.js";
export type { Recording } from "../chain/recording/recording.js";
export type { Sample } from "../compute/sample-datalake.js";
export type { OtherEncoding, TaskVerification } from "../compute/verify-task.js";

export interface VerifyOptions {
  /** Another store than the connection's. */
  readonly store?: Address | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The first task's verification, with all of them in `results`, in request order. */
export interface VerifyReport extends TaskVerification {
  /** Whether every task agrees. */
  readonly agrees: boolean;
  readonly results: readonly TaskVerification[];
}

export interface ExplainOptions {
  /** Which task of the request, counted from 1. Default 1. */
  readonly task?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordOptions {
  /** File to write the fixture to, relative to the project. */
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** "12 of 64 sampled" */
  readonly onProgress?: ((detail: string) => void) | undefined;
}

/** A fixture in use. */
export interface Replay {
  /** The tasks it was recorded for. */
  readonly taskHashes: readonly Hex[];
  /** The chains it stands for: nothing of them is read from a network any more. */
  readonly chains: readonly ChainIdentifier[];
  /** Reads from networks again. */
  readonly stop: () => void;
}

/** Looking into tasks and results: part of `hre.hdp` and `connection.hdp`. */
export interface InspectionActions {
  /**
   * Computes tasks from chain data and compares with the store's words, whoever finalized them. A hash is enough for a
   * task that was submitted in this process or is in the journal. A difference is a report, not an error.
   */
  readonly verify: (task: TaskInput, options?: VerifyOptions) => Promise<VerifyReport>;
  /** The samples a task's value is made of. */
  readonly explain: (input: TaskInput, options?: ExplainOptions) => Promise<Explanation>;
  /** Reads what tasks read, with its proofs, from the connected network. Several files may share a fixture. */
  readonly record: (input: TaskInput | readonly string[], options?: RecordOptions) => Promise<Recording>;
  /**
   * Lets a fixture (a path relative to the project, or its content) stand for its chains: the local data processor,
   * `verify` and `explain` read them from it alone. What it does not hold is an error.
   */
  readonly replay: (fixture: string | object) => Promise<Replay>;
}
