import type { Hex } from "viem";

import type { ChainIdentifier } from "../../request/chains.js";
import type { FaultQueue } from "./fault-queue.js";

/** What stores results: the local data processor's result sink. */
interface Finalizes<F> {
  finalize(
    results: readonly { readonly taskHash: Hex; readonly word: Hex }[],
    destinationChainId: ChainIdentifier,
  ): Promise<F>;
}

/** Takes the last `depth` blocks of a chain, counted since it was made, and puts other blocks in their place. */
export type Reorganise = (depth: number) => Promise<void>;

/**
 * A result sink that stores a wrong word or lets the chain drop blocks, as its queue of faults says.
 *
 * @param forkPoint called before results are stored: the destination chain's present block is what it goes back to
 */
export function faultyFinalization<F>(
  sink: Finalizes<F>,
  faults: FaultQueue,
  forkPoint: (destinationChainId: ChainIdentifier) => Promise<Reorganise>,
): Finalizes<F> {
  return {
    finalize: async (results, destinationChainId) => {
      const fault = faults.takeForFinalization();
      const stored =
        fault?.kind === "wrong-result"
          ? results.map((result, index) => (index === 0 ? { ...result, word: fault.word } : result))
          : results;
      const reorganise = fault?.kind === "reorg" ? await forkPoint(destinationChainId) : undefined;
      const finalization = await sink.finalize(stored, destinationChainId);
      if (fault?.kind === "reorg") await reorganise?.(fault.depth);
      return finalization;
    },
  };
}
