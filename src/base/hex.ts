import type { Hex } from "viem";

/** Returns hex text in lower case, its prefix included. */
export function lowerCase(hex: string): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

/** Returns a uint256 as 32 bytes. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

const HALF = 2n ** 128n;

/** Returns the low and high 128 bits of a 32-byte word: Starknet's form of a u256. */
export function splitWord(word: Hex): { readonly low: bigint; readonly high: bigint } {
  const value = BigInt(word);
  return { low: value % HALF, high: value / HALF };
}

/** Returns the word of a u256's two felts; undefined if they are not a u256. */
export function joinWord(felts: readonly string[]): { readonly word: Hex; readonly value: bigint } | undefined {
  const [low, high] = felts.map(BigInt);
  if (felts.length !== 2 || low === undefined || high === undefined) return undefined;
  if (low < 0n || high < 0n || low >= HALF || high >= HALF) return undefined;
  const value = high * HALF + low;
  return { word: toWord(value), value };
}
