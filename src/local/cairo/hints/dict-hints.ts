import { inconsistent } from "../vm-error.js";
import { isPointer, pointer, segmentOf, type Word } from "../words.js";
import type { Machine } from "../machine.js";
import type { Dictionary } from "./hint-state.js";
import { feltOf, hint, operand, target } from "./operand.js";

/** Cells of an access: key, previous value, new value. */
export const ACCESS_CELLS = 3;
/** Cells of a dictionary's info in the segment arena: start, end, order of squashing. */
const INFO_CELLS = 3;

function dictionaryOf(machine: Machine, at: Word): Dictionary {
  const dictionary = isPointer(at) ? machine.hintState.dictionaries.get(segmentOf(at)) : undefined;
  if (dictionary === undefined) throw inconsistent("a dictionary is used that was never created");
  return dictionary;
}

function update(machine: Machine, at: Word, keyAt: Word, value: Word): void {
  const key = machine.memory.felt(machine.memory.load(keyAt), "a dictionary's key");
  dictionaryOf(machine, at).set(key, value);
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
      dictionary.set(feltOf(machine, key), value(machine));
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
