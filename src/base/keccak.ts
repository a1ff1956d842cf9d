import type { Hex } from "viem";

import { KECCAK_WASM } from "./generated/keccak-wasm.js";
import { instantiate } from "./wasm.js";

interface KeccakModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  permute(): void;
  /** Adds `blocks` blocks of RATE bytes from an address to the state, permuting it after each. */
  absorb(at: number, blocks: number): void;
  /** Decodes parts of 16 hex digits into 8 bytes each. Returns 0 if all of them are lower-case digits. */
  unhex(from: number, to: number, parts: number): number;
}

/** Address of the module's input, after its state and constants (scripts/wasm/keccak.wat). */
const INPUT_AT = 512;
const RATE = 136;
const DIGEST = 32;
const STATE = 200;
const ZERO = 0x30;

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

/** Digits decoded in one call. The memory after the decoded bytes has room for as many. */
const PART = 16;
const MAX_DIGITS = 2 * PART * Math.floor(INPUT_CAPACITY / 3 / PART);
const text = input.subarray(input.length - MAX_DIGITS);
const TEXT_AT = text.byteOffset;

/** Returns keccak256 of hex text; `undefined` unless it is 0x and an even number of lower-case digits, up to 40,000. */
export function keccakOfHex(hex: Hex): Hex | undefined {
  const length = read(hex);
  if (length === undefined) return undefined;
  finish(length);
  return `0x${state.toString("hex", 0, DIGEST)}`;
}

/** Returns the bytes of hex text (as in {@link keccakOfHex}) if their keccak256 is `hash`, otherwise `undefined`. */
export function hashedBytes(hex: unknown, hash: Uint8Array): Uint8Array | undefined {
  const length = typeof hex === "string" ? read(hex) : undefined;
  if (length === undefined) return undefined;
  const bytes = Uint8Array.prototype.slice.call(input, 0, length);
  finish(length);
  return state.compare(hash, 0, hash.length, 0, DIGEST) === 0 ? bytes : undefined;
}

function read(hex: string): number | undefined {
  const { length } = hex;
  if (length > MAX_DIGITS - PART || length % 2 !== 0 || !hex.startsWith("0x")) return undefined;
  if (text.write(hex, 0, "utf8") !== length) return undefined;
  cells.fill(ZERO, TEXT_AT + length, TEXT_AT + length + PART);
  if (length > 2 && keccak.unhex(TEXT_AT + 2, INPUT_AT, Math.ceil((length - 2) / PART)) !== 0) return undefined;
  cells.fill(0, 0, STATE);
  return length / 2 - 1;
}

export function keccak256(bytes: Uint8Array): Hex {
  digest(bytes);
  return `0x${state.toString("hex", 0, DIGEST)}`;
}

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
