import type { Hex } from "viem";

import type { ChainIdentifier } from "./chains.js";
import type { TaskRequest } from "./task.js";

/** What a data processor returned for an accepted request: plain data, survives JSON and a crash. */
export interface Submission {
  /** The data processor's own id (task UUID, batch id or a local id). */
  readonly id: string;
  /** Who accepted it: "local" or the wire edition's name. */
  readonly processor: string;
  readonly destinationChainId: ChainIdentifier;
  /** Computed here, in request order; results are read by these. */
  readonly taskHashes: readonly Hex[];
  /** Hashes the service returned, when it did and they differ from `taskHashes`. */
  readonly serviceTaskHashes?: readonly Hex[];
}

/** One observed state of a submission. */
export interface TaskStatus {
  /** The data processor's own word, untranslated. */
  readonly name: string;
  /** What it means for waiting. A name nobody knows is "pending". */
  readonly phase: "pending" | "finalized" | "failed";
  /** Sentence for people: progress, or why it failed in the processor's own words. */
  readonly detail?: string;
}

/** A finalized result as read from an execution store. */
export interface TaskResult {
  readonly taskHash: Hex;
  /** The stored word, 32 bytes. */
  readonly word: Hex;
  /** The same word as an unsigned integer. */
  readonly value: bigint;
  /** Address of the store it was read from. */
  readonly store: Hex;
  /** Elements that took part; known for results computed locally. */
  readonly samples?: number;
  /** Whether every value read was checked by a proof; known for results computed locally. */
  readonly proven?: boolean;
  /** The transaction that finalized it, where it can be found. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
  readonly gasUsed?: bigint;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The one port behind which a remote service and the local data processor stand. */
export interface DataProcessor {
  readonly name: string;
  submit(request: TaskRequest, options?: CallOptions): Promise<Submission>;
  status(submission: Submission, options?: CallOptions): Promise<TaskStatus>;
}
