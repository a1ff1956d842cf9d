import type { BuiltinSet } from "./builtins/builtin-set.js";
import type { Memory } from "./memory.js";
import type { Word } from "./words.js";

/** A felt below 2^50 as a number, any other as a bigint. JavaScript compares the two by value. */
export type Felt = number | bigint;

/** Position in the squashing of a dictionary: by ascending key, and by access within a key. */
export interface Squash {
  readonly start: Word;
  /** First access of each key, as the keys ascend. */
  readonly firsts: Int32Array;
  /** Next access of the same key by access, -1 for none. */
  readonly later: Int32Array;
  /** Index of the key in `firsts`. */
  key: number;
  /** Its next access, -1 behind the last. */
  access: number;
}

/** State that hints keep between each other during a run: dictionaries, squashing, allocation and printed felts. */
export class HintState {
  /** By segment: the current values of a dictionary by key. */
  public readonly dictionaries = new Map<number, Map<Felt, Word>>();
  /** Index in the segment arena, by segment. */
  public readonly arenaIndex = new Map<number, number>();
  public squash: Squash | undefined;
  /** Index of the arc that a comparison excludes, of three. */
  public excludedArc = 0;
  /** The next free cell for allocations of constant size. */
  public allocation: Word | undefined;
  public readonly printed: (readonly bigint[])[] = [];
}

/** Records felts that a module prints, and charges their memory. */
export function print({ hintState, memory }: MachineState, felts: readonly bigint[]): void {
  memory.chargeFelts(felts.length + 1);
  hintState.printed.push([...felts]);
}

/** A Cairo machine between two instructions, as hints, single steps and system calls see it. */
export interface MachineState {
  pc: number;
  /** ap and fp as offsets in the stack's segment. */
  ap: number;
  fp: number;
  /** Steps made, up to date while the run waits for a system call. */
  readonly steps: number;
  /** Pointer of the system call that the run stops for. */
  syscall: Word;
  /** Unfinished work of a hint, in steps of some milliseconds: done before the run continues. */
  work: Generator<undefined, void> | undefined;
  readonly memory: Memory;
  readonly builtins: BuiltinSet;
  readonly hintState: HintState;
  /** What the outermost return restores. */
  readonly end: { readonly fp: Word; readonly pc: Word };
  cell(register: "ap" | "fp", offset: number): Word;
  /** Writes the cell of the stack at `register + offset`, or checks that it holds the same value already. */
  write(register: "ap" | "fp", offset: number, word: Word): void;
}
