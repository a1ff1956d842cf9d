import { pedersen } from "@scure/starknet";

import { poseidonPermutation } from "../../base/poseidon.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { Memory } from "../memory.js";
import type { Word } from "../words.js";
import {
  builtinFailure,
  isPointer,
  isUnset,
  pointerOffset,
  pointer,
  quotient,
  pointerSegment,
  SMALL_LIMIT,
  reduceToFelt,
} from "../words.js";
import { checkModulo } from "./modulo.js";

interface Builtin {
  /** Cells of one instance, inputs first. */
  readonly cells: number;
  /** Of a builtin whose other cells follow from its inputs. */
  readonly inputs?: number;
  readonly compute?: (inputs: readonly bigint[]) => readonly bigint[];
  readonly check?: (memory: Memory, segment: number, used: number) => Generator<undefined>;
}

/** Builtins that a class may ask for, in the order of their segments: those with deduced cells first. */
const BUILTINS = {
  pedersen: {
    cells: 3,
    inputs: 2,
    compute: ([left = 0n, right = 0n]) => [BigInt(pedersen(left, right))],
  },
  bitwise: { cells: 5, inputs: 2, compute: bitwise },
  poseidon: {
    cells: 6,
    inputs: 3,
    compute: ([a = 0n, b = 0n, c = 0n]) => poseidonPermutation([a, b, c]),
  },
  ec_op: { cells: 7, inputs: 5, compute: ecOp },
  range_check: { cells: 1, check: (...cells) => checkRange("range_check", 128n, ...cells) },
  range_check96: { cells: 1, check: (...cells) => checkRange("range_check96", 96n, ...cells) },
  add_mod: { cells: 7, check: (...cells) => checkModulo("add_mod", ...cells) },
  mul_mod: { cells: 7, check: (...cells) => checkModulo("mul_mod", ...cells) },
  segment_arena: { cells: 3 },
} as const satisfies Readonly<Record<string, Builtin>>;
/** Names of the builtins that the machine has. */
export const BUILTIN_NAMES = Object.keys(BUILTINS);

interface BuiltinSegment extends Builtin {
  readonly name: string;
  readonly segment: number;
  /** Instances whose outputs were computed here, and so hold: memory is written once. */
  readonly known: boolean[];
}

/** The builtins of a run, each with a memory segment: checks written cells and deduces those that a builtin fills. */
export class BuiltinSet {
  /** Segments from this one on are never deduced. */
  public readonly firstPlainSegment: number;
  readonly #memory: Memory;
  readonly #builtins: readonly BuiltinSegment[];
  /** Those with deduced cells, by segment. */
  readonly #deduced: (BuiltinSegment | undefined)[] = [];

