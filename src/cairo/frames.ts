import { Machine, type StackedCall } from "./machine.js";
import type { Instruction, Program } from "./bytecode.js";
import type { Word } from "./words.js";

/** A function that was running when a run ended, by offsets of the bytecode. */
export interface Frame {
  /** Its first instruction. */
  readonly target: number;
  /** Where it was: at the call of the frame before this one, at its return with the panic, or at the system call. */
  readonly at: number;
  /** What it made before, the latest last, without what it called; empty where that is not known. */
  readonly before: readonly number[];
}

/** Steps that are made again to find how a function got to where it panicked: a second, at most. */
const MAX_AGAIN = 1_000_000;
/** Instructions of a function that are kept: those between a branch and the panic behind it are fewer. */
const MAX_KEPT = 256;

/** Returns the functions that were running when a run was stopped, innermost first. */
export function stoppedFrames(machine: Machine, entry: StackedCall): readonly Frame[] {
  return framesOf([...machine.running(false), entry], machine.pc);
}

/**
 * Returns the functions that were running when a run panicked, innermost first, by the memory it left. The last call on
 * the stack may have returned as it should: what followed it is made again, up to the first return with the panic.
 * @param isLibrary whether a function is not looked into: of the first other one the way to the panic is found too
 */
export function panickedFrames(
  machine: Machine,
  entry: StackedCall,
  isLibrary: (target: number) => boolean,
): readonly Frame[] {
  const calls = [...machine.running(true), entry];
  const [last = entry] = calls;
  const again = new Again(machine, last);
  const panic = [machine.cell("ap", -2), machine.cell("ap", -1)];
  if (!again.runTo(({ opcode }) => opcode === "ret" && again.ends(panic))) return [];
  const { pc, fp } = again;
  const running = calls.slice(calls.findIndex((call) => call.fp === fp));
  const frames = framesOf(running, pc);
  const looked = frames.findIndex(({ target }) => !isLibrary(target));
  return frames.map((frame, index) =>
    index === looked ? { ...frame, before: way(running, frame, index) } : frame,
  );

  /** Returns what a function made before it was left. */
  function way(stacked: readonly StackedCall[], { at }: Frame, index: number): readonly number[] {
    const own = stacked[index] ?? entry;
    const callee = stacked[index - 1];
    const before: number[] = [];
    const making = new Again(machine, own);
    const isLeft = (): boolean =>
      making.pc === at &&
      (callee === undefined ? making.ends(panic) : making.ap + CALL === callee.fp);
    const isFound = making.runTo(() => {
      if (making.fp !== own.fp) return false;
      if (isLeft()) return true;
      before.push(making.pc);
      if (before.length > 2 * MAX_KEPT) before.splice(0, MAX_KEPT);
      return false;
    });
    return isFound ? before : [];
  }
}

/** Cells that a call puts on the stack. */
const CALL = 2;

function framesOf(calls: readonly StackedCall[], pc: number): readonly Frame[] {
  return calls.map(({ target }, index) => {
    return { target, at: calls[index - 1]?.call ?? pc, before: [] };
  });
}

/** Makes a part of a run again on the memory that the run left: all its cells are there, so nothing is asked for. */
class Again {
  readonly #machine: Machine;
  readonly #program: Program;

  public constructor(ended: Machine, from: StackedCall) {
    this.#program = ended.program.withoutHints();
    this.#machine = new Machine(this.#program, ended.memory, ended.builtins, {
      end: ended.end,
      now: () => 0,
    });
    this.#machine.pc = from.target;
    this.#machine.fp = from.fp;
    this.#machine.ap = from.fp;
  }

  public get pc(): number {
    return this.#machine.pc;
  }

  public get fp(): number {
    return this.#machine.fp;
  }

  public get ap(): number {
    return this.#machine.ap;
  }

  /** Returns whether the last two cells of the stack, where a panic's data are, have these words. */
  public ends([start, end]: readonly Word[]): boolean {
    return this.#machine.cell("ap", -2) === start && this.#machine.cell("ap", -1) === end;
  }

  /** Makes steps until an instruction is looked for; false where none is within the limit. */
  public runTo(isSought: (instruction: Instruction) => boolean): boolean {
    for (let step = 0; step < MAX_AGAIN; step += 1) {
      if (isSought(this.#program.instruction(this.pc))) return true;
      if (this.#machine.run(1) !== "slice") return false;
    }
    return false;
  }
}
