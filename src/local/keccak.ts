import type { Hex } from "viem";
import { keccak256 as viemKeccak256 } from "viem";

export function keccak256(bytes: Uint8Array): Hex {
  return viemKeccak256(bytes);
}

export function keccakBytes(bytes: Uint8Array): Uint8Array {
  return viemKeccak256(bytes, "bytes");
}
