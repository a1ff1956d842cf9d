import type { Address, Hex } from "viem";
import {
  concatHex,
  encodeFunctionData,
  getAddress,
  isHash,
  keccak256,
  numberToHex,
} from "viem/utils";

import { splitHalves, requireAddress, requireTaskHash, splitWord } from "../base/hex.js";
import { hdpError } from "../errors/hdp-error.js";
import type { TaskWord } from "../request/task-result.js";
import { type BatchRoots, batchTree, type BatchTree } from "../request/merkle.js";
import { MOCK_KINDS, notAStore } from "./execution-store.js";
import { hdpAggregatorsFactoryMockAbi } from "./generated/hdp-aggregators-factory-mock.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpFactsRegistryMockAbi } from "./generated/hdp-facts-registry-mock.js";
import { hdpSatelliteDevelopAbi } from "./generated/hdp-satellite-develop.js";
import type { MockTransactionOptions, StoreTransaction } from "./transact.js";
import type { Provider } from "./node-requests.js";
import { ethCallUnlessReverted } from "./node-requests.js";
import { transactWithStore } from "./transact.js";

const STORE_KIND = "0x97167701";

/** The program that proves a batch, and the chain whose headers it is proven against. */
export interface ProvenProgram {
  readonly programHash: Hex;
  readonly chainId: bigint;
}

/** How a mock's batch of results is proven. */
export interface ProofSettings extends ProvenProgram {
  readonly factsRegistry: Address;
  readonly aggregatorsFactory: Address;
  /** Cached root of the MMR, 0 when there is none. */
  readonly mmrRoot: Hex;
  /** Whether the store is a mock of kind "satellite-develop", which authenticates executions one by one. */
  readonly isDevelop: boolean;
}

/** Reads a store's settings for proving, with six concurrent calls. */
export async function readProofSettings(
  provider: Provider,
  store: Address,
  mmr: MmrSize,
  signal?: AbortSignal,
): Promise<ProofSettings> {
  const abi = hdpExecutionStoreAbi;
  const word = async (data: Hex): Promise<Hex> => {
    const answer = await ethCallUnlessReverted(provider, store, data, signal);
    if (answer !== undefined && isHash(answer)) return answer;
    throw await notAStore(
      provider,
      store,
      "PROGRAM_HASH, CHAIN_ID, SHARP_FACTS_REGISTRY or loadMmrRoot",
      signal,
    );
  };
  const address = async (
    functionName: "SHARP_FACTS_REGISTRY" | "AGGREGATORS_FACTORY",
  ): Promise<Address> =>
    getAddress(`0x${(await word(encodeFunctionData({ abi, functionName }))).slice(-40)}`);
  const [programHash, chainId, factsRegistry, aggregatorsFactory, mmrRoot, kind] =
    await Promise.all([
      word(encodeFunctionData({ abi, functionName: "PROGRAM_HASH" })),
      word(encodeFunctionData({ abi, functionName: "CHAIN_ID" })),
      address("SHARP_FACTS_REGISTRY"),
      address("AGGREGATORS_FACTORY"),
      word(encodeFunctionData({ abi, functionName: "loadMmrRoot", args: [mmr.id, mmr.size] })),
      ethCallUnlessReverted(provider, store, STORE_KIND, signal),
    ]);
  const isDevelop =
    kind !== undefined && isHash(kind) && MOCK_KINDS[Number(kind)] === "satellite-develop";
  return {
    programHash,
    chainId: BigInt(chainId),
    factsRegistry,
    aggregatorsFactory,
    mmrRoot,
    isDevelop,
  };
}

/** Makes a mock accept proven results only, permanently: by `proveBatch`. @throws HdpError HDP-3004 not an operator */
export async function requireAuthentication(
  options: MockTransactionOptions,
): Promise<StoreTransaction> {
  const { provider, from } = options;
  const data = encodeFunctionData({
    abi: hdpExecutionStoreMockAbi,
    functionName: "requireAuthentication",
  });
  return await transactWithStore(
    provider,
    { store: requireAddress(options.store), from, data },
    options,
  );
}

interface MmrSize {
  readonly id: bigint;
  readonly size: bigint;
}

interface MmrRoot extends MmrSize {
  /** Poseidon root, 32 bytes. */
  readonly root: Hex;
}

/** A Merkle mountain range of block headers, as the store knows it. */
export interface MmrState extends MmrRoot {
  /** Root under keccak, 32 bytes. Given, a mock of kind "satellite-develop" is proven against both roots. */
  readonly keccakRoot?: Hex | undefined;
}

