import type { Memory } from "../memory.js";
import { hdpError } from "../../errors/hdp-error.js";
import { inconsistent, isPointer, isUnset, offsetOf, pointer, segmentOf, type Word } from "../words.js";
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
      if (deduced !== undefined) this.#deduced[segment] = { builtin: deduced, known: new Uint8Array(64) };
    }
    this.firstPlainSegment = this.#segment("range_check");
  }

  /**
   * The pointers an entry point expects for its builtins, in its order.
   *
   * @throws HdpError HDP-7106 for a builtin that is not supported.
   */
  public initialPointers(memory: Memory, names: readonly string[]): Word[] {
    return names.map((name) => {
      if (!isBuiltinName(name)) {
        throw hdpError("HDP-7106", { feature: `the builtin "${name}"`, supported: BUILTIN_NAMES.join(", ") });
      }
      return name === "segment_arena" ? openSegmentArena(memory, this.#segment(name)) : pointer(this.#segment(name), 0);
    });
  }

  /** The value of the unset cell at a pointer, where it follows from the cells before it; else NaN. */
  public deduce(memory: Memory, at: Word): Word {
    return isPointer(at) ? this.deduceAt(memory, segmentOf(at), offsetOf(at)) : NaN;
  }

  /** The value of an unset cell, where it follows from the cells before it; else NaN. */
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
   * The returned pointers must cover every cell in use, in whole instances. Yields between steps of some milliseconds.
   *
   * @throws HdpError HDP-7108
   */
  public *verify(memory: Memory, returned: ReadonlyMap<string, Word>): Generator<undefined> {
    for (const [name, segment] of this.#segments) {
      const used = memory.segments.usedLength(segment);
      const deduced = this.#deduced[segment];
      if (deduced !== undefined) yield* verifyDeduced(memory, deduced, name, segment, used);
      else if (name === "range_check") yield* checkRange(memory, segment, used, 128n, name);
      else if (name === "range_check96") yield* checkRange(memory, segment, used, 96n, name);
      else if (name === "add_mod" || name === "mul_mod") yield* checkModulo(memory, segment, used, name);
      const end = returned.get(name);
      if (end === undefined) {
        if (used > 0) throw failed(name, "its cells were written by a run that does not declare it");
        continue;
      }
      if (!isPointer(end) || segmentOf(end) !== segment || offsetOf(end) % CELLS[name] !== 0 || offsetOf(end) < used) {
        throw failed(name, `the returned pointer ${memory.show(end)} does not cover the ${used} cells in use`);
      }
      if (name === "segment_arena") checkSegmentArena(memory, segment, offsetOf(end));
    }
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
  /** 1 for every instance whose outputs were computed here, and so hold: memory is written once. */
  known: Uint8Array;
}

function markKnown(segment: DeducedSegment, instance: number): void {
  if (instance >= segment.known.length) {
    const longer = new Uint8Array(Math.max(instance + 1, segment.known.length * 2));
    longer.set(segment.known);
    segment.known = longer;
  }
  segment.known[instance] = 1;
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

function* verifyDeduced(
  memory: Memory,
  { builtin, known }: DeducedSegment,
  name: string,
  segment: number,
  used: number,
): Generator<undefined> {
  for (let start = 0; start < used; start += builtin.cells) {
    const instance = start / builtin.cells;
    if (known[instance] === 1) continue;
    yield;
    const inputs = inputsOf(memory, builtin, segment, start);
    if (inputs === undefined) throw failed(name, `instance ${instance} lacks an input`);
    builtin.compute(inputs).forEach((output, index) => {
      const word = memory.load(pointer(segment, start + builtin.inputs + index));
      if (!isUnset(word) && memory.felt(word, `output of ${name}`) !== output) {
        throw failed(name, `instance ${instance} holds ${memory.show(word)} where ${output} follows`);
      }
    });
  }
}
