import type { BuiltinSet } from "./builtins/builtin-set.js";
import { HintState } from "./hints/hint-state.js";
import { EXECUTION_SEGMENT, PROGRAM_SEGMENT, STACK_BASE } from "./layout.js";
import type { Memory } from "./memory.js";
import { HINTED, KIND, STRIDE, decodeForm, type Program } from "./program.js";
import { executeGeneric } from "./step.js";
import { CairoVmError, inconsistent } from "./vm-error.js";
import { SEGMENT_SPAN, SMALL_LIMIT, pointer, segmentOf, offsetOf, type Word } from "./words.js";

/** Room an instruction's offset may reach above ap. */
const REACH = 0x8000 + 2;

/** Why `run` came back: the program returned, it waits for a system call, or its slice of steps is used up. */
export type Pause = "returned" | "syscall" | "slice";

/** A Cairo machine between two instructions. */
export class Machine {
  public pc = 0;
  public ap = STACK_BASE;
  public fp = STACK_BASE;
  public steps = 0;
  /** Pointer of the system call that `run` stopped for. */
  public syscall: Word = NaN;
  public readonly hintState = new HintState();
  readonly #genericOnly: boolean;
  #resumeHintsAt = 0;

  public constructor(
    public readonly program: Program,
    public readonly memory: Memory,
    public readonly builtins: BuiltinSet,
    /** What the outermost return restores. */
    public readonly end: { readonly fp: Word; readonly pc: Word },
    options: { readonly genericOnly?: boolean } = {},
  ) {
    this.#genericOnly = options.genericOnly === true;
  }

  /** The cell of the stack at `register + offset`. */
  public cell(register: "ap" | "fp", offset: number): Word {
    return this.memory.load(this.address(register, offset));
  }

  /** The pointer `register + offset`. */
  public address(register: "ap" | "fp", offset: number): Word {
    const at = (register === "ap" ? this.ap : this.fp) + offset;
    if (at < 0) throw inconsistent("a cell below the stack was named");
    return pointer(EXECUTION_SEGMENT, at);
  }

