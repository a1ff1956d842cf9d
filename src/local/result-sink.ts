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
  /** Of all transactions that the results took. */
  readonly gasUsed: bigint;
  /** Where the results were proven: each batch, in order. */
  readonly batches?: readonly BatchGas[];
}

/** What a proven batch cost. */
export interface BatchGas {
  readonly tasks: number;
  /** Of the whole flow: MMR root, fact, authentication. */
  readonly gasUsed: bigint;
  /** Of the transaction that authenticates the results, which a published store sees too. */
  readonly authenticationGas: bigint;
}

/** Port through which results reach the execution store of their destination chain. */
export interface ResultSink {
  /** Stores all of them or none. Never called again before the promise settles. */
  finalize(results: readonly TaskWord[], destinationChainId: ChainIdentifier): Promise<Finalization>;
}
