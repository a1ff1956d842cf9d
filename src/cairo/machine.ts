import { HdpError } from "../errors/hdp-error.js";
import type { BuiltinSet } from "./builtins/builtin-set.js";
import type { CallProfile } from "./profile.js";
import { HintState, type MachineState } from "./machine-state.js";
import type { Memory } from "./memory.js";
import { HINT_SHIFT, HINTED, KIND, KIND_MASK, STRIDE, type Program } from "./bytecode.js";
import { executeGeneric } from "./step.js";
import {
  EXECUTION_SEGMENT,
  inconsistent,
  isUnset,
  pointerOffset,
  pointer,
  PROGRAM_SEGMENT,
  REACH,
  SEGMENT_SPAN,
  pointerSegment,
  SMALL_LIMIT,
  STACK_BASE,
  type Word,
} from "./words.js";

/** A call on the stack: the function's first instruction, where it was called, and its frame pointer. */
export interface StackedCall {
  readonly target: number;
  readonly call: number;
  readonly fp: number;
}

interface MachineOptions {
  readonly end: MachineState["end"];
  readonly calls?: CallProfile | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** Room above ap that an instruction can reach. */
const ROOM = REACH + 2;

/** The clock is read after so many hints and general instructions (a mask): one of them may take milliseconds. */
const CLOCK_MASK = 7;

/** Reason for a pause of `run`: the program returned, a system call, or the end of its slice of steps or time. */
export type Pause = "returned" | "syscall" | "slice";

/** The Cairo machine: executes the instructions of a program until it returns, panics or meets a limit. */
export class Machine implements MachineState {
  public pc = 0;
  public ap = STACK_BASE;
  public fp = STACK_BASE;
  public steps = 0;
  public syscall: Word = NaN;
  public work: MachineState["work"];
  public readonly hintState = new HintState();
  public readonly end: MachineOptions["end"];
  readonly #calls: CallProfile | undefined;
  readonly #now: () => number;
  #until = Infinity;
  /** Hints and instructions by the general rules so far. */
  #works = 0;
  #resumeHintsAt = 0;

  public constructor(
    public readonly program: Program,
    public readonly memory: Memory,
    public readonly builtins: BuiltinSet,
    options: MachineOptions,
  ) {
    this.end = options.end;
    this.#calls = options.calls;
    this.#now = options.now;
  }

  /**
   * Returns the calls on the stack, innermost first, without the entry point; after a panic, which all have returned from,
   * those of the last call. Only calls put a pointer into the stack and one into the program side by side.
   */
  public *running(hasPanicked: boolean): Generator<StackedCall> {
    const { stack } = this.memory.segments;
    const isFrame = (fp: number): boolean =>
      pointerSegment(at64(stack, fp - 2)) === EXECUTION_SEGMENT &&
      pointerSegment(at64(stack, fp - 1)) === PROGRAM_SEGMENT;
    let { fp } = this;
    if (hasPanicked) for (fp = this.ap; fp > STACK_BASE && !isFrame(fp);) fp -= 1;
    for (; isFrame(fp); fp = pointerOffset(at64(stack, fp - 2))) {
      const call = pointerOffset(at64(stack, fp - 1)) - 2;
      yield { target: call + at64(this.program.addends, call), call, fp };
    }
  }

  public cell(register: "ap" | "fp", offset: number): Word {
    return at64(this.memory.segments.stack, this.#index(register, offset));
  }

  public write(register: "ap" | "fp", offset: number, word: Word): void {
    const { segments } = this.memory;
    const at = this.#index(register, offset);
    const old = at64(segments.stack, at);
    if (isUnset(old) && !isUnset(word)) segments.set(EXECUTION_SEGMENT, at, word);
    else this.memory.settle(old, word, () => pointer(EXECUTION_SEGMENT, at));
  }

  #index(register: "ap" | "fp", offset: number): number {
    const at = (register === "ap" ? this.ap : this.fp) + offset;
    if (at < 0) throw inconsistent("a cell below the stack is addressed");
    return at;
  }

