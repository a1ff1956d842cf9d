import type { Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";

/** A task's hash with the word to store for it, 32 bytes each. */
export interface TaskWord {
  readonly taskHash: Hex;
  readonly word: Hex;
}

/** Where and by which transaction results were stored. */
export interface Finalization {
  readonly store: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
}

/** Port through which results reach the execution store of their destination chain. */
export interface ResultSink {
  /** Stores all of them or none. Never called again before the promise settles. */
  finalize(results: readonly TaskWord[], destinationChainId: ChainIdentifier): Promise<Finalization>;
}
