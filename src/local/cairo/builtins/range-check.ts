import type { Memory } from "../memory.js";
import { SMALL_LIMIT, isUnset } from "../words.js";
import { failed } from "./builtin-error.js";

/** Every written cell of a range-check segment must be a felt below 2^bits. */
export function checkRange(memory: Memory, segment: number, used: number, bits: bigint, name: string): void {
  const cells = memory.segments[segment] ?? [];
  for (let offset = 0; offset < used; offset += 1) {
    const word = cells[offset] ?? NaN;
    if ((word >= 0 && word < SMALL_LIMIT) || isUnset(word)) continue;
    if (word < 0 || memory.felt(word, name) >> bits !== 0n) {
      throw failed(name, `cell ${offset} holds ${memory.show(word)}, which is not below 2^${bits}`);
    }
  }
}