  /**
   * Runs up to `slice` steps, and stops earlier when the clock reaches `until`: a step takes nanoseconds to milliseconds.
   *
   * The loop keeps registers in locals and handles the common forms. `executeGeneric` does the rest: most operands to
   * deduce, builtin cells, rare flags, every failure. Every array access below is in bounds, which keeps the loop fast.
   */
  public run(slice: number, until = Infinity): Pause {
    this.#until = until;
    const { memory, program } = this;
    const { forms, addends, code } = program;
    const { segments } = memory;
    const { builtins } = this;
    const plainFrom = builtins.firstPlainSegment;
    const codeLength = addends.length;
    segments.reserveStack(this.ap + ROOM);
    let { stack } = segments;
    let room = stack.length - ROOM;
    let { pc, ap, fp } = this;
    const calls = this.#calls;
    const before = this.steps;
    let done = 0;
    // The step before which the loop ends.
    let end = slice;
    try {
      while (done < end) {
        const base = pc * STRIDE;
        if (pc < 0 || pc >= codeLength) throw inconsistent("the program counter left the bytecode");
        let kind = at32(forms, base);
        if (kind === KIND.UNDECODED) kind = program.decode(pc);
        if (kind >= HINTED) {
          this.pc = pc;
          this.ap = ap;
          this.fp = fp;
          if (!this.#runHints(kind >> HINT_SHIFT))
            return isUnset(this.syscall) ? "slice" : "syscall";
          kind &= KIND_MASK;
          stack = segments.stack;
          room = stack.length - ROOM;
        }
        // Length of the instruction; 0 if the general rules execute it, -1 if pc is already set.
        let length = 0;
        switch (kind) {
          case KIND.ASSERT_IMMEDIATE: {
            const at = ap + ((fp - ap) & at32(forms, base + 1)) + at32(forms, base + 2);
            const old = at64(stack, at);
            const word = at64(code, pc + 1);
            if (isUnset(old)) stack[at] = word;
            else if (!memory.same(old, word)) break;
            length = 2;
            break;
          }
          case KIND.ASSERT_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const from = ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6);
            const old = at64(stack, at);
            const word = at64(stack, from);
            if (isUnset(word)) {
              if (isUnset(old)) break;
              stack[from] = old;
            } else if (isUnset(old)) stack[at] = word;
            else if (!memory.same(old, word)) break;
            length = 1;
            break;
          }
          case KIND.ASSERT_REFERENCE: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const reference = at64(
              stack,
              ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4),
            );
            if (!(reference < 0)) break;
            const place = -reference - 1;
            const segment = Math.floor(place / SEGMENT_SPAN);
            const index = (place >>> 0) + at32(forms, base + 6);
            // The stack and the program are not in the arena.
            if (segment <= EXECUTION_SEGMENT || index < 0) break;
            const old = at64(stack, at);
            const { arena } = segments;
            if (index < at32(segments.capacities, segment)) {
              const cell = at32(segments.starts, segment) + index;
              const word = at64(arena, cell);
              if (isUnset(word)) {
                if (segment < plainFrom && !builtins.isInput(segment, index)) {
                  if (!isUnset(old)) break;
                  const deduced = builtins.deduceAt(segment, index);
                  if (isUnset(deduced)) break;
                  stack[at] = deduced;
                  if (this.#isLate()) end = done;
                } else if (isUnset(old)) break;
                else arena[cell] = old;
              } else if (isUnset(old)) stack[at] = word;
              else if (!memory.same(old, word)) break;
            } else {
              if (isUnset(old) || (segment < plainFrom && !builtins.isInput(segment, index))) break;
              segments.set(segment, index, old);
            }
            length = 1;
            break;
          }
          case KIND.ADD_IMMEDIATE:
          case KIND.ADD_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const leftAt = ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4);
            const left = at64(stack, leftAt);
            const old = at64(stack, at);
            const fromCode = kind === KIND.ADD_IMMEDIATE;
            const rightAt = ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6);
            const right = fromCode ? at64(code, pc + 1) : at64(stack, rightAt);
            if (!(right >= 0)) {
              if (fromCode || !this.#settleSum(stack, at, leftAt, rightAt)) break;
              length = 1;
              break;
            }
            // An immediate near the prime is a small negative addend; one far from zero is NaN and fails every test.
            const addend = fromCode ? at64(addends, pc) : right;
            let word: Word;
            if (left >= 0) {
              word = left + addend;
              if (!(left < SMALL_LIMIT && word >= 0 && word < SMALL_LIMIT))
                word = memory.add(left, right);
            } else if (left < 0) {
              const offset = pointerOffset(left) + addend;
              if (!(offset >= 0 && offset < SEGMENT_SPAN)) break;
              word = left - addend;
            } else {
              // A subtraction: the left operand is the one unknown.
              if (isUnset(old)) break;
              word = old - addend;
              if (!(old >= 0 && old < SMALL_LIMIT && word >= 0 && word < SMALL_LIMIT))
                word = memory.subtract(old, right);
              stack[leftAt] = word;
              word = old;
            }
            if (isUnset(old)) stack[at] = word;
            else if (!memory.same(old, word)) break;
            length = fromCode ? 2 : 1;
            break;
          }
          case KIND.MULTIPLY_IMMEDIATE:
          case KIND.MULTIPLY_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const left = at64(stack, ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4));
            const fromCode = kind === KIND.MULTIPLY_IMMEDIATE;
            const right = fromCode
              ? at64(code, pc + 1)
              : at64(stack, ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6));
            if (!(left >= 0 && right >= 0)) break;
            const word = memory.multiply(left, right);
            const old = at64(stack, at);
            if (isUnset(old)) stack[at] = word;
            else if (!memory.same(old, word)) break;
            length = fromCode ? 2 : 1;
            break;
          }
          case KIND.JUMP: {
            const jump = at32(forms, base + 7);
            ap += jump & 1;
            pc = jump >> 1;
            length = -1;
            break;
          }
          case KIND.JUMP_NOT_ZERO: {
            const word = at64(
              stack,
              ap + ((fp - ap) & at32(forms, base + 1)) + at32(forms, base + 2),
            );
            if (isUnset(word)) break;
            const jump = at32(forms, base + 7);
            ap += jump & 1;
            pc = word === 0 ? pc + 2 : jump >> 1;
            length = -1;
            break;
          }
          case KIND.CALL: {
            const oldFp = at64(stack, ap);
            const oldPc = at64(stack, ap + 1);
            if (!isUnset(oldFp) || !isUnset(oldPc)) break;
            stack[ap] = -(SEGMENT_SPAN + fp) - 1;
            stack[ap + 1] = -(pc + 2) - 1;
            ap += 2;
            fp = ap;
            pc = at32(forms, base + 7) >> 1;
            if (calls !== undefined) calls.enter(pc, before + done + 1);
            length = -1;
            break;
          }
          case KIND.RETURN: {
            const savedFp = at64(stack, fp - 2);
            const savedPc = at64(stack, fp - 1);
            if (
              pointerSegment(savedPc) !== PROGRAM_SEGMENT ||
              pointerSegment(savedFp) !== EXECUTION_SEGMENT
            )
              break;
            // Only calls set fp, and what they save is written once: the frame is one of the stack.
            pc = pointerOffset(savedPc);
            fp = pointerOffset(savedFp);
            if (calls !== undefined) calls.leave(before + done + 1);
            length = -1;
            break;
          }
          case KIND.ADVANCE_AP:
            length = 2;
            break;
          default:
            break;
        }
        if (length > 0) {
          ap += at32(forms, base + 7);
          pc += length;
        } else if (length === 0) {
          this.pc = pc;
          this.ap = ap;
          this.fp = fp;
          const opcode = calls === undefined ? undefined : program.instruction(pc).opcode;
          const returned = executeGeneric(this);
          if (this.#isLate()) end = done;
          if (opcode === "call") calls?.enter(this.pc, before + done + 1);
          else if (opcode === "ret") calls?.leave(before + done + 1);
          ({ pc, ap, fp } = this);
          stack = segments.stack;
          room = stack.length - ROOM;
          if (returned) {
            done += 1;
            return "returned";
          }
        }
        done += 1;
        if (ap > room) {
          segments.reserveStack(ap + ROOM);
          stack = segments.stack;
          room = stack.length - ROOM;
        }
      }
      return "slice";
    } catch (error) {
      throw located(error, pc);
    } finally {
      this.steps = before + done;
      this.pc = pc;
      this.ap = ap;
      this.fp = fp;
    }
  }

  /** Settles a sum whose right operand is a pointer or unknown. Returns false when it does not hold or two are unknown. */
  #settleSum(stack: Float64Array, at: number, leftAt: number, rightAt: number): boolean {
    const { memory } = this;
    const sum = at64(stack, at);
    const left = at64(stack, leftAt);
    const right = at64(stack, rightAt);
    const isSumUnset = isUnset(sum);
    if (isUnset(left) && (isUnset(right) || isSumUnset)) return false;
    if (isUnset(right) && isSumUnset) return false;
    if (isUnset(left)) stack[leftAt] = memory.subtract(sum, right);
    else if (isUnset(right)) stack[rightAt] = memory.subtract(sum, left);
    else if (isSumUnset) stack[at] = memory.add(left, right);
    else return memory.same(sum, memory.add(left, right));
    return true;
  }

  /** Returns whether the slice's time is over. Reads the clock only in some of its calls. */
  #isLate(): boolean {
    this.#works += 1;
    return (this.#works & CLOCK_MASK) === 0 && this.#now() >= this.#until;
  }

  /** Runs the hints of an instruction; false when `run` is resumed after one: a system call, or the time is used up. */
  #runHints(list: number): boolean {
    const hints = this.program.hintLists[list] ?? [];
    for (let index = this.#resumeHintsAt; index < hints.length; index += 1) {
      if (this.work === undefined) {
        this.syscall = NaN;
        hints[index]?.(this);
      }
      while (this.work !== undefined) {
        this.#resumeHintsAt = index;
        if (this.work.next().done === true) this.work = undefined;
        else if (this.#now() >= this.#until) return false;
      }
      if (!isUnset(this.syscall) || this.#isLate()) {
        this.#resumeHintsAt = index + 1;
        return false;
      }
    }
    this.#resumeHintsAt = 0;
    return true;
  }
}

/** Reads a table entry. The fallback serves the type checker; every index in use is inside. */
function at32(table: Int32Array, index: number): number {
  return table[index] ?? 0;
}

/** Reads a cell; outside of the segment nothing was written. */
function at64(cells: Float64Array, index: number): number {
  return cells[index] ?? NaN;
}

/** Returns an error of the machine with its place in the bytecode. */
function located(error: unknown, pc: number): unknown {
  if (!(error instanceof HdpError) || error.path !== undefined) return error;
  const { code, shortMessage: message, hints } = error;
  return new HdpError({ code, message, hints, path: `bytecode[${pc}]`, cause: error });
}