/** The MMR that batches are proven against by default. It holds no headers: the mock checks no MMR. */
export const MOCK_MMR: MmrState = { id: 1n, size: 1n, root: numberToHex(1n, { size: 32 }) };

/**
 * Options of proving a batch of results. `from` is also the keeper of the facts registry and the aggregators factory, as
 * the mock's deployer is.
 */
export interface ProveBatchOptions extends MockTransactionOptions {
  /** The batch, in request order. Up to about 150 fit one transaction. */
  readonly results: readonly TaskWord[];
  readonly mmr?: MmrState | undefined;
}

/**
 * A batch that the store accepted. The transaction is that of `authenticateTaskExecution`; on a mock of kind
 * "satellite-develop" the last one of `authenticateDataProcessorTaskExecution`, with its fact and the gas of all.
 */
export interface ProvenBatch extends StoreTransaction {
  readonly factHash: Hex;
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
  /** Gas of all transactions: MMR root, fact, authentication. */
  readonly totalGasUsed: bigint;
}

/**
 * Finalizes a batch as the published contracts do: builds Merkle roots over the task hashes and the results, caches the
 * MMR root from its aggregator, registers the fact, then calls `authenticateTaskExecution` with the inclusion proofs.
 * On a mock of kind "satellite-develop", authenticates one execution after the other, each with its fact, in the form
 * of that branch. Makes no STARK: the keeper of the facts registry mock registers the fact.
 * @throws HdpError HDP-3004 not an operator or keeper, HDP-3007 with the store's own reason, HDP-1123 an empty batch.
 */
export async function proveBatch(options: ProveBatchOptions): Promise<ProvenBatch> {
  const { provider, from, results, mmr = MOCK_MMR, signal } = options;
  const store = requireAddress(options.store);
  const taskHashes = results.map(({ taskHash }) => requireTaskHash(taskHash));
  const words = results.map(({ word }) => word);
  const tree = batchTree(taskHashes, words);
  const settings = await readProofSettings(provider, store, mmr, signal);
  const executions = settings.isDevelop
    ? results.map((result) => developExecution(settings, mmr, result))
    : [batchExecution(settings, mmr, { tree, taskHashes, words })];
  let totalGasUsed = 0n;
  const sendTo = async (to: Address, data: Hex): Promise<StoreTransaction> => {
    const transaction = await transactWithStore(provider, { store, to, from, data }, options);
    totalGasUsed += transaction.gasUsed;
    return transaction;
  };
  for (const [to, data] of mmrCalls(settings, store, mmr)) await sendTo(to, data);
  let proven: { readonly transaction: StoreTransaction; readonly factHash: Hex } | undefined;
  let gasUsed = 0n;
  for (const { factHash, data } of executions) {
    const call = { functionName: "registerFact", args: [factHash] } as const;
    await sendTo(
      settings.factsRegistry,
      encodeFunctionData({ abi: hdpFactsRegistryMockAbi, ...call }),
    );
    proven = { transaction: await sendTo(store, data), factHash };
    gasUsed += proven.transaction.gasUsed;
  }
  if (proven === undefined) throw hdpError("HDP-1120", { items: "results to finalize" });
  const { tasksRoot, resultsRoot } = tree;
  return {
    ...proven.transaction,
    gasUsed,
    totalGasUsed,
    factHash: proven.factHash,
    tasksRoot,
    resultsRoot,
  };
}

/** Returns the calls that make an MMR known to a store, with their contracts; none if it is known. */
function mmrCalls(
  settings: ProofSettings,
  store: Address,
  mmr: MmrState,
): readonly (readonly [to: Address, data: Hex])[] {
  const abi = hdpExecutionStoreMockAbi;
  const calls: (readonly [Address, Hex])[] = [];
  if (settings.mmrRoot !== mmr.root) {
    const empty = numberToHex(0n, { size: 32 });
    const state = {
      poseidonMmrRoot: mmr.root,
      keccakMmrRoot: empty,
      mmrSize: mmr.size,
      continuableParentHash: empty,
    };
    const call = { functionName: "setAggregatorState", args: [mmr.id, state] } as const;
    const cache = { abi, functionName: "cacheMmrRoot", args: [mmr.id] } as const;
    calls.push(
      [
        settings.aggregatorsFactory,
        encodeFunctionData({ abi: hdpAggregatorsFactoryMockAbi, ...call }),
      ],
      [store, encodeFunctionData(cache)],
    );
  }
  if (settings.isDevelop && mmr.keccakRoot !== undefined) {
    const args = [settings.chainId, mmr.id, mmr.size, mmr.keccakRoot] as const;
    calls.push([store, encodeFunctionData({ abi, functionName: "setKeccakMmrRoot", args })]);
  }
  return calls;
}