  public constructor(memory: Memory) {
    this.#memory = memory;
    this.#builtins = Object.entries<Builtin>(BUILTINS).map(([name, builtin]) => {
      return { ...builtin, name, segment: memory.segments.add(), known: [] };
    });
    for (const builtin of this.#builtins) {
      if (builtin.compute !== undefined) this.#deduced[builtin.segment] = builtin;
    }
    this.firstPlainSegment = this.#deduced.length;
  }

  /** Returns the pointers that an entry point expects for its builtins, in its order. */
  public initialPointers(names: readonly string[]): Word[] {
    return names.map((name) => {
      const builtin = this.#builtins.find((known) => known.name === name);
      if (builtin === undefined) {
        throw hdpError("HDP-7106", {
          feature: `the builtin "${name}"`,
          supported: BUILTIN_NAMES.join(", "),
        });
      }
      const { segment } = builtin;
      return name === "segment_arena"
        ? openSegmentArena(this.#memory, segment)
        : pointer(segment, 0);
    });
  }

  /** Returns the value of the unset cell at a pointer if the cells before it determine it, otherwise NaN. */
  public deduce(at: Word): Word {
    return isPointer(at) ? this.deduceAt(pointerSegment(at), pointerOffset(at)) : NaN;
  }

  public deduceAt(segment: number, offset: number): Word {
    const builtin = this.#deduced[segment];
    if (builtin === undefined || this.isInput(segment, offset)) return NaN;
    const start = offset - (offset % builtin.cells);
    const outputs = computeOutputs(this.#memory, builtin, start);
    if (outputs === undefined) return NaN;
    // All outputs are written at once: a hash with several is computed once.
    outputs.forEach((output, index) =>
      this.#memory.store(outputAt(builtin, start, index), this.#memory.word(output)),
    );
    builtin.known[start / builtin.cells] = true;
    return this.#memory.load(pointer(segment, offset));
  }

  /** Returns whether programs write the cell, in a segment with deduced cells. */
  public isInput(segment: number, offset: number): boolean {
    const builtin = this.#deduced[segment];
    return builtin?.inputs !== undefined && offset % builtin.cells < builtin.inputs;
  }

  /** Checks all builtin memory at the end, in steps: ranges, deduced cells, and that returned pointers cover it. */
  public *verify(returned: ReadonlyMap<string, Word>): Generator<undefined> {
    const memory = this.#memory;
    for (const builtin of this.#builtins) {
      const { name, segment, cells } = builtin;
      const used = memory.segments.usedLength(segment);
      if (builtin.compute !== undefined) yield* verifyDeduced(memory, builtin, used);
      else if (builtin.check !== undefined) yield* builtin.check(memory, segment, used);
      const end = returned.get(name);
      if (end === undefined) {
        if (used > 0)
          throw builtinFailure(name, "its cells were written by a run that does not declare it");
        continue;
      }
      if (
        !isPointer(end) ||
        pointerSegment(end) !== segment ||
        pointerOffset(end) % cells !== 0 ||
        pointerOffset(end) < used
      ) {
        throw builtinFailure(
          name,
          `the returned pointer ${memory.show(end)} does not cover the ${used} cells in use`,
        );
      }
      if (name === "segment_arena") checkSegmentArena(memory, segment, pointerOffset(end));
    }
  }
}

/** Returns the outputs of the instance at an offset; undefined while an input is unset. */
function computeOutputs(
  memory: Memory,
  builtin: BuiltinSegment,
  start: number,
): readonly bigint[] | undefined {
  const { segment, inputs = 0, compute } = builtin;
  const felts: bigint[] = [];
  for (let index = 0; index < inputs; index += 1) {
    const word = memory.load(pointer(segment, start + index));
    if (isUnset(word)) return undefined;
    felts.push(memory.felt(word, `input ${index} of a builtin`));
  }
  return compute?.(felts);
}

function outputAt({ segment, inputs = 0 }: BuiltinSegment, start: number, index: number): Word {
  return pointer(segment, start + inputs + index);
}

function* verifyDeduced(
  memory: Memory,
  builtin: BuiltinSegment,
  used: number,
): Generator<undefined> {
  const { name, cells, known } = builtin;
  for (let start = 0; start < used; start += cells) {
    const instance = start / cells;
    if (known[instance] === true) continue;
    yield;
    const outputs = computeOutputs(memory, builtin, start);
    if (outputs === undefined) throw builtinFailure(name, `instance ${instance} lacks an input`);
    outputs.forEach((output, index) => {
      const word = memory.load(outputAt(builtin, start, index));
      if (!isUnset(word) && memory.felt(word, `output of ${name}`) !== output) {
        throw builtinFailure(
          name,
          `instance ${instance} holds ${memory.show(word)} where ${output} follows`,
        );
      }
    });
  }
}

/** The curve y² = x³ + x + BETA of Starknet. */
export const CURVE_BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;
/** Rounds of the builtin's ladder, whatever the scalar. */
const ROUNDS = 256;

type Point = Readonly<Record<"x" | "y", bigint>>;

function along(slope: bigint, from: Point, other: bigint): Point {
  const x = reduceToFelt(slope * slope - from.x - other);
  return { x, y: reduceToFelt(slope * (from.x - x) - from.y) };
}

function add(left: Point, right: Point): Point {
  return along(quotient(left.y - right.y, left.x - right.x), left, right.x);
}

function double(point: Point): Point {
  return along(quotient(3n * point.x * point.x + 1n, 2n * point.y), point, point.x);
}

/** Returns P + m·Q as the builtin computes it, by doublings of Q. It has no rule for points of equal x coordinate. */
function ecOp([px = 0n, py = 0n, qx = 0n, qy = 0n, m = 0n]: readonly bigint[]): readonly bigint[] {
  let sum: Point = { x: px, y: py };
  let power: Point = { x: qx, y: qy };
  for (const { x, y } of [sum, power]) {
    const isOnCurve = reduceToFelt(y * y - (x * x * x + x + CURVE_BETA)) === 0n;
    if (!isOnCurve) throw builtinFailure("ec_op", `(${x}, ${y}) is not a point of the curve`);
  }
  for (let round = 0, rest = m; round < ROUNDS; round += 1, rest >>= 1n) {
    if (sum.x === power.x)
      throw builtinFailure("ec_op", "two points of the ladder have the same x coordinate");
    if ((rest & 1n) === 1n) sum = add(sum, power);
    power = double(power);
  }
  return [sum.x, sum.y];
}

function bitwise(inputs: readonly bigint[]): readonly bigint[] {
  for (const input of inputs) {
    if (input >> 251n !== 0n)
      throw builtinFailure("bitwise", `the input ${input} has more than 251 bits`);
  }
  const [left = 0n, right = 0n] = inputs;
  return [left & right, left ^ right, left | right];
}

/** Cells between two steps: quick ones. */
const STEP = 0xfff;

/** Throws unless every written cell of a range-check segment is a felt below 2^bits. */
function* checkRange(
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
      throw builtinFailure(
        name,
        `cell ${offset} holds ${memory.show(word)}, which is not below 2^${bits}`,
      );
    }
  }
}

