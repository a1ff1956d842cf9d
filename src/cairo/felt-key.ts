import type { Memory } from "./memory.js";
import { SMALL_LIMIT, type Word } from "./words.js";

/** A felt below 2^50 as a number, any other as a bigint. JavaScript compares the two by value. */
export type Felt = number | bigint;

/** The felt of a word; a pointer or an unset cell is an error named by `what`. */
export function feltOfWord(memory: Memory, word: Word, what: string): Felt {
  return word >= 0 && word < SMALL_LIMIT ? word : memory.felt(word, what);
}

const FACTOR = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;

/**
 * A felt as a key of maps and sets, different for every felt. These hash a bigint by its lowest 64 bits alone, so that
 * packed felts, like an address in the upper half, would all collide.
 */
export function mapKey(felt: Felt): Felt {
  if (typeof felt === "number") return felt;
  const mixed = BigInt.asUintN(256, felt * FACTOR);
  return mixed ^ (mixed >> 192n);
}

/** Felts that are sorted, or merged, in one step. */
const RUN = 16_384;

/** Sorts felts in ascending order, in steps of some milliseconds. */
export function* sortedFelts(felts: readonly Felt[]): Generator<undefined, readonly Felt[]> {
  let runs: (readonly Felt[])[] = [];
  for (let start = 0; start < felts.length; start += RUN) {
    yield;
    runs.push(sortedRun(felts.slice(start, start + RUN)));
  }
  while (runs.length > 1) {
    const merged: (readonly Felt[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergedRuns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Typed arrays sort numbers many times as fast. */
function sortedRun(felts: readonly Felt[]): readonly Felt[] {
  const numbers = Float64Array.from(felts.filter((felt) => typeof felt === "number")).sort();
  const others = felts.filter((felt) => typeof felt === "bigint").sort((a, b) => (a < b ? -1 : 1));
  return [...numbers, ...others];
}

function* mergedRuns(one: readonly Felt[], other: readonly Felt[]): Generator<undefined, readonly Felt[]> {
  const merged: Felt[] = [];
  let [fromOne, fromOther] = [0, 0];
  while (merged.length < one.length + other.length) {
    if (merged.length % RUN === 0) yield;
    const [a, b] = [one[fromOne], other[fromOther]];
    if (a !== undefined && (b === undefined || a < b)) {
      merged.push(a);
      fromOne += 1;
    } else if (b !== undefined) {
      merged.push(b);
      fromOther += 1;
    }
  }
  return merged;
}
