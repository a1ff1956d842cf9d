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

/**
 * A result sink that stores a wrong word or lets the chain drop blocks, as its queue of faults says.
 *
 * @param dropBlocks removes the given number of newest blocks of the destination chain
 */
export function faultyFinalization<F>(
  sink: Finalizes<F>,
  faults: FaultQueue,
  dropBlocks: (depth: number, destinationChainId: ChainIdentifier) => Promise<void>,
): Finalizes<F> {
  return {
    finalize: async (results, destinationChainId) => {
      const fault = faults.takeForFinalization();
      const stored =
        fault?.kind === "wrong-result"
          ? results.map((result, index) => (index === 0 ? { ...result, word: fault.word } : result))
          : results;
      const finalization = await sink.finalize(stored, destinationChainId);
      if (fault?.kind === "reorg") await dropBlocks(fault.depth, destinationChainId);
      return finalization;
    },
  };
}