const ARENA_CELLS = 3;

/** Starts the segment arena: (segment of dictionary infos, dictionaries opened, dictionaries squashed). */
function openSegmentArena(memory: Memory, segment: number): Word {
  const infos = pointer(memory.segments.add(), 0);
  [infos, 0, 0].forEach((word, index) => memory.store(pointer(segment, index), word));
  return pointer(segment, ARENA_CELLS);
}

/**
 * Throws unless every opened dictionary was squashed, with a range as its info (start, end, order): else reads prove
 * nothing.
 */
function checkSegmentArena(memory: Memory, segment: number, end: number): void {
  const infos = memory.load(pointer(segment, 0));
  const last = (index: number): Word => memory.load(pointer(segment, end - ARENA_CELLS + index));
  if (last(0) !== infos)
    throw builtinFailure("segment_arena", "its infos moved to another segment");
  const opened = memory.felt(last(1), "the number of dictionaries");
  if (memory.felt(last(2), "the number of squashed dictionaries") !== opened) {
    throw builtinFailure(
      "segment_arena",
      `${opened} dictionaries were opened but not all of them squashed`,
    );
  }
  const squashed = new Set<string>();
  for (let index = 0; index < Number(opened); index += 1) {
    const info = infos - index * ARENA_CELLS;
    const start = memory.load(info);
    const stop = memory.load(info - 1);
    const known =
      isPointer(start) &&
      isPointer(stop) &&
      pointerSegment(start) === pointerSegment(stop) &&
      !isUnset(stop);
    if (!known || stop > start)
      throw builtinFailure("segment_arena", `dictionary ${index} has no valid range`);
    squashed.add(memory.felt(memory.load(info - 2), "the order of squashing").toString());
  }
  if (squashed.size !== Number(opened))
    throw builtinFailure("segment_arena", "two dictionaries share one place of squashing");
}
