import type { Memory } from "../memory.js";
import { CairoVmError, inconsistent, ReleasedCellError } from "../vm-error.js";
import { isPointer, isUnset, offsetOf, pointer, segmentOf, type Word } from "../words.js";
import {
  BUILTIN_NAMES,
  type BuiltinName,
  checkRange,
  checkSegmentArena,
  DEDUCED,
  type DeducedBuiltin,
  failed,
  openSegmentArena,
} from "./rules.js";
import { checkModulo } from "./modulo.js";

const CELLS: Readonly<Record<BuiltinName, number>> = {
  pedersen: 3,
  bitwise: 5,
  poseidon: 6,
  ec_op: 7,
  range_check: 1,
  range_check96: 1,
  add_mod: 7,
  mul_mod: 7,
  segment_arena: 3,
};

/** Programs write and read the cells of these once, at the pointer that they hand on: older ones are released. */
const PASSED_ONCE: ReadonlySet<BuiltinName> = new Set([
  "pedersen",
  "bitwise",
  "poseidon",
  "ec_op",
  "range_check",
  "range_check96",
]);

function isBuiltinName(name: string): name is BuiltinName {
  return BUILTIN_NAMES.some((known) => known === name);
}

/** The builtin segments of one run: pointers to hand out, cells to deduce, and the checks at its end. */
export class BuiltinSet {
  /** Segments from this one on are never deduced. */
  public readonly firstPlainSegment: number;
  readonly #segments = new Map<BuiltinName, number>();
  /** By segment. */
  readonly #deduced: (DeducedSegment | undefined)[] = [];

  /** Adds a segment for every builtin; those with deduced cells come first. */
  public constructor(memory: Memory) {
    for (const name of BUILTIN_NAMES) {
      const segment = memory.addSegment();
      this.#segments.set(name, segment);
      const deduced = DEDUCED.get(name);
      if (deduced !== undefined) this.#deduced[segment] = { builtin: deduced, known: new Uint8Array(64), released: 0 };
      if (PASSED_ONCE.has(name)) {
        memory.segments.passOnce(segment, CELLS[name], (from, to) => {
          this.#leave(memory, name, segment, [from, to]);
        });
      }
    }
    this.firstPlainSegment = this.#segment("range_check");
  }

  /**
   * The pointers an entry point expects for its builtins, in its order.
   *
   * @throws CairoVmError HDP-7105 for a builtin that is not offered.
   */
  public initialPointers(memory: Memory, names: readonly string[]): Word[] {
    return names.map((name) => {
      if (!isBuiltinName(name)) {
        throw new CairoVmError({
          code: "HDP-7105",
          message: `the entry point needs the builtin "${name}", which the local machine does not have`,
          hints: [
            `Available: ${BUILTIN_NAMES.join(", ")}.`,
            "Starknet's compiler asks for no other one: check that the class is its own output.",
          ],
        });
      }
      return name === "segment_arena" ? openSegmentArena(memory, this.#segment(name)) : pointer(this.#segment(name), 0);
    });
  }

  /** The value of an unset builtin cell that follows from cells before it; NaN when none does. */
  public deduce(memory: Memory, at: Word): Word {
    return isPointer(at) ? this.deduceAt(memory, segmentOf(at), offsetOf(at)) : NaN;
  }

  /** The same by segment and offset. */
  public deduceAt(memory: Memory, segment: number, offset: number): Word {
    const deduced = this.#deduced[segment];
    return deduced === undefined ? NaN : deduceCell(memory, deduced, segment, offset);
  }

  /** Whether the cell of a segment with deduced cells is one that programs write. */
  public isInput(segment: number, offset: number): boolean {
    const deduced = this.#deduced[segment];
    return deduced !== undefined && offset % deduced.builtin.cells < deduced.builtin.inputs;
  }

  /**
   * Checks all builtin memory at the end of a run: ranges, and that deduced cells hold what follows from their inputs.
   * The returned pointers must cover every cell in use, in whole instances. Step by step: a hash takes a millisecond.
   *
   * @throws CairoVmError HDP-7116
   */
  public *verify(memory: Memory, returned: ReadonlyMap<string, Word>): Generator<undefined> {
    for (const [name, segment] of this.#segments) {
      const used = memory.segments.usedLength(segment);
      if (name === "add_mod" || name === "mul_mod") yield* checkModulo(memory, segment, used, name);
      else if (PASSED_ONCE.has(name))
        yield* this.#check(memory, name, segment, [memory.segments.floors[segment] ?? 0, used]);
      const end = returned.get(name);
      if (end === undefined) {
        if (used > 0) throw failed(name, `cells of it were written by a run that does not declare it`);
        continue;
      }
      if (!isPointer(end) || segmentOf(end) !== segment || offsetOf(end) % CELLS[name] !== 0 || offsetOf(end) < used) {
        throw failed(name, `the returned pointer ${memory.show(end)} does not cover the ${used} cells in use`);
      }
      if (name === "segment_arena") checkSegmentArena(memory, segment, offsetOf(end));
    }
  }

  *#check(memory: Memory, name: BuiltinName, segment: number, range: readonly [number, number]): Generator<undefined> {
    const deduced = this.#deduced[segment];
    if (deduced === undefined) yield* checkRange(memory, segment, range, name === "range_check" ? 128n : 96n, name);
    else yield* verifyDeduced(memory, deduced, name, segment, range);
  }

