import type { Address, Hex } from "viem";
import { isHex, numberToHex, size } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { isSameHex } from "../base/hex.js";
import { hashedBySteps } from "../chain/hashed-steps.js";
import type { AskedRead } from "../store/failed-read.js";
import { HashedInCall } from "../submission/hashed-in-call.js";
import type { ConnectedNetwork } from "./connected-network.js";
import { firstOwnBlock } from "./own-blocks.js";
import { type TracedCall, tracedTransaction } from "./traced-call.js";

/** Gas of steps up to which a call is traced step by step, some 50,000 steps of a loop: a million gas takes seconds, and gigabytes. */
const MAX_GAS = 200_000;
/** Gas up to which the calls of a transaction are traced, without that of its data: a loop of ten times as much takes a second. */
const MAX_GAS_OF_CALLS = 1_000_000;
/** Gas of a transaction, of each byte of its data (of zeros less), of a creation, and of each byte of deployed code. */
const GAS = { transaction: 21_000, byte: 16, zero: 4, creation: 32_000, code: 200 } as const;
/** Blocks in which the transactions of the contract that asked are looked for, the latest. */
const MAX_BLOCKS = 64;
/** Of those transactions, as many are traced, the latest. */
const MAX_TRACED = 8;
/** Transactions that are traced where the contract is not known, the latest. */
const MAX_OF_ANY = 64;

/** What a step of a trace has: its stack alone. */
const STEPS = { disableStorage: true, disableMemory: true } as const;

interface HashedInCallOptions {
  readonly traced: TracedCall;
  /** Returns whether no more is to be traced. */
  readonly isOver: () => boolean;
}

/**
 * Returns what a failed call hashed, and where the asked hash is not among that, what transactions of the contract hashed
 * which asked. Nothing where the node has no such traces, and of calls of much gas.
 */
export async function hashedInCall(
  network: ConnectedNetwork,
  { taskHash, asker }: AskedRead,
  { traced, isOver }: HashedInCallOptions,
): Promise<HashedInCall | undefined> {
  if (asker === undefined) return undefined;
  const all = [...(await hashedIn(network, traced))];
  let found = new HashedInCall(all);
  if (found.bytes(taskHash) !== undefined) return found;
  // Blocks of live chains are large, and no transaction of the project is likely to be in the latest.
  if (!(await network.isDevelopment())) return found;
  for (const hash of await transactionsOf(network, asker, taskHash)) {
    if (isOver()) break;
    all.push(...(await hashedInTransaction(network, hash)));
    found = new HashedInCall(all);
    if (found.bytes(taskHash) !== undefined) break;
  }
  return found;
}

/**
 * Returns what the transaction hashed that hashed a task, of the latest of a development chain: a contract may have kept the
 * hash, or asked a store for it. Undefined where none did, or one was sent the hash.
 */
export async function hashedOnChain(
  network: ConnectedNetwork,
  taskHash: Hex,
  isOver: () => boolean,
): Promise<HashedInCall | undefined> {
  const transactions = await latestWithout(network, taskHash);
  for (const { hash } of transactions.slice(0, MAX_OF_ANY)) {
    if (isOver()) return undefined;
    const hashed = new HashedInCall(await hashedInTransaction(network, hash));
    if (hashed.bytes(taskHash) !== undefined) return hashed;
  }
  return undefined;
}

/** Returns the gas that the steps of a call, and of the calls below it, took; without end where the node does not say it. */
function gasOfSteps(frame: unknown): number {
  const { gasUsed, input, type } = isRecord(frame) ? frame : {};
  if (!isHex(gasUsed) || !isHex(input)) return Infinity;
  const bytes = Buffer.from(input.slice(2), "hex");
  const sent = bytes.reduce((gas, byte) => gas + (byte === 0 ? GAS.zero : GAS.byte), 0);
  const creation = type === "CREATE" ? GAS.creation : 0;
  return Number(gasUsed) - GAS.transaction - creation - sent - gasOfCode(frame);
}

/** Returns the gas of the code that a call, and the calls below it, deployed. */
function gasOfCode(frame: unknown): number {
  if (!isRecord(frame)) return 0;
  const { type, output, error, calls } = frame;
  const isCreation = String(type).startsWith("CREATE") && error === undefined;
  const own = isCreation && isHex(output) ? GAS.code * size(output) : 0;
  const below = Array.isArray(calls) ? calls.map(gasOfCode) : [];
  return below.reduce((gas, one) => gas + one, own);
}

