import type { Hex } from "viem";

/** Hex text in lower case; the prefix too. */
export function lowerCase(hex: string): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** A uint256 as the 32 bytes that are stored. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

const HALF = 2n ** 128n;

/** The low and high 128 bits of a 32-byte word: how contracts of the processor and Starknet take a u256. */
export function splitWord(word: Hex): { readonly low: bigint; readonly high: bigint } {
  const value = BigInt(word);
  return { low: value % HALF, high: value / HALF };
}

/** The word two felts stand for, or undefined when they are no u256. */
export function joinWord(felts: readonly string[]): { readonly word: Hex; readonly value: bigint } | undefined {
  const [low, high] = felts.map(BigInt);
  if (felts.length !== 2 || low === undefined || high === undefined) return undefined;
  if (low < 0n || high < 0n || low >= HALF || high >= HALF) return undefined;
  const value = high * HALF + low;
  return { word: `0x${value.toString(16).padStart(64, "0")}`, value };
}