  /** Checks cells that are about to be released. What does not hold yet may do so at the end, or fail there. */
  #leave(memory: Memory, name: BuiltinName, segment: number, range: readonly [number, number]): void {
    const deduced = this.#deduced[segment];
    // Programs read what they have computed. Where they don't it is computed at the end, when there is time between.
    if (deduced !== undefined && unknownIn(deduced, range) > MOST_UNKNOWN) throw new ReleasedCellError();
    try {
      const steps = this.#check(memory, name, segment, range);
      while (steps.next().done !== true);
    } catch (error) {
      throw error instanceof CairoVmError ? new ReleasedCellError() : error;
    }
    if (deduced !== undefined) releaseKnown(deduced, Math.ceil(range[1] / deduced.builtin.cells));
  }

  #segment(name: BuiltinName): number {
    const segment = this.#segments.get(name);
    if (segment === undefined) throw inconsistent(`no segment for ${name}`);
    return segment;
  }
}

/** A builtin's segment in one run. */
interface DeducedSegment {
  readonly builtin: DeducedBuiltin;
  /** 1 for every instance whose outputs were written here: memory is written once, so they need no second look. */
  known: Uint8Array;
  /** Instances before the first one of `known`, which were checked and released. */
  released: number;
}

function markKnown(segment: DeducedSegment, number: number): void {
  const instance = number - segment.released;
  if (instance >= segment.known.length) {
    const grown = new Uint8Array(Math.max(instance + 1, segment.known.length * 2));
    grown.set(segment.known);
    segment.known = grown;
  }
  segment.known[instance] = 1;
}

function releaseKnown(segment: DeducedSegment, instances: number): void {
  const { known, released } = segment;
  const gone = Math.min(instances - released, known.length);
  known.copyWithin(0, gone);
  known.fill(0, known.length - gone);
  segment.released = instances;
}

function inputsOf(memory: Memory, builtin: DeducedBuiltin, segment: number, start: number): bigint[] | undefined {
  const inputs: bigint[] = [];
  for (let index = 0; index < builtin.inputs; index += 1) {
    const word = memory.load(pointer(segment, start + index));
    if (isUnset(word)) return undefined;
    inputs.push(memory.felt(word, `input ${index} of a builtin`));
  }
  return inputs;
}

function deduceCell(memory: Memory, deduced: DeducedSegment, segment: number, offset: number): Word {
  const { builtin } = deduced;
  const position = offset % builtin.cells;
  if (position < builtin.inputs) return NaN;
  const start = offset - position;
  const inputs = inputsOf(memory, builtin, segment, start);
  if (inputs === undefined) return NaN;
  // All outputs are written at once: a hash with several is computed once.
  builtin.compute(inputs).forEach((output, index) => {
    memory.store(pointer(segment, start + builtin.inputs + index), memory.word(output));
  });
  markKnown(deduced, start / builtin.cells);
  return memory.load(pointer(segment, offset));
}

/** Instances whose outputs are computed before their cells are released, at most. */
const MOST_UNKNOWN = 16;

function unknownIn({ builtin, known, released }: DeducedSegment, [from, to]: readonly [number, number]): number {
  let unknown = 0;
  for (let start = from; start < to; start += builtin.cells) {
    if (known[start / builtin.cells - released] !== 1) unknown += 1;
  }
  return unknown;
}

function* verifyDeduced(
  memory: Memory,
  { builtin, known, released }: DeducedSegment,
  name: string,
  segment: number,
  [from, to]: readonly [number, number],
): Generator<undefined> {
  for (let start = from; start < to; start += builtin.cells) {
    if (known[start / builtin.cells - released] === 1) continue;
    yield;
    const inputs = inputsOf(memory, builtin, segment, start);
    if (inputs === undefined) throw failed(name, `instance ${start / builtin.cells} lacks an input`);
    builtin.compute(inputs).forEach((output, index) => {
      const word = memory.load(pointer(segment, start + builtin.inputs + index));
      if (!isUnset(word) && memory.felt(word, `output of ${name}`) !== output) {
        throw failed(name, `instance ${start / builtin.cells} holds ${memory.show(word)} where ${output} follows`);
      }
    });
  }
}
