import type { Hex } from "viem";
import { hexToBytes } from "viem/utils";

const WORD_BYTES = 8;

/**
 * Code of an account as the data processor hands it over: whole little-endian words of 64 bits with their count in
 * front, then the word of the remaining bytes and how many these are. It is the form that the keccak of Cairo's core
 * library takes.
 */
export function bytecodeFelts(code: Hex): readonly bigint[] {
  const bytes = hexToBytes(code);
  const whole = Math.floor(bytes.length / WORD_BYTES);
  const padded = new Uint8Array((whole + 1) * WORD_BYTES);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const words = Array.from({ length: whole + 1 }, (_, index) => view.getBigUint64(index * WORD_BYTES, true));
  return [BigInt(whole), ...words, BigInt(bytes.length % WORD_BYTES)];
}