  /**
   * Runs up to `slice` steps.
   *
   * The loop keeps registers in locals and handles the common forms on small felts; a form it cannot finish (unknown
   * operand to deduce, large felts in a product, rare flags) goes through `executeGeneric`, which knows all of them.
   */
  public run(slice: number): Pause {
    const { memory, program } = this;
    const { forms, addends } = program;
    const { segments } = memory;
    const plainFrom = this.builtins.firstPlainSegment;
    const code = segments[PROGRAM_SEGMENT] ?? new Float64Array(0);
    let stack = memory.reserve(EXECUTION_SEGMENT, this.ap + REACH);
    let room = stack.length - REACH;
    let { pc, ap, fp } = this;
    let done = 0;
    try {
      while (done < slice) {
        const base = pc * STRIDE;
        let kind = forms[base] ?? -1;
        if (kind <= 0) {
          if (kind < 0) throw inconsistent("the program counter left the bytecode");
          kind = decodeForm(program, pc, this.#genericOnly);
        }
        if (kind >= HINTED) {
          kind -= HINTED;
          this.pc = pc;
          this.ap = ap;
          this.fp = fp;
          if (!this.#runHints(pc)) return "syscall";
          stack = segments[EXECUTION_SEGMENT] ?? stack;
          room = stack.length - REACH;
        }
        let handled = false;
        switch (kind) {
          case KIND.ASSERT_IMMEDIATE: {
            const at = ap + ((fp - ap) & at32(forms, base + 1)) + at32(forms, base + 2);
            const old = at64(stack, at);
            const word = at64(code, pc + 1);
            if (old !== old) {
              stack[at] = word;
              handled = true;
            } else handled = old === word;
            if (handled) {
              ap += at32(forms, base + 7);
              pc += 2;
            }
            break;
          }
          case KIND.ASSERT_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const from = ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6);
            const old = at64(stack, at);
            const word = at64(stack, from);
            if (word !== word) break;
            if (old !== old) {
              stack[at] = word;
              handled = true;
            } else handled = old === word;
            if (handled) {
              ap += at32(forms, base + 7);
              pc += 1;
            }
            break;
          }
          case KIND.ASSERT_REFERENCE: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const reference = at64(stack, ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4));
            if (!(reference < 0)) break;
            const place = -reference - 1;
            const segment = Math.floor(place / SEGMENT_SPAN);
            const cells = segments[segment];
            const index = place - segment * SEGMENT_SPAN + at32(forms, base + 6);
            if (cells === undefined || index < 0) break;
            const word = at64(cells, index);
            const old = at64(stack, at);
            if (word !== word) {
              if (old !== old || segment < plainFrom || index >= cells.length) break;
              cells[index] = old;
              handled = true;
            } else if (old !== old) {
              stack[at] = word;
              handled = true;
            } else handled = old === word;
            if (handled) {
              ap += at32(forms, base + 7);
              pc += 1;
            }
            break;
          }
          case KIND.ADD_IMMEDIATE:
          case KIND.ADD_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const leftAt = ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4);
            const left = at64(stack, leftAt);
            let right: number;
            if (kind === KIND.ADD_IMMEDIATE) right = at64(addends, pc);
            else {
              right = at64(stack, ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6));
              if (!(right >= 0)) break;
            }
            const old = at64(stack, at);
            if (left >= 0) {
              const sum = left + right;
              // Not for unknown and large felts, nor for sums that wrap: the negation catches NaN.
              if (!(left < SMALL_LIMIT && sum >= 0 && sum < SMALL_LIMIT)) break;
              if (old !== old) {
                stack[at] = sum;
                handled = true;
              } else handled = old === sum;
            } else if (left < 0) {
              const offset = ((-left - 1) >>> 0) + right;
              if (!(offset >= 0 && offset < SEGMENT_SPAN)) break;
              if (old !== old) {
                stack[at] = left - right;
                handled = true;
              } else handled = old === left - right;
            } else {
              // A subtraction: the left operand is the one unknown.
              const rest = old - right;
              if (!(old >= 0 && old < SMALL_LIMIT && rest >= 0 && rest < SMALL_LIMIT)) break;
              stack[leftAt] = rest;
              handled = true;
            }
            if (handled) {
              ap += at32(forms, base + 7);
              pc += kind === KIND.ADD_IMMEDIATE ? 2 : 1;
            }
            break;
          }
          case KIND.MULTIPLY_IMMEDIATE:
          case KIND.MULTIPLY_CELL: {
            const delta = fp - ap;
            const at = ap + (delta & at32(forms, base + 1)) + at32(forms, base + 2);
            const left = at64(stack, ap + (delta & at32(forms, base + 3)) + at32(forms, base + 4));
            const right =
              kind === KIND.MULTIPLY_IMMEDIATE
                ? at64(code, pc + 1)
                : at64(stack, ap + (delta & at32(forms, base + 5)) + at32(forms, base + 6));
            if (!(left >= 0 && right >= 0)) break;
            const product = left * right;
            if (product >= SMALL_LIMIT) break;
            const old = at64(stack, at);
            if (old !== old) {
              stack[at] = product;
              handled = true;
            } else handled = old === product;
            if (handled) {
              ap += at32(forms, base + 7);
              pc += kind === KIND.MULTIPLY_IMMEDIATE ? 2 : 1;
            }
            break;
          }
          case KIND.JUMP: {
            const last = at32(forms, base + 7);
            ap += last & 1;
            pc = last >> 1;
            handled = true;
            break;
          }
          case KIND.JUMP_NOT_ZERO: {
            const word = at64(stack, ap + ((fp - ap) & at32(forms, base + 1)) + at32(forms, base + 2));
            if (word !== word) break;
            const last = at32(forms, base + 7);
            ap += last & 1;
            pc = word === 0 ? pc + 2 : last >> 1;
            handled = true;
            break;
          }
          case KIND.CALL: {
            const oldFp = at64(stack, ap);
            const oldPc = at64(stack, ap + 1);
            if (oldFp === oldFp || oldPc === oldPc) break;
            stack[ap] = -(SEGMENT_SPAN + fp) - 1;
            stack[ap + 1] = -(pc + 2) - 1;
            ap += 2;
            fp = ap;
            pc = at32(forms, base + 7) >> 1;
            handled = true;
            break;
          }
          case KIND.RETURN: {
            const savedFp = at64(stack, fp - 2);
            const savedPc = at64(stack, fp - 1);
            if (segmentOf(savedPc) !== PROGRAM_SEGMENT || segmentOf(savedFp) !== EXECUTION_SEGMENT) break;
            fp = this.#checkedFrame(offsetOf(savedFp), ap);
            pc = offsetOf(savedPc);
            handled = true;
            break;
          }
          case KIND.ADVANCE_AP:
            ap += at32(forms, base + 7);
            pc += 2;
            handled = true;
            break;
          default:
            break;
        }
        if (!handled) {
          this.pc = pc;
          this.ap = ap;
          this.fp = fp;
          const returned = executeGeneric(this);
          ({ pc, ap, fp } = this);
          stack = segments[EXECUTION_SEGMENT] ?? stack;
          room = stack.length - REACH;
          if (returned) {
            done += 1;
            return "returned";
          }
        }
        done += 1;
        if (ap > room) {
          stack = memory.reserve(EXECUTION_SEGMENT, ap + REACH);
          room = stack.length - REACH;
        }
      }
      return "slice";
    } catch (error) {
      throw error instanceof CairoVmError && error.pc === undefined ? located(error, pc) : error;
    } finally {
      this.steps += done;
      this.pc = pc;
      this.ap = ap;
      this.fp = fp;
    }
  }

  /** A frame pointer the program restored itself is held to the stack, so that no offset leaves it. */
  #checkedFrame(fp: number, ap: number): number {
    if (fp < STACK_BASE || fp > ap) throw inconsistent(`the frame pointer left the stack (offset ${fp})`);
    return fp;
  }

  /** Runs the hints of an instruction; false when one of them is a system call, which `run` is resumed after. */
  #runHints(pc: number): boolean {
    const hints = this.program.hints.get(pc) ?? [];
    for (let index = this.#resumeHintsAt; index < hints.length; index += 1) {
      this.syscall = NaN;
      hints[index]?.(this);
      if (!Number.isNaN(this.syscall)) {
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

function located(error: CairoVmError, pc: number): CairoVmError {
  return new CairoVmError({ code: error.code, message: error.shortMessage, hints: error.hints, cause: error, pc });
}
