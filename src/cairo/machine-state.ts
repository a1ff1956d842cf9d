import type { BuiltinSet } from "./builtins/builtin-set.js";
import type { Memory } from "./memory.js";
import type { Word } from "./words.js";

/** Values of one dictionary by key, as the hints remember them between accesses. */
export type Dictionary = Map<bigint, Word>;

/** What hints keep from one to the next during a run. */
export class HintState {
  /** By segment. */
  public readonly dictionaries = new Map<number, Dictionary>();
  /** Index in the segment arena, by segment. */
  public readonly arenaIndex = new Map<number, number>();
  /** Keys still to squash, the next one last. */
  public squashKeys: bigint[] = [];
  /** By key: the index of its next access to squash, -1 behind the last. */
  public nextAccess = new Map<bigint, number>();
  /** By access: the index of the next one of the same key, -1 for the last. */
  public laterAccess = new Int32Array(0);
  /** Which of the three arcs of a comparison is left out. */
  public excludedArc = 0;
  /** The next free cell for allocations of constant size. */
  public allocation: Word | undefined;
  /** Felts the module printed. */
  public readonly printed: (readonly bigint[])[] = [];

  /** The words that are kept here and may be in no cell. */
  public *words(): Generator<Word> {
    for (const dictionary of this.dictionaries.values()) yield* dictionary.values();
  }
}

/** Keeps what the module prints. */
export function print({ hintState, memory }: MachineState, felts: readonly bigint[]): void {
  memory.chargeFelts(felts.length + 1);
  hintState.printed.push([...felts]);
}

/** A Cairo machine between two instructions, as hints, single steps and system calls see it. */
export interface MachineState {
  pc: number;
  /** ap and fp as indices of the stack's array. */
  ap: number;
  fp: number;
  /** Pointer of the system call that the run stops for. */
  syscall: Word;
  readonly memory: Memory;
  readonly builtins: BuiltinSet;
  readonly hintState: HintState;
  /** What the outermost return restores. */
  readonly end: { readonly fp: Word; readonly pc: Word };
  /** The cell of the stack at `register + offset`. */
  cell(register: "ap" | "fp", offset: number): Word;
  /** Writes the cell of the stack at `register + offset`, or checks that it holds the same value already. */
  write(register: "ap" | "fp", offset: number, word: Word): void;
  /** The index of a frame by its offset in the stack, for a return that goes on at `pc`; undefined outside of the stack. */
  frameAt(offset: number, pc: number): number | undefined;
  /** The pointer `register + offset`. */
  address(register: "ap" | "fp", offset: number): Word;
}
