import { type Felt, type MachineState, Squash } from "../machine-state.js";
import type { Memory } from "../memory.js";
import { inconsistent, isPointer, pointer, segmentOf, SMALL_LIMIT, type Word } from "../words.js";
import { asserted, feltOf, hint, operand, target } from "./operand.js";

/** The felt of a word; a pointer or an unset cell is an error named by `what`. */
export function feltOfWord(memory: Memory, word: Word, what: string): Felt {
  return word >= 0 && word < SMALL_LIMIT ? word : memory.felt(word, what);
}

const FACTOR = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;

/** Returns a felt as a key of maps. Maps hash a bigint by its lowest 64 bits, so that packed felts would collide. */
export function mapKey(felt: Felt): Felt {
  if (typeof felt === "number") return felt;
  const mixed = BigInt.asUintN(256, felt * FACTOR);
  return mixed ^ (mixed >> 192n);
}

/** Felts that are sorted, or merged, in one step. */
const RUN = 16_384;

/** Sorts felts in ascending order, in steps of some milliseconds. */
export function* sortedFelts(felts: readonly Felt[]): Generator<undefined, readonly Felt[]> {
  let runs: (readonly Felt[])[] = [];
  for (let start = 0; start < felts.length; start += RUN) {
    yield;
    runs.push(sortedRun(felts.slice(start, start + RUN)));
  }
  while (runs.length > 1) {
    const merged: (readonly Felt[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergedRuns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Typed arrays sort numbers many times as fast. */
function sortedRun(felts: readonly Felt[]): readonly Felt[] {
  const numbers = Float64Array.from(felts.filter((felt) => typeof felt === "number")).sort();
  const others = felts.filter((felt) => typeof felt === "bigint").sort((a, b) => (a < b ? -1 : 1));
  return [...numbers, ...others];
}

function* mergedRuns(one: readonly Felt[], other: readonly Felt[]): Generator<undefined, readonly Felt[]> {
  const merged: Felt[] = [];
  let [fromOne, fromOther] = [0, 0];
  while (merged.length < one.length + other.length) {
    if (merged.length % RUN === 0) yield;
    const [a, b] = [one[fromOne], other[fromOther]];
    if (a !== undefined && (b === undefined || a < b)) {
      merged.push(a);
      fromOne += 1;
    } else if (b !== undefined) {
      merged.push(b);
      fromOther += 1;
    }
  }
  return merged;
}

/** Cells of an access: key, previous value, new value. */
const ACCESS_CELLS = 3;
/** Memory of an empty dictionary, in felts. */
const DICTIONARY_FELTS = 8;
/** Cells of a dictionary's info in the segment arena: start, end, order of squashing. */
const INFO_CELLS = 3;

function dictionaryOf({ hintState }: MachineState, at: Word): Map<Felt, Word> {
  const dictionary = isPointer(at) ? hintState.dictionaries.get(segmentOf(at)) : undefined;
  if (dictionary === undefined) throw inconsistent("a dictionary is used that was never created");
  return dictionary;
}

function keyOf({ memory }: MachineState, key: Word): Felt {
  return mapKey(feltOfWord(memory, key, "a dictionary's key"));
}

/** Sets a value, and counts a new key against the run's memory. */
function put({ memory }: MachineState, dictionary: Map<Felt, Word>, key: Felt, value: Word): void {
  const known = dictionary.size;
  dictionary.set(key, value);
  if (dictionary.size > known) memory.chargeFelts(1);
}

/** Hints of dictionaries: a dictionary is a list of accesses in memory, its current values are kept here. */
export const DICT_HINTS = {
  // The operand points behind the arena's last entry (infos, opened, squashed).
  AllocFelt252Dict: hint({ segment_arena_ptr: operand }, ({ segment_arena_ptr }) => (machine) => {
    const { memory, hintState } = machine;
    const arena = segment_arena_ptr(machine);
    const opened = Number(memory.felt(memory.load(memory.subtract(arena, 2)), "the number of dictionaries"));
    const infos = memory.load(memory.subtract(arena, 3));
    const segment = memory.addSegment();
    memory.store(memory.add(infos, opened * INFO_CELLS), pointer(segment, 0));
    memory.chargeFelts(DICTIONARY_FELTS);
    hintState.dictionaries.set(segment, new Map());
    hintState.arenaIndex.set(segment, opened);
  }),
  Felt252DictEntryInit: hint({ dict_ptr: operand, key: operand }, ({ dict_ptr, key }) => (machine) => {
    const at = dict_ptr(machine);
    machine.memory.store(machine.memory.add(at, 1), dictionaryOf(machine, at).get(keyOf(machine, key(machine))) ?? 0);
  }),
  // The operand points behind the entry that is updated.
  Felt252DictEntryUpdate: hint({ dict_ptr: operand, value: operand }, ({ dict_ptr, value }) => (machine) => {
    const { memory } = machine;
    const at = dict_ptr(machine);
    const key = keyOf(machine, memory.load(memory.subtract(at, ACCESS_CELLS)));
    put(machine, dictionaryOf(machine, at), key, value(machine));
  }),
  Felt252DictRead: hint({ dict_ptr: operand, key: operand, value_dst: target }, ({ dict_ptr, key, value_dst }) => {
    return (machine) => {
      value_dst(machine, dictionaryOf(machine, dict_ptr(machine)).get(keyOf(machine, key(machine))) ?? 0);
    };
  }),
  Felt252DictWrite: hint({ dict_ptr: operand, key: operand, value: operand }, ({ dict_ptr, key, value }) => {
    return (machine) => {
      const at = dict_ptr(machine);
      const dictionary = dictionaryOf(machine, at);
      const name = keyOf(machine, key(machine));
      machine.memory.store(machine.memory.add(at, 1), dictionary.get(name) ?? 0);
      put(machine, dictionary, name, value(machine));
    };
  }),
  GetSegmentArenaIndex: hint({ dict_end_ptr: operand, dict_index: target }, ({ dict_end_ptr, dict_index }) => {
    return (machine) => {
      const end = dict_end_ptr(machine);
      const index = isPointer(end) ? machine.hintState.arenaIndex.get(segmentOf(end)) : undefined;
      if (index === undefined) throw inconsistent("a dictionary is used that was never created");
      dict_index(machine, index);
    };
  }),
} as const;

const RANGE_CHECK_LIMIT = 1n << 128n;

/** The next access of the key being squashed, -1 behind the last. */
function access({ hintState: { squash } }: MachineState): number {
  const index = squash?.access;
  if (index === undefined) throw inconsistent("a dictionary is squashed further than it was accessed");
  return index;
}

function nextAccess(machine: MachineState): number {
  const index = access(machine);
  if (index < 0) throw inconsistent("a dictionary's key has no access left to squash");
  return index;
}

/** The access of the same key behind its next one, -1 for none. */
function accessBehind(machine: MachineState): number {
  return machine.hintState.squash?.later[access(machine)] ?? -1;
}

function keyOfAccess(memory: Memory, start: Word, index: number): Word {
  return memory.load(start - index * ACCESS_CELLS);
}

/** Accesses processed in one step. */
const ACCESSES_A_STEP = 32_768;

/** Sorts the accesses by key, and reports the lowest key, as a word, and whether a key has more than 128 bits. */
function* beginSquash(
  { memory, hintState }: MachineState,
  start: Word,
  count: number,
  report: (lowest: Word, hasLargeKeys: boolean) => void,
): Generator<undefined> {
  const feltAt = (index: number): Felt => feltOfWord(memory, keyOfAccess(memory, start, index), "a dictionary's key");
  // Reads the last access first, so that a count beyond the written cells does not allocate memory.
  if (count > 0) feltAt(count - 1);
  const first = new Map<Felt, number>();
  const felts: Felt[] = [];
  const later = new Int32Array(count);
  for (let index = count - 1; index >= 0; index -= 1) {
    if (index % ACCESSES_A_STEP === 0) yield;
    const felt = feltAt(index);
    const key = mapKey(felt);
    const known = first.get(key);
    if (known === undefined) felts.push(felt);
    later[index] = known ?? -1;
    first.set(key, index);
  }
  const firsts = new Int32Array(felts.length);
  const sorted = yield* sortedFelts(felts);
  for (const [at, felt] of sorted.entries()) {
    if (at % ACCESSES_A_STEP === 0) yield;
    firsts[at] = first.get(mapKey(felt)) ?? -1;
  }
  const [lowest] = firsts;
  const highest = sorted.at(-1);
  if (highest === undefined || lowest === undefined) throw inconsistent("no accesses to squash");
  hintState.squash = new Squash(start, firsts, later);
  report(keyOfAccess(memory, start, lowest), highest >= RANGE_CHECK_LIMIT);
}

/** Hints that squash a dictionary: walk its accesses by ascending key, and by time within a key. */
export const SQUASH_HINTS = {
  InitSquashData: hint(
    { dict_accesses: operand, ptr_diff: operand, n_accesses: operand, big_keys: target, first_key: target },
    ({ dict_accesses, ptr_diff, n_accesses, big_keys, first_key }) =>
      (machine) => {
        const start = dict_accesses(machine);
        const count = Number(feltOf(machine, n_accesses));
        if (Number(feltOf(machine, ptr_diff)) !== count * ACCESS_CELLS) {
          throw inconsistent("the accesses to squash are not whole entries");
        }
        if (!isPointer(start)) throw inconsistent("the accesses to squash are at no address");
        machine.work = beginSquash(machine, start, count, (lowest, hasLargeKeys) => {
          big_keys(machine, hasLargeKeys ? 1 : 0);
          first_key(machine, lowest);
        });
      },
  ),
  GetCurrentAccessIndex: hint({ range_check_ptr: operand }, ({ range_check_ptr }) => (machine) => {
    machine.memory.store(range_check_ptr(machine), nextAccess(machine));
  }),
  ShouldSkipSquashLoop: hint({ should_skip_loop: target }, ({ should_skip_loop }) => (machine) => {
    should_skip_loop(machine, accessBehind(machine) >= 0 ? 0 : 1);
  }),
  GetCurrentAccessDelta: hint({ index_delta_minus1: target }, ({ index_delta_minus1 }) => (machine) => {
    const previous = nextAccess(machine);
    machine.hintState.squash?.advance();
    index_delta_minus1(machine, nextAccess(machine) - previous - 1);
  }),
  ShouldContinueSquashLoop: hint({ should_continue: target }, ({ should_continue }) => (machine) => {
    should_continue(machine, accessBehind(machine) >= 0 ? 1 : 0);
  }),
  GetNextDictKey: hint({ next_key: target }, ({ next_key }) => (machine) => {
    const { squash } = machine.hintState;
    const first = squash?.nextKey();
    if (squash === undefined || first === undefined) throw inconsistent("no dictionary key is left to squash");
    next_key(machine, keyOfAccess(machine.memory, squash.start, first));
  }),
  AssertCurrentAccessIndicesIsEmpty: asserted({}),
  AssertAllAccessesUsed: asserted({ n_used_accesses: target }),
  AssertAllKeysUsed: asserted({}),
} as const;