/** Returns what a call or a transaction hashed; nothing where the node does not say it. */
async function hashedIn(
  network: ConnectedNetwork,
  { method, params, frame }: TracedCall,
): Promise<readonly Hex[]> {
  if (gasOfSteps(frame) > MAX_GAS) return [];
  const { from, to, gasUsed, input, value, type } = isRecord(frame) ? frame : {};
  if (!isHex(input)) return [];
  const sent = { input, isCreation: type === "CREATE" };
  const steps = await stepsOf(network, method, params);
  if (steps.length > 0 || method === "debug_traceCall") return hashedBySteps(steps, sent);
  // Anvil keeps no steps of transactions: what one did is called again before its block. Calls below it need some more
  // gas than they use. That of a block would be too much for a loop.
  const gas = numberToHex(Number(gasUsed) * 2);
  const call = { from, to: sent.isCreation ? undefined : to, gas, data: input, value };
  const before = await blockBefore(network, params[0]);
  return hashedBySteps(await stepsOf(network, "debug_traceCall", [call, before]), sent);
}

/** Returns the steps of a call; none where the node has no such traces. */
async function stepsOf(
  { provider }: ConnectedNetwork,
  method: TracedCall["method"],
  params: readonly unknown[],
): Promise<readonly unknown[]> {
  const traced = await provider
    .request({ method, params: [...params, STEPS] })
    .catch(() => undefined);
  const steps: unknown = isRecord(traced) ? traced["structLogs"] : undefined;
  return Array.isArray(steps) ? (steps as readonly unknown[]) : [];
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
  readonly input: Hex;
  /** Undefined for the creation of a contract. */
  readonly to: string | undefined;
  /** Gas of its block. */
  readonly gas: number;
}

/** Returns the latest transactions that made the contract, or were sent to it: it may keep a hash from them. */
async function transactionsOf(
  network: ConnectedNetwork,
  asker: Address,
  taskHash: Hex,
): Promise<readonly Hex[]> {
  const transactions = await latestWithout(network, taskHash);
  const isOfAsker = ({ to }: Mined): boolean => to === undefined || isSameHex(to, asker);
  // Another contract may have made the one that asked.
  const others = transactions.filter((one) => !isOfAsker(one));
  const likely = [...transactions.filter(isOfAsker), ...others].slice(0, MAX_TRACED);
  return likely.map(({ hash }) => hash);
}

/** Returns the latest transactions; none where one of them was sent a hash, which no contract derived then. */
async function latestWithout(network: ConnectedNetwork, hash: Hex): Promise<readonly Mined[]> {
  const digits = hash.slice(2).toLowerCase();
  const transactions = await latestTransactions(network);
  const isSent = transactions.some(({ input }) => input.toLowerCase().includes(digits));
  return isSent ? [] : transactions.filter(isShort);
}

/** Returns whether a transaction is short enough to be traced, as far as its block says it. */
function isShort({ to, input, gas }: Mined): boolean {
  // What is made has about the size of what makes it.
  const ofByte = GAS.byte + (to === undefined ? GAS.code : 0);
  return gas - ofByte * size(input) <= MAX_GAS_OF_CALLS;
}

/** Returns what a transaction hashed; nothing where the node does not say it. */
async function hashedInTransaction(network: ConnectedNetwork, hash: Hex): Promise<readonly Hex[]> {
  const traced = await tracedTransaction(network, hash).catch(() => undefined);
  return traced === undefined ? [] : await hashedIn(network, traced).catch(() => []);
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
    const { transactions, gasUsed } = isRecord(block) ? block : {};
    const all: readonly unknown[] = Array.isArray(transactions) ? transactions : [];
    return all.flatMap((one) => mined(one, Number(gasUsed))).reverse();
  });
  return (await Promise.all(blocks)).flat();
}

function mined(transaction: unknown, gas: number): readonly Mined[] {
  if (!isRecord(transaction)) return [];
  const { hash, to, input } = transaction;
  if (!isHex(hash) || !isHex(input)) return [];
  return [{ hash, input, to: typeof to === "string" ? to : undefined, gas }];
}
