import type { Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";

import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { ethCall } from "./rpc.js";
import type { Provider } from "./rpc.js";

/** What a fact depends on, as a store has it. */
export interface ProofSettings {
  readonly programHash: Hex;
  readonly chainId: bigint;
  readonly factsRegistry: Address;
  readonly aggregatorsFactory: Address;
  /** Cached root of the MMR, 0 when there is none. */
  readonly mmrRoot: Hex;
}

/** Reads a store's settings for proving, five calls at once. */
export async function readProofSettings(
  provider: Provider,
  store: Address,
  mmr: { readonly id: bigint; readonly size: bigint },
  signal?: AbortSignal,
): Promise<ProofSettings> {
  const abi = hdpExecutionStoreAbi;
  const call = (data: Hex): Promise<Hex> => ethCall(provider, store, data, signal);
  const [programHash, chainId, factsRegistry, aggregatorsFactory, mmrRoot] = await Promise.all([
    call(encodeFunctionData({ abi, functionName: "PROGRAM_HASH" })),
    call(encodeFunctionData({ abi, functionName: "CHAIN_ID" })),
    call(encodeFunctionData({ abi, functionName: "SHARP_FACTS_REGISTRY" })),
    call(encodeFunctionData({ abi, functionName: "AGGREGATORS_FACTORY" })),
    call(encodeFunctionData({ abi, functionName: "loadMmrRoot", args: [mmr.id, mmr.size] })),
  ]);
  return {
    programHash: decodeFunctionResult({ abi, functionName: "PROGRAM_HASH", data: programHash }),
    chainId: decodeFunctionResult({ abi, functionName: "CHAIN_ID", data: chainId }),
    factsRegistry: decodeFunctionResult({ abi, functionName: "SHARP_FACTS_REGISTRY", data: factsRegistry }),
    aggregatorsFactory: decodeFunctionResult({ abi, functionName: "AGGREGATORS_FACTORY", data: aggregatorsFactory }),
    mmrRoot: decodeFunctionResult({ abi, functionName: "loadMmrRoot", data: mmrRoot }),
  };
}
