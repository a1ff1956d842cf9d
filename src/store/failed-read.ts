import type { Address, Hex } from "viem";
import { decodeErrorResult, isAddress, isHex, parseAbi } from "viem/utils";

import { isRecord, keysOf } from "../base/collections.js";
import { FAMILIES, type StoreKind } from "./execution-store.js";

/** What a contract asked a store for, and what it was refused for. */
export interface AskedRead {
  readonly taskHash: Hex;
  readonly store: Address;
  /** The contract that asked; none for a call of the store itself. */
  readonly asker?: Address | undefined;
  /** The call of that contract, where the project has compiled it: `FeeAverage.update(6511111110, 0)`. */
  readonly call?: string | undefined;
  /** What was brought, where the task is finalized and the brought value is not its result. */
  readonly brought?: Brought | undefined;
}

/** What a contract compared with a stored word. */
export interface Brought {
  readonly kind: "value" | "root";
  readonly value: bigint;
  /** The stored word. */
  readonly word: Hex;
  /** Numbers of the failed call, of which it may have been made. */
  readonly numbers?: readonly bigint[] | undefined;
}

/** Errors of a store, and of HdpResults, that a read ends with. */
const ERRORS = parseAbi([
  "error NotFinalized()",
  "error WrongValue(bytes32 taskHash, uint256 value, bytes32 word)",
  "error WrongOutput(bytes32 taskHash, bytes32 root, bytes32 word)",
]);

/** Their selectors: `NotFinalized`, `WrongValue`, `WrongOutput`. */
const SELECTORS: readonly string[] = ["0x1bee0d5a", "0x18d35b47", "0x30b31f81"];

/** Returns whether a call reverted with one of the errors that a read ends with. */
export function isFailedRead(revertData: string): revertData is Hex {
  return SELECTORS.includes(revertData.slice(0, 10).toLowerCase());
}

/** The error of `HdpResults` for an account that is no store. */
export const NOT_A_STORE = parseAbi(["error NotAStore(address store)"]);
const NOT_A_STORE_SELECTOR = "0x2fbbe55b";

/** Returns the account that `HdpResults` found to be no store, from the data of a revert; undefined for another error. */
export function refusedStore(revertData: Hex): Address | undefined {
  if (!revertData.toLowerCase().startsWith(NOT_A_STORE_SELECTOR)) return undefined;
  return decodeErrorResult({ abi: NOT_A_STORE, data: revertData }).args[0];
}

/** Returns the account that `HdpResults` found to be no store, from a frame of the `callTracer` that ended with its error. */
export function refusedStoreOf(frame: unknown): Address | undefined {
  const { error, output } = isRecord(frame) ? frame : {};
  return error !== undefined && isHex(output) ? refusedStore(output) : undefined;
}

/**
 * Returns the data with which a frame of the `callTracer`, or the last frame below it, reverted for a failed read; undefined
 * where none did.
 */
export function failedReadOutput(frame: unknown): Hex | undefined {
  if (!isRecord(frame)) return undefined;
  const { calls, error, output } = frame;
  if (error !== undefined && isHex(output) && isFailedRead(output)) return output;
  return Array.isArray(calls)
    ? calls.map(failedReadOutput).findLast((found) => found !== undefined)
    : undefined;
}

/** A call of a store's result, in the trace of a transaction. */
interface StoreCall {
  readonly store: Address;
  /** The kind of store that has the called function. */
  readonly kind: StoreKind;
  readonly taskHash: Hex;
  readonly asker: Address | undefined;
  readonly output: string;
}

/** Kinds of stores by the selectors of their result functions. */
const KINDS: ReadonlyMap<string, StoreKind> = new Map(
  keysOf(FAMILIES).map((kind) => [FAMILIES[kind].result.selector, kind]),
);

/**
 * Returns what a reverted call asked a store for, from its frame of the `callTracer`, or from the call alone where it calls
 * the store itself. Undefined where no call of a store ended in this way.
 */
export function askedRead(frame: unknown, revertData: Hex): AskedRead | undefined {
  const error = decodeErrorResult({ abi: ERRORS, data: revertData });
  const calls = storeCalls(frame, true);
  if (error.errorName === "NotFinalized") {
    const call = calls.findLast(({ output }) => output === "" || output === revertData);
    return call && { store: call.store, taskHash: call.taskHash, asker: call.asker };
  }
  const [taskHash, value, word] = error.args;
  const call = calls.findLast((one) => one.taskHash === taskHash);
  const kind = error.errorName === "WrongValue" ? "value" : "root";
  const given = new Set(calldataNumbers(frame));
  given.delete(BigInt(taskHash));
  const numbers = [...given].slice(0, MAX_NUMBERS);
  const brought = { kind, value: BigInt(value), word, numbers } as const;
  return call && { store: call.store, taskHash, asker: call.asker, brought };
}

/** Numbers of a failed call, the first. */
const MAX_NUMBERS = 32;
/** Characters of calldata before its arguments. */
const SELECTOR_AND_PREFIX = 10;
const WORD_DIGITS = /[0-9a-f]{64}/gi;

/** Returns the words of the arguments of the calls in a frame, those of the outermost first. Code of a deployment is none. */
function calldataNumbers(frame: unknown): readonly bigint[] {
  if (!isRecord(frame)) return [];
  const { calls, type, input } = frame;
  const isCall = isHex(input) && !String(type).startsWith("CREATE");
  const words = isCall ? (input.slice(SELECTOR_AND_PREFIX).match(WORD_DIGITS) ?? []) : [];
  const below = Array.isArray(calls) ? calls.flatMap(calldataNumbers) : [];
  return [...words.map((word) => BigInt(`0x${word}`)), ...below];
}

/** Returns the calls of results below a frame in their order. A store behind a proxy is the proxy. */
function storeCalls(frame: unknown, isFirst: boolean): readonly StoreCall[] {
  if (!isRecord(frame)) return [];
  const { calls, type } = frame;
  const own = type === "DELEGATECALL" ? undefined : storeCall(frame, isFirst);
  const below = Array.isArray(calls) ? calls.flatMap((one) => storeCalls(one, false)) : [];
  return own === undefined ? below : [...below, own];
}

/** A call of a result function that a store did not answer. */
interface UnansweredRead {
  readonly store: Address;
  readonly asker: Address;
  /** The kind of store that has the called function. */
  readonly kind: StoreKind;
}

/** Returns the last call of a result below a frame that reverted without data: the store has no such function. */
export function unansweredRead(frame: unknown): UnansweredRead | undefined {
  const calls = storeCalls(frame, true).filter(({ output }) => output === "" || output === "0x");
  const last = calls.at(-1);
  if (last?.asker === undefined) return undefined;
  const { store, asker, kind } = last;
  return { store, asker, kind };
}

function storeCall(
  { from, to, input, data, output }: Readonly<Record<string, unknown>>,
  isFirst: boolean,
): StoreCall | undefined {
  const calldata = input ?? data;
  if (!isHex(calldata) || calldata.length !== 74) return undefined;
  const kind = KINDS.get(calldata.slice(0, 10).toLowerCase());
  if (kind === undefined) return undefined;
  if (typeof to !== "string" || !isAddress(to, { strict: false })) return undefined;
  const isContract = !isFirst && typeof from === "string" && isAddress(from, { strict: false });
  return {
    store: to,
    kind,
    taskHash: `0x${calldata.slice(10).toLowerCase()}`,
    asker: isContract ? from : undefined,
    output: typeof output === "string" ? output.toLowerCase() : "",
  };
}
