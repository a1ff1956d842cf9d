import type { Account, Call } from "starknet";
import type { Hex } from "viem";

import { splitWord } from "../../base/hex.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { TaskWord } from "../../request/lifecycle.js";
import { type ExecutionStore, requireTaskHash } from "../execution-store.js";
import type { StoreTransaction } from "../transact.js";
import { executed, openAccount, refused, type StarknetAccountOptions, starknetHex, TRANSACTION } from "./account.js";
import { loadStarknet } from "./node.js";
import { openStarknetExecutionStore, starknetAddress } from "./starknet-execution-store.js";

export interface FinalizeOnStarknetOptions extends StarknetAccountOptions, TaskWord {
  /** The mock's address. */
  readonly address: string;
}

export interface FinalizeTasksOnStarknetOptions extends StarknetAccountOptions {
  /** The mock's address. */
  readonly address: string;
  readonly results: readonly TaskWord[];
}

/** The transaction that finalized, and the store with all digits of its address. Gas is L2 gas. */
export interface StarknetFinalization extends StoreTransaction {
  readonly store: Hex;
}

/**
 * Stores a result in the Cairo mock, as one of its operators.
 *
 * Errors: HDP-3008 not an address, HDP-3011 not a task hash, HDP-8001 starknet.js is missing, HDP-8008 the network
 * refused, for instance because the task is finalized already.
 */
export async function finalizeOnStarknet(
  options: FinalizeOnStarknetOptions,
): Promise<{ readonly transactionHash: Hex }> {
  const call = finalizeCall(starknetAddress(options.address), options);
  const { transactionHash } = await send(await openAccount(options), [call]);
  return { transactionHash };
}

/**
 * Stores results in the Cairo mock in one transaction, all of them or none. Skips tasks that the mock has finalized with
 * the same result, since it finalizes a task once. Where all are finalized, it sends nothing and returns the transaction
 * that finalized the last of them.
 *
 * Errors: those of `finalizeOnStarknet` and of `openStarknetExecutionStore`, HDP-8012 a task has another result.
 */
export async function finalizeTasksOnStarknet(options: FinalizeTasksOnStarknetOptions): Promise<StarknetFinalization> {
  const { rpcUrl, baseFetch, results } = options;
  const store = await openStarknetExecutionStore({ rpcUrl, baseFetch, address: options.address });
  const finalized = await Promise.all(results.map(async (result) => await isFinalized(store, result)));
  const calls = results
    .filter((_, position) => finalized[position] === false)
    .map((result) => finalizeCall(store.address, result));
  const account = await openAccount(options);
  if (calls.length > 0) return { store: store.address, ...(await send(account, calls)) };
  const last = results.at(-1);
  const found = last && (await findFinalization(account, store.address, last.taskHash));
  if (found === undefined) throw new Error("The tasks are finalized in the store, but it has no event of that.");
  return { store: store.address, ...found };
}

/** Returns whether the store has this very result. */
async function isFinalized(store: ExecutionStore, { taskHash, word }: TaskWord): Promise<boolean> {
  if ((await store.status(taskHash)) !== "finalized") return false;
  const kept = await store.readResult(taskHash);
  if (kept.value === BigInt(word)) return true;
  throw hdpError("HDP-8012", { taskHash, store: store.address, kept: kept.word, word });
}

function finalizeCall(contractAddress: Hex, { taskHash, word }: TaskWord): Call {
  const task = splitWord(requireTaskHash(taskHash));
  const result = splitWord(word);
  const calldata = [task.low, task.high, result.low, result.high].map(String);
  return { contractAddress, entrypoint: "finalize", calldata };
}

async function send(account: Account, calls: readonly Call[]): Promise<StoreTransaction> {
  return await refused(calls.length === 1 ? "finalize the task" : "finalize the tasks", async () => {
    const sent = await account.execute([...calls], TRANSACTION);
    const receipt = await executed(account, sent.transaction_hash);
    return {
      transactionHash: starknetHex(sent.transaction_hash),
      blockNumber: BigInt(receipt.block_number),
      gasUsed: BigInt(receipt.execution_resources.l2_gas),
    };
  });
}

/**
 * Finds the transaction that finalized a task in the mock's events (`TaskFinalized`: hash low and high, result low and
 * high, nothing indexed), oldest first.
 */
async function findFinalization(
  { provider }: Account,
  address: Hex,
  taskHash: Hex,
): Promise<StoreTransaction | undefined> {
  const { hash } = await loadStarknet();
  const { low, high } = splitWord(taskHash);
  const keys = [[hash.getSelectorFromName("TaskFinalized")]];
  const filter = { address, keys, from_block: { block_number: 0 }, to_block: "latest", chunk_size: 1000 } as const;
  return await refused("list the mock's events", async () => {
    let page: Awaited<ReturnType<typeof provider.getEvents>> | undefined;
    do {
      const continued = page?.continuation_token;
      page = await provider.getEvents({ ...filter, ...(continued && { continuation_token: continued }) });
      const found = page.events.find(({ data }) => BigInt(data[0] ?? -1) === low && BigInt(data[1] ?? -1) === high);
      if (found === undefined) continue;
      const receipt = await provider.getTransactionReceipt(found.transaction_hash);
      return {
        transactionHash: starknetHex(found.transaction_hash),
        blockNumber: BigInt(found.block_number ?? 0),
        gasUsed: receipt.isSuccess() ? BigInt(receipt.execution_resources.l2_gas) : 0n,
      };
    } while (page.continuation_token !== undefined);
    return undefined;
  });
}
