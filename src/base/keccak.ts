import type { Hex } from "viem";

import { INPUT_AT, KECCAK_WASM } from "./keccak-wasm.js";

interface KeccakModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  permute(): void;
  /** Adds `blocks` blocks of RATE bytes from an address to the state, permuting it after each. */
  absorb(at: number, blocks: number): void;
}

/** Node has it; the type libraries declare it for browsers only. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: KeccakModule };
};

const RATE = 136;
const DIGEST = 32;
const STATE = 200;

// WebAssembly: ten times as fast as the script libraries, and hashing is most of what checking a read costs.
const { exports: keccak } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KECCAK_WASM, "base64")));
const memory = Buffer.from(keccak.memory.buffer);
const state = memory.subarray(0, STATE);
const lanes = new BigUint64Array(keccak.memory.buffer, 0, STATE / 8);
const input = memory.subarray(INPUT_AT);

/** Bytes that `keccakInput` takes: whole blocks, with room for the padding of the last one. */
export const INPUT_CAPACITY = (Math.floor(input.length / RATE) - 1) * RATE;

/**
 * Where text that is about to be hashed can be written without a buffer of its own: write from the start, then call
 * `keccakOfInput` before anything else is hashed.
 */
export const keccakInput = input.subarray(0, INPUT_CAPACITY);

/** keccak256 of the first bytes of `keccakInput`, as hex. What is there afterwards is of no meaning. */
export function keccakOfInput(length: number): Hex {
  state.fill(0);
  finish(length);
  return `0x${state.toString("hex", 0, DIGEST)}`;
}

/** keccak256, as hex. */
export function keccak256(bytes: Uint8Array): Hex {
  digest(bytes);
  return `0x${state.toString("hex", 0, DIGEST)}`;
}

/** keccak256, as 32 bytes. */
export function keccakBytes(bytes: Uint8Array): Uint8Array {
  digest(bytes);
  return Uint8Array.prototype.slice.call(state, 0, DIGEST);
}

/** keccak-f[1600] over 25 lanes, in place. */
export function keccakPermutation(words: BigUint64Array): void {
  lanes.set(words);
  keccak.permute();
  words.set(lanes);
}

function digest(bytes: Uint8Array): void {
  state.fill(0);
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
  input.fill(0, length, blocks * RATE);
  input[length] = (input[length] ?? 0) ^ 0x01;
  const last = blocks * RATE - 1;
  input[last] = (input[last] ?? 0) ^ 0x80;
  keccak.absorb(INPUT_AT, blocks);
}
