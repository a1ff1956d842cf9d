import type { Dictionary, MachineState } from "../machine-state.js";
import { inconsistent } from "../vm-error.js";
import { isPointer, pointer, segmentOf, type Word } from "../words.js";
import { feltOf, hint, type Hint, operand, target, writeFelt } from "./operand.js";

/** Cells of an access: key, previous value, new value. */
const ACCESS_CELLS = 3;
/** What an empty dictionary takes, in felts. */
const DICTIONARY_FELTS = 8;
/** Cells of a dictionary's info in the segment arena: start, end, order of squashing. */
const INFO_CELLS = 3;

function dictionaryOf(machine: MachineState, at: Word): Dictionary {
  const dictionary = isPointer(at) ? machine.hintState.dictionaries.get(segmentOf(at)) : undefined;
  if (dictionary === undefined) throw inconsistent("a dictionary is used that was never created");
  return dictionary;
}

function update(machine: MachineState, at: Word, keyAt: Word, value: Word): void {
  const key = machine.memory.felt(machine.memory.load(keyAt), "a dictionary's key");
  put(machine, dictionaryOf(machine, at), key, value);
}

/** Sets a value, and counts a new key against the run's memory. */
function put({ memory }: MachineState, dictionary: Dictionary, key: bigint, value: Word): void {
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
    machine.memory.store(machine.memory.add(at, 1), dictionaryOf(machine, at).get(feltOf(machine, key)) ?? 0);
  }),
  // The operand points behind the entry that is updated.
  Felt252DictEntryUpdate: hint({ dict_ptr: operand, value: operand }, ({ dict_ptr, value }) => (machine) => {
    const at = dict_ptr(machine);
    update(machine, at, machine.memory.subtract(at, ACCESS_CELLS), value(machine));
  }),
  Felt252DictRead: hint({ dict_ptr: operand, key: operand, value_dst: target }, ({ dict_ptr, key, value_dst }) => {
    return (machine) => {
      value_dst(machine, dictionaryOf(machine, dict_ptr(machine)).get(feltOf(machine, key)) ?? 0);
    };
  }),
  Felt252DictWrite: hint({ dict_ptr: operand, key: operand, value: operand }, ({ dict_ptr, key, value }) => {
    return (machine) => {
      const at = dict_ptr(machine);
      const dictionary = dictionaryOf(machine, at);
      machine.memory.store(machine.memory.add(at, 1), dictionary.get(feltOf(machine, key)) ?? 0);
      put(machine, dictionary, feltOf(machine, key), value(machine));
    };
  }),
  GetSegmentArenaIndex: hint({ dict_end_ptr: operand, dict_index: target }, ({ dict_end_ptr, dict_index }) => {
    return (machine) => {
      const end = dict_end_ptr(machine);
      dictionaryOf(machine, end);
      dict_index(machine, machine.hintState.arenaIndex.get(segmentOf(end)) ?? NaN);
    };
  }),
} as const;

const RANGE_CHECK_LIMIT = 1n << 128n;

/** The key being squashed. */
function squashedKey({ hintState }: MachineState): bigint {
  return hintState.squashKeys.at(-1) ?? -1n;
}

/** The next access of the key being squashed, -1 behind the last. */
function access(machine: MachineState): number {
  const index = machine.hintState.nextAccess.get(squashedKey(machine));
  if (index === undefined) throw inconsistent("a dictionary is squashed further than it was accessed");
  return index;
}

function nextAccess(machine: MachineState): number {
  const index = access(machine);
  if (index < 0) throw inconsistent("a dictionary's key has no access left to squash");
  return index;
}

/** Whether the key being squashed has an access behind its next one. */
function hasMore(machine: MachineState): boolean {
  return (machine.hintState.laterAccess[access(machine)] ?? -1) >= 0;
}

function nothing(): Hint {
  return () => {
    // The compiler's own check on its bookkeeping: the program asserts all of it again.
  };
}

/** Hints that squash a dictionary: walk its accesses by ascending key, and by time within a key. */
export const SQUASH_HINTS = {
  InitSquashData: hint(
    { dict_accesses: operand, ptr_diff: operand, n_accesses: operand, big_keys: target, first_key: target },
    ({ dict_accesses, ptr_diff, n_accesses, big_keys, first_key }) =>
      (machine) => {
        const { memory, hintState } = machine;
        const start = dict_accesses(machine);
        const count = Number(feltOf(machine, n_accesses));
        if (Number(feltOf(machine, ptr_diff)) !== count * ACCESS_CELLS) {
          throw inconsistent("the accesses to squash are not whole entries");
        }
        const keyOf = (index: number): bigint =>
          memory.felt(memory.load(memory.add(start, index * ACCESS_CELLS)), "a dictionary's key");
        // The last one is looked at first: a count beyond what was written takes no room.
        if (count > 0) keyOf(count - 1);
        const first = new Map<bigint, number>();
        const later = new Int32Array(count);
        for (let index = count - 1; index >= 0; index -= 1) {
          const key = keyOf(index);
          later[index] = first.get(key) ?? -1;
          first.set(key, index);
        }
        const keys = [...first.keys()].sort((a, b) => (a < b ? 1 : -1));
        const [highest] = keys;
        const lowest = keys.at(-1);
        if (highest === undefined || lowest === undefined) throw inconsistent("no accesses to squash");
        hintState.squashKeys = keys;
        hintState.nextAccess = first;
        hintState.laterAccess = later;
        big_keys(machine, highest >= RANGE_CHECK_LIMIT ? 1 : 0);
        writeFelt(machine, first_key, lowest);
      },
  ),
  GetCurrentAccessIndex: hint({ range_check_ptr: operand }, ({ range_check_ptr }) => (machine) => {
    machine.memory.store(range_check_ptr(machine), nextAccess(machine));
  }),
  ShouldSkipSquashLoop: hint({ should_skip_loop: target }, ({ should_skip_loop }) => (machine) => {
    should_skip_loop(machine, hasMore(machine) ? 0 : 1);
  }),
  GetCurrentAccessDelta: hint({ index_delta_minus1: target }, ({ index_delta_minus1 }) => (machine) => {
    const previous = nextAccess(machine);
    const { hintState } = machine;
    hintState.nextAccess.set(squashedKey(machine), hintState.laterAccess[previous] ?? -1);
    index_delta_minus1(machine, nextAccess(machine) - previous - 1);
  }),
  ShouldContinueSquashLoop: hint({ should_continue: target }, ({ should_continue }) => (machine) => {
    should_continue(machine, hasMore(machine) ? 1 : 0);
  }),
  GetNextDictKey: hint({ next_key: target }, ({ next_key }) => (machine) => {
    const { squashKeys } = machine.hintState;
    squashKeys.pop();
    const key = squashKeys.at(-1);
    if (key === undefined) throw inconsistent("no dictionary key is left to squash");
    writeFelt(machine, next_key, key);
  }),
  AssertCurrentAccessIndicesIsEmpty: hint({}, nothing),
  AssertAllAccessesUsed: hint({ n_used_accesses: target }, nothing),
  AssertAllKeysUsed: hint({}, nothing),
} as const;
