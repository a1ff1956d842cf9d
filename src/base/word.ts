import type { Hex } from "viem";

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