/** One execution in a satellite's form, with the MMRs that it was proven against. */
export interface SatelliteExecution extends TaskWord {
  /** Hash of the proving program. */
  readonly programHash: Hex;
  readonly poseidonMmrs: readonly ChainMmr[];
  /** MMRs by their keccak roots. If given, even as an empty list, the fact is that of the development branch. */
  readonly keccakMmrs?: readonly ChainMmr[] | undefined;
}

/** An MMR with the chain whose headers it holds. */
interface ChainMmr extends MmrRoot {
  readonly chainId: bigint;
}

/**
 * Returns the fact of a satellite's execution: keccak256(program hash ‖ keccak256(program output)), where the output is
 * task hash and result (low half, high half), then id, size, chain id and root of each MMR. On the development branch
 * the numbers of Poseidon and of keccak MMRs come before the MMRs, and keccak roots are two halves.
 */
export function satelliteFactHash(execution: SatelliteExecution): Hex {
  const { taskHash, word, programHash, poseidonMmrs, keccakMmrs } = execution;
  const lengths =
    keccakMmrs === undefined ? [] : [BigInt(poseidonMmrs.length), BigInt(keccakMmrs.length)];
  return computeFactHash(programHash, [
    ...splitHalves(requireTaskHash(taskHash), word),
    ...lengths,
    ...poseidonMmrs.flatMap(({ id, size, chainId, root }) => [id, size, chainId, BigInt(root)]),
    ...(keccakMmrs ?? []).flatMap(({ id, size, chainId, root }) => [
      id,
      size,
      chainId,
      ...splitHalves(root),
    ]),
  ]);
}

function computeFactHash(programHash: Hex, words: readonly bigint[]): Hex {
  const output = concatHex(words.map((word) => numberToHex(word, { size: 32 })));
  return keccak256(concatHex([programHash, keccak256(output)]));
}

/**
 * Returns the fact of a batch: keccak256(program hash ‖ keccak256(program output)), where the output is the results'
 * root, the tasks' root (low half, high half) and the MMR's id, size, chain id and root.
 */
export function batchFactHash(tree: BatchRoots, settings: ProvenProgram, mmr: MmrState): Hex {
  const roots = splitHalves(tree.resultsRoot, tree.tasksRoot);
  return computeFactHash(settings.programHash, [
    ...roots,
    mmr.id,
    mmr.size,
    settings.chainId,
    BigInt(mmr.root),
  ]);
}

function batchExecution(
  settings: ProofSettings,
  mmr: MmrState,
  {
    tree,
    taskHashes,
    words,
  }: { tree: BatchTree; taskHashes: readonly Hex[]; words: readonly Hex[] },
): { readonly factHash: Hex; readonly data: Hex } {
  const tasks = splitWord(tree.tasksRoot);
  const results = splitWord(tree.resultsRoot);
  const roots = [tasks.low, tasks.high, results.low, results.high] as const;
  const data = encodeFunctionData({
    abi: hdpExecutionStoreMockAbi,
    functionName: "authenticateTaskExecution",
    args: [[mmr.id], [mmr.size], ...roots, tree.taskProofs, tree.resultProofs, taskHashes, words],
  });
  return { factHash: batchFactHash(tree, settings, mmr), data };
}

function developExecution(
  { programHash, chainId }: ProofSettings,
  { id, size, root, keccakRoot }: MmrState,
  result: TaskWord,
): { readonly factHash: Hex; readonly data: Hex } {
  const keccakMmrs = keccakRoot === undefined ? [] : [{ id, size, chainId, root: keccakRoot }];
  const poseidonMmrs = [{ id, size, chainId, root }];
  const [task, word] = [splitWord(requireTaskHash(result.taskHash)), splitWord(result.word)];
  const mmr = { chainId, mmrId: id, mmrSize: size };
  const taskData = {
    mmrData: { poseidonMmr: [mmr], keccakMmr: keccakMmrs.map(() => mmr) },
    taskResultLow: word.low,
    taskResultHigh: word.high,
    taskHashLow: task.low,
    taskHashHigh: task.high,
    programHash,
  };
  const functionName = "authenticateDataProcessorTaskExecution";
  return {
    factHash: satelliteFactHash({ ...result, programHash, poseidonMmrs, keccakMmrs }),
    data: encodeFunctionData({ abi: hdpSatelliteDevelopAbi, functionName, args: [taskData] }),
  };
}
