import type { Hex } from "viem";

import { KECCAK_WASM } from "./generated/keccak-wasm.js";
import { instantiate } from "./wasm.js";

interface KeccakModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  permute(): void;
  /** Adds `blocks` blocks of RATE bytes from an address to the state, permuting it after each. */
  absorb(at: number, blocks: number): void;
}

/** Address of the module's input, after its state and constants (scripts/wasm/keccak.wat). */
const INPUT_AT = 512;
const RATE = 136;
const DIGEST = 32;
const STATE = 200;

// WebAssembly: ten times as fast as the script libraries, and hashing is most of what checking a read costs.
const keccak = instantiate(KECCAK_WASM) as KeccakModule;
const memory = Buffer.from(keccak.memory.buffer);
const state = memory.subarray(0, STATE);
const lanes = new BigUint64Array(keccak.memory.buffer, 0, STATE / 8);
/** The same memory as a Uint8Array, which is filled in a fraction of the time of a Buffer. */
const cells = new Uint8Array(keccak.memory.buffer);
const input = memory.subarray(INPUT_AT);

/** Bytes absorbed in one call: whole blocks, with room for the padding of the last one. */
export const INPUT_CAPACITY = (Math.floor(input.length / RATE) - 1) * RATE;

/** Returns the Keccak-256 hash of bytes, as hex. */
export function keccak256(bytes: Uint8Array): Hex {
  digest(bytes);
  return `0x${state.toString("hex", 0, DIGEST)}`;
}

/** Returns the Keccak-256 hash of bytes, as 32 bytes. */
export function keccakBytes(bytes: Uint8Array): Uint8Array {
  digest(bytes);
  return Uint8Array.prototype.slice.call(state, 0, DIGEST);
}

/** Applies keccak-f[1600] to 25 lanes, in place. */
export function keccakPermutation(words: BigUint64Array): void {
  lanes.set(words);
  keccak.permute();
  words.set(lanes);
}

function digest(bytes: Uint8Array): void {
  cells.fill(0, 0, STATE);
  let at = 0;
  for (; bytes.length - at > INPUT_CAPACITY; at += INPUT_CAPACITY) {
    input.set(bytes.subarray(at, at + INPUT_CAPACITY));
    keccak.absorb(INPUT_AT, INPUT_CAPACITY / RATE);
  }
  input.set(at === 0 ? bytes : bytes.subarray(at));
  finish(bytes.length - at);
}

/** Pads the input (pad10*1 behind Keccak's 01, without SHA-3's domain bits) and absorbs it. */
function finish(length: number): void {
  const blocks = Math.floor(length / RATE) + 1;
  const end = INPUT_AT + blocks * RATE;
  cells.fill(0, INPUT_AT + length, end);
  cells[INPUT_AT + length] = 0x01;
  // The same byte as above if only one is left.
  cells[end - 1] = (cells[end - 1] ?? 0) ^ 0x80;
  keccak.absorb(INPUT_AT, blocks);
}
