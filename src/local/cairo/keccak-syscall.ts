import { keccakP } from "@noble/hashes/sha3.js";

const WORDS_PER_BLOCK = 17;
const STATE_WORDS = 25;

/** Whether the words are whole blocks, which the system call asks for. */
export function isWholeBlocks(words: readonly bigint[]): boolean {
  return words.length % WORDS_PER_BLOCK === 0;
}

/**
 * The sponge of Keccak-256 over blocks of 17 words of 64 bits that the caller has padded.
 *
 * @returns the first 256 bits of the state as low and high half, in the order of the words
 */
export function absorbKeccak(words: readonly bigint[]): { readonly low: bigint; readonly high: bigint } {
  const state = new BigUint64Array(STATE_WORDS);
  const halves = new Uint32Array(state.buffer);
  for (let start = 0; start < words.length; start += WORDS_PER_BLOCK) {
    for (let index = 0; index < WORDS_PER_BLOCK; index += 1) {
      state[index] = (state[index] ?? 0n) ^ (words[start + index] ?? 0n);
    }
    keccakP(halves);
  }
  const [a = 0n, b = 0n, c = 0n, d = 0n] = state;
  return { low: (b << 64n) + a, high: (d << 64n) + c };
}
