import { createKeccak } from "hash-wasm";
import type { Hex } from "viem";

/** WebAssembly: more than ten times as fast as the script libraries, and hashing is most of what checking a read costs. */
const hasher = await createKeccak(256);

/** keccak256, as hex. */
export function keccak256(bytes: Uint8Array): Hex {
  return `0x${hasher.init().update(bytes).digest("hex")}`;
}

/** keccak256, as 32 bytes. */
export function keccakBytes(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest("binary");
}
