import { keccak } from "@scure/starknet";
import type { Account, Call } from "starknet";
import type { Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import { type ExecutionStore, requireTaskHash } from "../execution-store.js";
import type { StoreTransaction } from "../finalize.js";
import type { TaskWord } from "../../request/lifecycle.js";
import { executed, TRANSACTION, openAccount, refused, type StarknetAccountOptions, starknetHex } from "./account.js";
import { splitWord } from "../../base/hex.js";
import { openStarknetExecutionStore, starknetAddress } from "./starknet-execution-store.js";

const PAGE = 1000;

/**
 * The transaction that finalized a task in a mock, from the mock's events (`TaskFinalized`: hash low and high, result
 * low and high, nothing indexed), oldest first; undefined where there is none.
 */
export async function findStarknetFinalization(
  { provider }: Account,
  address: Hex,
  taskHash: Hex,
): Promise<StoreTransaction | undefined> {
  const { low, high } = splitWord(taskHash);
  const key = `0x${keccak(new TextEncoder().encode("TaskFinalized")).toString(16)}`;
  return await refused("list the mock's events", async () => {
    let continuation: string | undefined;
    do {
      const page = await provider.getEvents({
        address,
        keys: [[key]],
        from_block: { block_number: 0 },
        to_block: "latest",
        chunk_size: PAGE,
        ...(continuation === undefined ? {} : { continuation_token: continuation }),
      });
      const found = page.events.find(({ data }) => BigInt(data[0] ?? -1) === low && BigInt(data[1] ?? -1) === high);
      if (found !== undefined) {
        const receipt = await provider.getTransactionReceipt(found.transaction_hash);
        return {
          transactionHash: starknetHex(found.transaction_hash),
          blockNumber: BigInt(found.block_number ?? 0),
          gasUsed: receipt.isSuccess() ? BigInt(receipt.execution_resources.l2_gas) : 0n,
        };
      }
      continuation = page.continuation_token;
    } while (continuation !== undefined);
    return undefined;
  });
}

export interface FinalizeOnStarknetOptions extends StarknetAccountOptions {
  /** The mock's address. */
  readonly address: string;
  readonly taskHash: Hex;
  /** The result, 32 bytes. */
  readonly word: Hex;
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
 * Errors: HDP-3011 not a task hash, HDP-8001 starknet.js is missing, HDP-8006 not an address, HDP-8008 the network
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
 * Stores results in the Cairo mock in one transaction, all of them or none. Tasks that the mock has finalized with the
 * very same result are left as they are, since it finalizes a task once; where that is true of all of them nothing is
 * sent, and the transaction that finalized the last of them is returned.
 *
 * Errors: those of `finalizeOnStarknet` and of `openStarknetExecutionStore`, HDP-8012 a task has another result.
 */
export async function finalizeTasksOnStarknet(options: FinalizeTasksOnStarknetOptions): Promise<StarknetFinalization> {
  const { rpcUrl, baseFetch, results } = options;
  const store = await openStarknetExecutionStore({ rpcUrl, baseFetch, address: options.address });
  const finalized = await Promise.all(results.map(async (result) => await isFinalized(store, result)));
  const calls = results.filter((_, position) => finalized[position] === false);
  const account = await openAccount(options);
  if (calls.length > 0) {
    const sent = calls.map((result) => finalizeCall(store.address, result));
    return { store: store.address, ...(await send(account, sent)) };
  }
  const last = results.at(-1);
  const found = last === undefined ? undefined : await findStarknetFinalization(account, store.address, last.taskHash);
  if (found === undefined) throw new Error("The store says that tasks are finalized, but has no event of it.");
  return { store: store.address, ...found };
}

/** Whether the store has this very result. */
async function isFinalized(store: ExecutionStore, { taskHash, word }: TaskWord): Promise<boolean> {
  if ((await store.status(taskHash)) !== "finalized") return false;
  const kept = await store.readResult(taskHash);
  if (kept.value === BigInt(word)) return true;
  throw new HdpError({
    code: "HDP-8012",
    message: `task ${taskHash} is finalized in the store ${store.address} with another result: ${kept.word}, not ${word}.`,
    hints: ["A store on Starknet finalizes a task once. Deploy another mock: npx hardhat hdp:starknet:deploy-mock"],
  });
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
