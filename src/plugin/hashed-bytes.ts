import type { Address, Hex } from "viem";
import { isHex, numberToHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { isSameHex } from "../base/hex.js";
import { hashedBySteps } from "../chain/hashed-steps.js";
import type { AskedRead } from "../store/failed-read.js";
import { HashedInCall } from "../submission/hashed-in-call.js";
import type { ConnectedNetwork } from "./connected-network.js";
import { firstOwnBlock } from "./own-blocks.js";
import type { TracedCall } from "./traced-call.js";

/** Gas up to which a call is traced step by step: more gas may be a hundred thousand steps. */
const MAX_GAS = 1_000_000n;
/** Blocks in which the transactions of the contract that asked are looked for, the latest. */
const MAX_BLOCKS = 64;
/** Of those transactions, as many are traced, the latest. */
const MAX_TRACED = 8;
/** Transactions that are traced where the contract is not known, the latest. */
const MAX_OF_ANY = 64;

/** What a step of a trace has: its stack alone. */
const STEPS = { disableStorage: true, disableMemory: true } as const;

/**
 * Returns what a failed call hashed, and where the asked hash is not among that, what transactions of the contract hashed
 * which asked. Nothing where the node has no such traces, and for calls of much gas.
 */
export async function hashedInCall(
  network: ConnectedNetwork,
  { taskHash, asker }: AskedRead,
  traced: TracedCall,
): Promise<HashedInCall | undefined> {
  if (asker === undefined) return undefined;
  const own = isLong(traced.frame) ? [] : await hashedIn(network, traced);
  const found = new HashedInCall(own);
  if (found.bytes(taskHash) !== undefined) return found;
  // Blocks of live chains are large, and no transaction of the project is likely to be in the latest.
  if (!(await network.isDevelopment())) return found;
  const earlier = await hashedBefore(network, asker, taskHash);
  return new HashedInCall([...own, ...earlier]);
}

function isLong(frame: unknown): boolean {
  const { gasUsed } = isRecord(frame) ? frame : {};
  return !isHex(gasUsed) || BigInt(gasUsed) > MAX_GAS;
}

/** Returns what a call or a transaction hashed; nothing where the node does not say it. */
async function hashedIn(
  network: ConnectedNetwork,
  { method, params, frame }: TracedCall,
): Promise<readonly Hex[]> {
  const { from, to, input, data, value, type } = isRecord(frame) ? frame : {};
  const calldata = input ?? data;
  if (!isHex(calldata)) return [];
  const sent = { input: calldata, isCreation: to === undefined || type === "CREATE" };
  const hashed = hashedBySteps(await stepsOf(network, method, params), sent);
  if (hashed.length > 0 || method === "debug_traceCall") return hashed;
  // Anvil keeps no steps of transactions: what one did is called again before its block.
  const call = { from, to: sent.isCreation ? undefined : to, data: calldata, value };
  const before = await blockBefore(network, params[0]);
  return hashedBySteps(await stepsOf(network, "debug_traceCall", [call, before]), sent);
}

/** Returns the steps of a call; undefined where the node has no such traces. */
async function stepsOf(
  { provider }: ConnectedNetwork,
  method: TracedCall["method"],
  params: readonly unknown[],
): Promise<unknown> {
  const traced = await provider
    .request({ method, params: [...params, STEPS] })
    .catch(() => undefined);
  return isRecord(traced) ? traced["structLogs"] : undefined;
}

/** Returns the number of the block before that of a transaction. */
async function blockBefore({ provider }: ConnectedNetwork, hash: unknown): Promise<Hex> {
  const found = await provider.request({ method: "eth_getTransactionByHash", params: [hash] });
  const number = isRecord(found) ? found["blockNumber"] : undefined;
  if (!isHex(number)) throw new Error(`the node does not know the block of ${String(hash)}`);
  return numberToHex(BigInt(number) - 1n);
}

interface Mined {
  readonly hash: Hex;
  /** The transaction as a frame has it. */
  readonly frame: Readonly<Record<string, unknown>>;
  readonly input: string;
  /** Undefined for the creation of a contract. */
  readonly to: string | undefined;
}

/**
 * Returns what the latest transactions hashed that made the contract, or were sent to it: it may keep a hash from them.
 * Nothing where one of them was sent the hash: the contract was given it.
 */
async function hashedBefore(
  network: ConnectedNetwork,
  asker: Address,
  taskHash: Hex,
): Promise<readonly Hex[]> {
  const transactions = await latestWithout(network, taskHash);
  const isOfAsker = ({ to }: Mined): boolean => to === undefined || isSameHex(to, asker);
  // Another contract may have made the one that asked.
  const others = transactions.filter((one) => !isOfAsker(one));
  const likely = [...transactions.filter(isOfAsker), ...others].slice(0, MAX_TRACED);
  const hashed = likely.map(async (one) => await hashedByMined(network, one));
  return (await Promise.all(hashed)).flat();
}

/**
 * Returns what the transaction hashed that hashed a task, of the latest of a development chain: a contract may have kept the
 * hash, or asked a store for it. Undefined where none did, or one was sent the hash.
 */
export async function hashedOnChain(
  network: ConnectedNetwork,
  taskHash: Hex,
): Promise<HashedInCall | undefined> {
  const transactions = await latestWithout(network, taskHash);
  for (const one of transactions.slice(0, MAX_OF_ANY)) {
    const hashed = new HashedInCall(await hashedByMined(network, one));
    if (hashed.bytes(taskHash) !== undefined) return hashed;
  }
  return undefined;
}

async function hashedByMined(
  network: ConnectedNetwork,
  { hash, frame }: Mined,
): Promise<readonly Hex[]> {
  const method = "debug_traceTransaction";
  return await hashedIn(network, { method, params: [hash], frame }).catch(() => []);
}

/** Returns the latest transactions; none where one of them was sent a hash, which no contract derived then. */
async function latestWithout(network: ConnectedNetwork, hash: Hex): Promise<readonly Mined[]> {
  const digits = hash.slice(2).toLowerCase();
  const transactions = await latestTransactions(network);
  const isSent = transactions.some(({ input }) => input.toLowerCase().includes(digits));
  return isSent ? [] : transactions;
}

/** Returns the transactions of the latest blocks, the latest first. */
async function latestTransactions(network: ConnectedNetwork): Promise<readonly Mined[]> {
  const { provider } = network;
  const first = await firstOwnBlock(network);
  const latest = Number(await provider.request({ method: "eth_blockNumber", params: [] }));
  const count = Math.min(latest - first + 1, MAX_BLOCKS);
  const blocks = Array.from({ length: count }, async (_, at): Promise<readonly Mined[]> => {
    const params = [numberToHex(latest - at), true];
    const block = await provider.request({ method: "eth_getBlockByNumber", params });
    const transactions: unknown = isRecord(block) ? block["transactions"] : undefined;
    return Array.isArray(transactions) ? transactions.flatMap(mined).reverse() : [];
  });
  return (await Promise.all(blocks)).flat();
}

function mined(transaction: unknown): readonly Mined[] {
  if (!isRecord(transaction)) return [];
  const { hash, from, to, input, value } = transaction;
  if (!isHex(hash) || typeof input !== "string") return [];
  const target = typeof to === "string" ? to : undefined;
  return [{ hash, frame: { from, to: target, input, value }, input, to: target }];
}
