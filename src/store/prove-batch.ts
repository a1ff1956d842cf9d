import type { Address, Hex } from "viem";
import { concatHex, decodeFunctionResult, encodeFunctionData, keccak256, numberToHex } from "viem/utils";

import { batchTree, type BatchTree } from "../request/merkle.js";
import { splitWord } from "../base/hex.js";
import { calldataOf, ethCall, type Provider, revertData, type WaitOptions } from "./transact.js";
import { requireTaskHash, storeAddress } from "./execution-store.js";
import { type StoreTransaction, transactWithStore } from "./finalize.js";
import type { TaskWord } from "../request/lifecycle.js";
import { hdpAggregatorsFactoryMockAbi } from "./generated/hdp-aggregators-factory-mock.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpFactsRegistryMockAbi } from "./generated/hdp-facts-registry-mock.js";

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

export interface RequireAuthenticationOptions extends WaitOptions {
  readonly provider: Provider;
  /** An execution store mock. */
  readonly store: Address;
  /** An operator. Default: the node's first account. */
  readonly from?: Address | undefined;
}

/**
 * Makes a mock accept proven results only, for good: `finalizeTasks` is refused from then on, `proveBatch` goes on.
 *
 * Errors: HDP-3004 not an operator.
 */
export async function requireAuthentication(options: RequireAuthenticationOptions): Promise<StoreTransaction> {
  const store = storeAddress(options.store);
  const data = encodeFunctionData({ abi: hdpExecutionStoreMockAbi, functionName: "requireAuthentication" });
  const call = { store, from: options.from, data };
  const { transactionHash, blockNumber, gasUsed } = await transactWithStore(options.provider, call, options);
  return { transactionHash, blockNumber, gasUsed };
}

const authenticOnly = calldataOf(hdpExecutionStoreMockAbi, "authenticOnly");

/** Whether a store is a mock that accepts proven results only. Asked of the contract: a revert may undo it. */
export async function requiresAuthentication(
  provider: Provider,
  store: Address,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const data = await ethCall(provider, store, authenticOnly(), signal);
    return data.length === 66 && BigInt(data) === 1n;
  } catch (error) {
    if (revertData(error) === undefined) throw error;
    // A published store does not know the question.
    return false;
  }
}

/** A Merkle mountain range of block headers, as the store knows it. */
export interface MmrState {
  readonly id: bigint;
  readonly size: bigint;
  /** Poseidon root, 32 bytes. */
  readonly root: Hex;
}

/** The MMR that batches are proven against when none is given. No headers are in it: the mock checks no MMR. */
export const MOCK_MMR: MmrState = { id: 1n, size: 1n, root: numberToHex(1n, { size: 32 }) };

export interface ProveBatchOptions extends WaitOptions {
  readonly provider: Provider;
  /** An execution store mock. */
  readonly store: Address;
  /** An operator of the store that keeps its facts registry and aggregators factory. Default: the first account. */
  readonly from?: Address | undefined;
  /** The batch, in request order. Up to about 150 fit one transaction. */
  readonly results: readonly TaskWord[];
  readonly mmr?: MmrState | undefined;
}

/** A batch that the store accepted. The transaction is that of authenticateTaskExecution. */
export interface ProvenBatch extends StoreTransaction {
  readonly factHash: Hex;
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
  /** Gas of every transaction of the flow: MMR root, fact, authentication. */
  readonly totalGasUsed: bigint;
}

/**
 * Finalizes a batch the published way: Merkle roots over the task hashes and the results, the MMR root cached from
 * its aggregator, the fact registered, then `authenticateTaskExecution` with the inclusion proofs.
 *
 * No STARK is made: the fact is registered in the facts registry mock because its keeper says so.
 *
 * Errors: HDP-3004 not an operator or keeper, HDP-3007 with the store's own reason, HDP-1123 an empty batch.
 */
export async function proveBatch(options: ProveBatchOptions): Promise<ProvenBatch> {
  const { provider, from, mmr = MOCK_MMR } = options;
  const store = storeAddress(options.store);
  const taskHashes = options.results.map((result) => requireTaskHash(result.taskHash));
  const words = options.results.map((result) => result.word);
  const tree = batchTree(taskHashes, words);
  const settings = await readProofSettings(provider, store, mmr, options.signal);
  const factHash = batchFactHash(tree, settings, mmr);
  const steps = [
    ...(settings.mmrRoot === mmr.root ? [] : mmrSteps(store, settings, mmr)),
    { to: settings.factsRegistry, data: registerFact(factHash) },
  ];
  let totalGasUsed = 0n;
  for (const { to, data } of steps) {
    totalGasUsed += (await transactWithStore(provider, { store, to, from, data }, options)).gasUsed;
  }
  const data = authenticate(tree, mmr, taskHashes, words);
  const { transactionHash, blockNumber, gasUsed } = await transactWithStore(provider, { store, from, data }, options);
  const { tasksRoot, resultsRoot } = tree;
  totalGasUsed += gasUsed;
  return { transactionHash, blockNumber, gasUsed, totalGasUsed, factHash, tasksRoot, resultsRoot };
}

/**
 * Fact of a batch: keccak256(program hash ‖ keccak256(program output)), the output being the results' root, the
 * tasks' root (low half, high half) and the MMR's id, size, chain id and root.
 */
export function batchFactHash(
  tree: Pick<BatchTree, "tasksRoot" | "resultsRoot">,
  settings: Pick<ProofSettings, "programHash" | "chainId">,
  mmr: MmrState,
): Hex {
  const results = splitWord(tree.resultsRoot);
  const tasks = splitWord(tree.tasksRoot);
  const roots = [results.low, results.high, tasks.low, tasks.high];
  const words = [...roots, mmr.id, mmr.size, settings.chainId, BigInt(mmr.root)];
  const output = concatHex(words.map((word) => numberToHex(word, { size: 32 })));
  return keccak256(concatHex([settings.programHash, keccak256(output)]));
}

/** The aggregator gets the MMR's state, and the store caches it. */
function mmrSteps(store: Address, settings: ProofSettings, mmr: MmrState): { to: Address; data: Hex }[] {
  const empty = numberToHex(0n, { size: 32 });
  const state = { poseidonMmrRoot: mmr.root, keccakMmrRoot: empty, mmrSize: mmr.size, continuableParentHash: empty };
  return [
    {
      to: settings.aggregatorsFactory,
      data: encodeFunctionData({
        abi: hdpAggregatorsFactoryMockAbi,
        functionName: "setAggregatorState",
        args: [mmr.id, state],
      }),
    },
    {
      to: store,
      data: encodeFunctionData({ abi: hdpExecutionStoreMockAbi, functionName: "cacheMmrRoot", args: [mmr.id] }),
    },
  ];
}

function registerFact(factHash: Hex): Hex {
  return encodeFunctionData({ abi: hdpFactsRegistryMockAbi, functionName: "registerFact", args: [factHash] });
}

function authenticate(tree: BatchTree, mmr: MmrState, taskHashes: readonly Hex[], words: readonly Hex[]): Hex {
  const tasks = splitWord(tree.tasksRoot);
  const results = splitWord(tree.resultsRoot);
  return encodeFunctionData({
    abi: hdpExecutionStoreMockAbi,
    functionName: "authenticateTaskExecution",
    args: [
      [mmr.id],
      [mmr.size],
      tasks.low,
      tasks.high,
      results.low,
      results.high,
      tree.taskProofs,
      tree.resultProofs,
      taskHashes,
      words,
    ],
  });
}
