import type { Memory } from "../memory.js";
import { SMALL_LIMIT, isUnset } from "../words.js";
import { failed } from "./builtin-error.js";

/** Every written cell of a range-check segment must be a felt below 2^bits. */
export function checkRange(memory: Memory, segment: number, used: number, bits: bigint, name: string): void {
  const limit = 1n << bits;
  for (let offset = 0; offset < used; offset += 1) {
    const word = memory.segments.get(segment, offset);
    if ((word >= 0 && word < SMALL_LIMIT) || isUnset(word)) continue;
    if (word < 0 || memory.felt(word, name) >= limit) {
      throw failed(name, `cell ${offset} holds ${memory.show(word)}, which is not below 2^${bits}`);
    }
  }
}
