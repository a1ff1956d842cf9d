import type { Address, Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { isSameHex } from "../base/hex.js";
import type { AskedRead } from "../store/failed-read.js";
import { HashedInCall } from "../submission/hashed-in-call.js";
import type { ConnectedNetwork } from "./connected-network.js";
import { firstOwnBlock } from "./own-blocks.js";

/** Gas up to which a call is traced step by step: more gas may be hundreds of thousands of steps. */
const MAX_GAS = 3_000_000n;
/** Bytes up to which what was hashed may be a task. */
const MAX_BYTES = 16_384;
/** Blocks in which the transactions of the contract that asked are looked for, the latest. */
const MAX_BLOCKS = 64;
/** Of those transactions, as many are traced, the latest. */
const MAX_TRACED = 8;

/** How a call or a transaction is traced: with what its steps have on the stack and in memory. */
const STEPS = { enableMemory: true, disableStorage: true } as const;

/** A failed call, as its node traces it again. */
export interface TracedCall {
  readonly method: "debug_traceCall" | "debug_traceTransaction";
  /** What comes before the options. */
  readonly params: readonly unknown[];
  /** Frame of the `callTracer`. */
  readonly frame: unknown;
}

/**
 * Returns what a failed call hashed, and where the asked hash is not among that, what transactions of the contract hashed
 * which asked. Nothing where the node has no such traces, and for calls of much gas.
 */
export async function hashedInCall(
  network: ConnectedNetwork,
  { taskHash, asker }: AskedRead,
  { method, params, frame }: TracedCall,
): Promise<HashedInCall | undefined> {
  if (asker === undefined) return undefined;
  const own = isLong(frame) ? [] : await hashedIn(network, method, params);
  const found = new HashedInCall(own);
  if (found.bytes(taskHash) !== undefined) return found;
  const earlier = await hashedBefore(network, asker, taskHash);
  return new HashedInCall([...own, ...earlier]);
}

function isLong(frame: unknown): boolean {
  const { gasUsed } = isRecord(frame) ? frame : {};
  return typeof gasUsed !== "string" || BigInt(gasUsed) > MAX_GAS;
}

/** Returns what a call or a transaction hashed; nothing where the node does not say it. */
async function hashedIn(
  { provider }: ConnectedNetwork,
  method: TracedCall["method"],
  params: readonly unknown[],
): Promise<readonly Hex[]> {
  const traced = await provider
    .request({ method, params: [...params, STEPS] })
    .catch(() => undefined);
  const steps: unknown = isRecord(traced) ? traced["structLogs"] : undefined;
  return Array.isArray(steps) ? steps.flatMap(hashedBy) : [];
}

/** Returns the bytes of which a step takes the hash; none for another step. */
function hashedBy(step: unknown): readonly Hex[] {
  const { op, stack, memory } = isRecord(step) ? step : {};
  if (op !== "KECCAK256" && op !== "SHA3") return [];
  if (!Array.isArray(stack) || !Array.isArray(memory)) return [];
  const [start, length] = [stack.at(-1), stack.at(-2)].map(numberOf);
  if (start === undefined || length === undefined || length > MAX_BYTES) return [];
  const words: unknown[] = memory;
  const digits = words.map((word) => String(word).replace(/^0x/, "")).join("");
  return [`0x${digits.slice(start * 2, (start + length) * 2).padEnd(length * 2, "0")}`];
}

function numberOf(word: unknown): number {
  return Number(`0x${String(word).replace(/^0x/, "")}`);
}

interface Mined {
  readonly hash: string;
  readonly input: string;
  /** Empty for the creation of a contract. */
  readonly to: string;
}

/**
 * Returns what the latest transactions hashed that made the contract, or were sent to it: it may keep a hash from them. Those
 * with the hash in what they were sent are left out: the contract was given it.
 */
async function hashedBefore(
  network: ConnectedNetwork,
  asker: Address,
  taskHash: Hex,
): Promise<readonly Hex[]> {
  const digits = taskHash.slice(2).toLowerCase();
  const transactions = await latestTransactions(network);
  if (transactions.some(({ input }) => input.toLowerCase().includes(digits))) return [];
  const isOfAsker = ({ to }: Mined): boolean => to === "" || isSameHex(to, asker);
  // Another contract may have made the one that asked.
  const others = transactions.filter((one) => !isOfAsker(one));
  const traced = [...transactions.filter(isOfAsker), ...others]
    .slice(0, MAX_TRACED)
    .map(async ({ hash }) => await hashedIn(network, "debug_traceTransaction", [hash]));
  return (await Promise.all(traced)).flat();
}

/** Returns the transactions of the latest blocks, the latest first. */
async function latestTransactions(network: ConnectedNetwork): Promise<readonly Mined[]> {
  const { provider } = network;
  const first = await firstOwnBlock(network);
  const latest = Number(await provider.request({ method: "eth_blockNumber", params: [] }));
  const count = Math.min(latest - first + 1, MAX_BLOCKS);
  const blocks = Array.from({ length: count }, async (_, at): Promise<readonly Mined[]> => {
    const number = `0x${(latest - at).toString(16)}`;
    const block = await provider.request({
      method: "eth_getBlockByNumber",
      params: [number, true],
    });
    const transactions: unknown = isRecord(block) ? block["transactions"] : undefined;
    return Array.isArray(transactions) ? transactions.flatMap(mined).reverse() : [];
  });
  return (await Promise.all(blocks)).flat();
}

function mined(transaction: unknown): readonly Mined[] {
  const { hash, input, to } = isRecord(transaction) ? transaction : {};
  if (typeof hash !== "string" || typeof input !== "string") return [];
  return [{ hash, input, to: typeof to === "string" ? to : "" }];
}
