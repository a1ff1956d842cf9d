import type { Hex } from "viem";

/** The prime of the field Starknet computes in: every felt is smaller. */
export const FELT_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

export function isFelt(value: bigint): boolean {
  return value >= 0n && value < FELT_PRIME;
}

/** A felt as the program registry prints it: lower-case hex without leading zeros. */
export function formatFelt(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
