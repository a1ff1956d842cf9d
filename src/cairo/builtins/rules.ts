import {
  inconsistent,
  inverseFelt,
  isPointer,
  isUnset,
  pointer,
  PRIME,
  segmentOf,
  SMALL_LIMIT,
  toFelt,
  type Word,
} from "../words.js";
import type { Memory } from "../memory.js";
import type { HdpError } from "../../errors/hdp-error.js";

/** Returns HDP-7108: a builtin's memory is invalid, so that the run cannot be proven. */
export function failed(builtin: string, problem: string): HdpError {
  return inconsistent(`builtin ${builtin}: ${problem}`);
}

/** The curve y² = x³ + x + BETA of Starknet. */
export const CURVE_BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;
/** Rounds of the builtin's ladder, whatever the scalar. */
const ROUNDS = 256;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

function isOnCurve({ x, y }: Point): boolean {
  return toFelt(y * y - (x * x * x + x + CURVE_BETA)) === 0n;
}

function along(slope: bigint, from: Point, other: bigint): Point {
  const x = toFelt(slope * slope - from.x - other);
  return { x, y: toFelt(slope * (from.x - x) - from.y) };
}

function add(left: Point, right: Point): Point {
  const slope = ((left.y - right.y) * inverseFelt(toFelt(left.x - right.x))) % PRIME;
  return along(slope, left, right.x);
}

function double(point: Point): Point {
  const slope = ((3n * point.x * point.x + 1n) * inverseFelt(toFelt(2n * point.y))) % PRIME;
  return along(slope, point, point.x);
}

/** P + m·Q as the builtin computes it, by doublings of Q. It has no rule for points of equal x coordinate. */
export function ecOp([px = 0n, py = 0n, qx = 0n, qy = 0n, m = 0n]: readonly bigint[]): readonly bigint[] {
  let sum: Point = { x: px, y: py };
  let power: Point = { x: qx, y: qy };
  for (const point of [sum, power]) {
    if (!isOnCurve(point)) throw failed("ec_op", `(${point.x}, ${point.y}) is not a point of the curve`);
  }
  for (let round = 0, rest = m; round < ROUNDS; round += 1, rest >>= 1n) {
    if (sum.x === power.x) throw failed("ec_op", "two points of the ladder have the same x coordinate");
    if ((rest & 1n) === 1n) sum = add(sum, power);
    power = double(power);
  }
  return [sum.x, sum.y];
}

export function bitwise(inputs: readonly bigint[]): readonly bigint[] {
  for (const input of inputs) {
    if (input >> 251n !== 0n) throw failed("bitwise", `the input ${input} has more than 251 bits`);
  }
  const [left = 0n, right = 0n] = inputs;
  return [left & right, left ^ right, left | right];
}

/** Cells between two steps: quick ones. */
const STEP = 0xfff;

/** Every written cell of a range-check segment must be a felt below 2^bits. */
export function* checkRange(
  name: string,
  bits: bigint,
  memory: Memory,
  segment: number,
  used: number,
): Generator<undefined> {
  const limit = 1n << bits;
  for (let offset = 0; offset < used; offset += 1) {
    if ((offset & STEP) === 0) yield;
    const word = memory.segments.get(segment, offset);
    if ((word >= 0 && word < SMALL_LIMIT) || isUnset(word)) continue;
    if (word < 0 || memory.felt(word, name) >= limit) {
      throw failed(name, `cell ${offset} holds ${memory.show(word)}, which is not below 2^${bits}`);
    }
  }
}

const CELLS = 3;

/** Starts the segment arena: (segment of dictionary infos, dictionaries opened, dictionaries squashed). */
export function openSegmentArena(memory: Memory, segment: number): Word {
  const infos = pointer(memory.addSegment(), 0);
  [infos, 0, 0].forEach((word, index) => {
    memory.store(pointer(segment, index), word);
  });
  return pointer(segment, CELLS);
}

/** Every opened dictionary must be squashed, its info (start, end, order of squashing) a range; or reads prove none. */
export function checkSegmentArena(memory: Memory, segment: number, end: number): void {
  const infos = memory.load(pointer(segment, 0));
  const last = (index: number): Word => memory.load(pointer(segment, end - CELLS + index));
  if (last(0) !== infos) throw failed("segment_arena", "its infos moved to another segment");
  const opened = memory.felt(last(1), "the number of dictionaries");
  if (memory.felt(last(2), "the number of squashed dictionaries") !== opened) {
    throw failed("segment_arena", `${opened} dictionaries were opened but not all of them squashed`);
  }
  const squashed = new Set<string>();
  for (let index = 0; index < Number(opened); index += 1) {
    const info = infos - index * CELLS;
    const start = memory.load(info);
    const stop = memory.load(info - 1);
    const known = isPointer(start) && isPointer(stop) && segmentOf(start) === segmentOf(stop) && !isUnset(stop);
    if (!known || stop > start) throw failed("segment_arena", `dictionary ${index} has no valid range`);
    squashed.add(memory.felt(memory.load(info - 2), "the order of squashing").toString());
  }
  if (squashed.size !== Number(opened)) throw failed("segment_arena", "two dictionaries share one place of squashing");
}
