import type { Hex } from "viem";

/** A uint256 as the 32 bytes that are stored. */
export function toWord(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
