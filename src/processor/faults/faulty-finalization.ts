import type { Hex } from "viem";

import type { Eip1193Provider } from "../../base/rpc.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { FaultQueue } from "./fault-queue.js";
import { InjectedFaultError } from "./fault.js";

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

/**
 * The present block of a development chain as the place where it forks. The new branch is one block longer than the
 * one it replaces and starts a minute later, so that every block of it has another hash.
 *
 * @throws InjectedFaultError HDP-4903 for a node without `evm_snapshot`
 */
export async function forkPointOf(provider: Eip1193Provider): Promise<Reorganise> {
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await provider.request({ method, params });
  try {
    const snapshot = await call("evm_snapshot");
    return async (depth) => {
      // The finalization's own block is the first of the `depth`; the others come on top of it.
      for (let mined = 1; mined < depth; mined += 1) await call("evm_mine");
      await call("evm_revert", snapshot);
      await call("evm_increaseTime", 60);
      for (let mined = 0; mined <= depth; mined += 1) await call("evm_mine");
    };
  } catch (error) {
    throw InjectedFaultError.noReorganisation(error);
  }
}
