import type { Instruction } from "./instruction.js";
import { CairoVmError } from "./vm-error.js";
import { isCellOffset } from "./words.js";

/** Instructions looked at from one return address: functions of compiled classes have some thousand at most. */
const MAX_INSTRUCTIONS = 100_000;
/** Longest jump that is followed. */
const MAX_DISTANCE = 2 ** 28;

/** What is asked of a program. */
export interface Code {
  readonly length: number;
  instruction(pc: number): Instruction;
  /** The hints of an instruction, as the class has them. */
  hintsAt(pc: number): readonly unknown[];
  /** How far the jump at `pc` goes, by its immediate. */
  distance(pc: number): number;
}

/**
 * Which cells of a waiting function's frame its code can touch once it goes on.
 *
 * Calls and returns are nested without exception: a call writes the caller's fp and the address behind it to cells that
 * are written once, and nothing but a call or return sets fp. So a frame whose function waits can be touched by offsets
 * from fp only from the instruction behind the call on, and by those that can follow.
 */
export class FrameCells {
  readonly #code: Code;
  readonly #known = new Map<number, Int32Array | undefined>();

  #lastPc = NaN;
  #last: Int32Array | undefined;

  public constructor(code: Code) {
    this.#code = code;
  }

  /**
   * Offsets from fp, ascending, that instructions and hints name from `pc` on until the function returns.
   *
   * @returns undefined where the code from there on can't be told: all cells count then
   */
  public from(pc: number): Int32Array | undefined {
    // A loop's turns ask for one address again and again.
    if (pc === this.#lastPc) return this.#last;
    if (!this.#known.has(pc)) this.#known.set(pc, this.#trace(pc));
    this.#lastPc = pc;
    this.#last = this.#known.get(pc);
    return this.#last;
  }

  /** Whether the trace through a jump to a computed address took `target` into account. */
  public foresees(pc: number, target: number): boolean {
    return this.#successors(pc)?.includes(target) === true;
  }

  #trace(start: number): Int32Array | undefined {
    const seen = new Set<number>();
    const offsets = new Set<number>();
    const open = [start];
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      if (seen.has(pc)) continue;
      seen.add(pc);
      const next = seen.size > MAX_INSTRUCTIONS ? undefined : this.#successors(pc);
      if (next === undefined) return undefined;
      this.#touched(pc, offsets);
      open.push(...next);
    }
    return Int32Array.from(offsets).sort();
  }

  #touched(pc: number, offsets: Set<number>): void {
    const { dst, op0, op1, opcode, result, pcUpdate } = this.#code.instruction(pc);
    const usesDst = opcode !== "nop" || pcUpdate === "jumpNotZero";
    const usesOp0 = op1.source === "op0" || result === "add" || result === "multiply" || opcode === "call";
    if (usesDst && dst.register === "fp") offsets.add(dst.offset);
    if (usesOp0 && op0.register === "fp") offsets.add(op0.offset);
    if (op1.source === "fp") offsets.add(op1.offset);
    addHintCells(this.#code.hintsAt(pc), offsets);
  }

  /** Where the function can go on behind an instruction; undefined where that can't be told. */
  #successors(pc: number): readonly number[] | undefined {
    const instruction = this.#instruction(pc);
    if (instruction === undefined) return undefined;
    const { opcode, pcUpdate, size } = instruction;
    const next = pc + size;
    if (opcode === "ret") return [];
    if (opcode === "call" || pcUpdate === "regular") return [next];
    if (pcUpdate === "jump") return undefined;
    if (!isComputed(instruction)) {
      const distance = this.#code.distance(pc);
      if (Math.abs(distance) > MAX_DISTANCE) return undefined;
      return pcUpdate === "jumpNotZero" ? [next, pc + distance] : [pc + distance];
    }
    return pcUpdate === "jumpNotZero" ? undefined : this.#table(next);
  }

  /** A computed jump of a compiled class leads into a table of jumps behind it, or to the code behind the table. */
  #table(start: number): readonly number[] {
    const entries = [start];
    let pc = start;
    for (;;) {
      const entry = this.#instruction(pc);
      const isJump = entry?.opcode === "nop" && entry.pcUpdate === "jumpRelative" && entry.op1.source === "immediate";
      if (entry === undefined || !isJump) return entries;
      pc += entry.size;
      entries.push(pc);
    }
  }

  #instruction(pc: number): Instruction | undefined {
    if (pc < 0 || pc >= this.#code.length) return undefined;
    try {
      return this.#code.instruction(pc);
    } catch (error) {
      // A word that is no instruction: a run that reaches it fails there.
      if (error instanceof CairoVmError) return undefined;
      throw error;
    }
  }
}

/** Whether an instruction jumps to where a cell says. */
export function isComputed({ opcode, pcUpdate, op1, result }: Instruction): boolean {
  if (opcode === "call" || opcode === "ret" || pcUpdate === "regular") return false;
  return op1.source !== "immediate" || result === "add" || result === "multiply";
}

/** Hints name cells as `{ register, offset }`, however deep in their operands. */
function addHintCells(hint: unknown, offsets: Set<number>): void {
  if (typeof hint !== "object" || hint === null) return;
  if ("register" in hint && "offset" in hint) {
    // A hint with an offset no cell has is refused when it is reached.
    const { register, offset } = hint;
    if (register === "FP" && typeof offset === "number" && isCellOffset(offset)) offsets.add(offset);
    return;
  }
  for (const part of Object.values(hint)) addHintCells(part, offsets);
}
