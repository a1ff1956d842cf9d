import type { Memory } from "../memory.js";
import { isPointer, isUnset, pointer, segmentOf, type Word } from "../words.js";
import { failed } from "./builtin-error.js";

const CELLS = 3;

/** Starts the segment arena: (segment of dictionary infos, dictionaries opened, dictionaries squashed). */
export function openSegmentArena(memory: Memory, segment: number): Word {
  const infos = pointer(memory.addSegment(), 0);
  [infos, 0, 0].forEach((word, index) => {
    memory.store(pointer(segment, index), word);
  });
  return pointer(segment, CELLS);
}

/**
 * Every dictionary opened must be squashed, and its info must name a real range; otherwise its reads prove nothing.
 *
 * Infos are (start, end, index of squashing); all entries of the arena share the info segment.
 */
export function checkSegmentArena(memory: Memory, segment: number, end: number): void {
  const infos = memory.load(pointer(segment, 0));
  const last = (index: number): Word => memory.load(pointer(segment, end - CELLS + index));
  if (last(0) !== infos) throw failed("segment_arena", "its infos moved to another segment");
  const opened = memory.felt(last(1), "the number of dictionaries");
  if (memory.felt(last(2), "the number of squashed dictionaries") !== opened) {
    throw failed("segment_arena", `${opened} dictionaries were opened but not all of them squashed`);
  }
  const squashed = new Set<bigint>();
  for (let index = 0; index < Number(opened); index += 1) {
    const info = infos - index * CELLS;
    const start = memory.load(info);
    const stop = memory.load(info - 1);
    const known = isPointer(start) && isPointer(stop) && segmentOf(start) === segmentOf(stop) && !isUnset(stop);
    if (!known || stop > start) throw failed("segment_arena", `dictionary ${index} has no valid range`);
    squashed.add(memory.felt(memory.load(info - 2), "the order of squashing"));
  }
  if (squashed.size !== Number(opened)) throw failed("segment_arena", "two dictionaries share one place of squashing");
}
