import type { Felt, MachineState, Squash } from "../machine-state.js";
import type { Memory } from "../memory.js";
import {
  inconsistent,
  isPointer,
  pointer,
  pointerSegment,
  SMALL_LIMIT,
  type Word,
} from "../words.js";
import { asserted, operandFelt, hint, operand, target } from "./operand.js";

/** Returns the felt of a word. @param what names the value in the error for a pointer or an unset cell */
function feltOfWord(memory: Memory, word: Word, what: string): Felt {
  return word >= 0 && word < SMALL_LIMIT ? word : memory.felt(word, what);
}

const FACTOR = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;

/** Returns a felt as a key of maps. Maps hash a bigint by its lowest 64 bits, so that packed felts would collide. */
export function mapKey(felt: Felt): Felt {
  if (typeof felt === "number") return felt;
  const mixed = BigInt.asUintN(256, felt * FACTOR);
  return mixed ^ (mixed >> 192n);
}

/** Work of some milliseconds: accesses that are read, felts that are sorted. */
const STEP = 16_384;
/** Bits by which felts are divided until they can be sorted in one step. */
const DIGIT = 12n;

/** Sorts distinct felts in ascending order, in steps. Typed arrays sort numbers many times as fast. */
export function* sortedFelts(felts: readonly Felt[]): Generator<undefined, readonly Felt[]> {
  const sorted: Felt[] = [
    ...Float64Array.from(felts.filter((felt) => typeof felt === "number")).sort(),
  ];
  const others = felts.filter((felt) => typeof felt === "bigint");
  yield;
  yield* sortBelow(252n, others, sorted);
  return sorted;
}

/** Appends felts that are equal except for their lowest `bits`, in ascending order. */
function* sortBelow(bits: bigint, felts: bigint[], sorted: Felt[]): Generator<undefined, void> {
  if (felts.length <= STEP) {
    sorted.push(...felts.sort((a, b) => (a < b ? -1 : 1)));
    return;
  }
  const parts: bigint[][] = [];
  for (const [at, felt] of felts.entries()) {
    if (at % STEP === 0) yield;
    (parts[Number(BigInt.asUintN(Number(bits), felt) >> (bits - DIGIT))] ??= []).push(felt);
  }
  // `filter` skips the parts that no felt is in.
  for (const part of parts.filter(Boolean)) {
    yield;
    yield* sortBelow(bits - DIGIT, part, sorted);
  }
}

/** Cells of an access: key, previous value, new value. */
const ACCESS_CELLS = 3;
/** Memory of an empty dictionary, in felts. */
const DICTIONARY_FELTS = 8;
/** Cells of a dictionary's info in the segment arena: start, end, order of squashing. */
const INFO_CELLS = 3;

function findDictionary({ hintState }: MachineState, at: Word): Map<Felt, Word> {
  const dictionary = isPointer(at) ? hintState.dictionaries.get(pointerSegment(at)) : undefined;
  if (dictionary === undefined) throw inconsistent("a dictionary is used that was never created");
  return dictionary;
}

function dictionaryKey({ memory }: MachineState, key: Word): Felt {
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
  AllocFelt252Dict: hint({ segment_arena_ptr: operand }, (machine, { segment_arena_ptr }) => {
    const { memory, hintState } = machine;
    const arena = segment_arena_ptr(machine);
    const opened = Number(
      memory.felt(memory.load(memory.subtract(arena, 2)), "the number of dictionaries"),
    );
    const infos = memory.load(memory.subtract(arena, 3));
    const segment = memory.segments.add();
    memory.store(memory.add(infos, opened * INFO_CELLS), pointer(segment, 0));
    memory.chargeFelts(DICTIONARY_FELTS);
    hintState.dictionaries.set(segment, new Map());
    hintState.arenaIndex.set(segment, opened);
  }),
  Felt252DictEntryInit: hint({ dict_ptr: operand, key: operand }, (machine, { dict_ptr, key }) => {
    const at = dict_ptr(machine);
    machine.memory.store(
      machine.memory.add(at, 1),
      findDictionary(machine, at).get(dictionaryKey(machine, key(machine))) ?? 0,
    );
  }),
  // The operand points behind the entry that is updated.
  Felt252DictEntryUpdate: hint(
    { dict_ptr: operand, value: operand },
    (machine, { dict_ptr, value }) => {
      const { memory } = machine;
      const at = dict_ptr(machine);
      const key = dictionaryKey(machine, memory.load(memory.subtract(at, ACCESS_CELLS)));
      put(machine, findDictionary(machine, at), key, value(machine));
    },
  ),
  Felt252DictRead: hint(
    { dict_ptr: operand, key: operand, value_dst: target },
    (machine, { dict_ptr, key, value_dst }) => {
      value_dst(
        machine,
        findDictionary(machine, dict_ptr(machine)).get(dictionaryKey(machine, key(machine))) ?? 0,
      );
    },
  ),
  Felt252DictWrite: hint(
    { dict_ptr: operand, key: operand, value: operand },
    (machine, { dict_ptr, key, value }) => {
      const at = dict_ptr(machine);
      const dictionary = findDictionary(machine, at);
      const name = dictionaryKey(machine, key(machine));
      machine.memory.store(machine.memory.add(at, 1), dictionary.get(name) ?? 0);
      put(machine, dictionary, name, value(machine));
    },
  ),
  GetSegmentArenaIndex: hint(
    { dict_end_ptr: operand, dict_index: target },
    (machine, { dict_end_ptr, dict_index }) => {
      const end = dict_end_ptr(machine);
      const index = isPointer(end)
        ? machine.hintState.arenaIndex.get(pointerSegment(end))
        : undefined;
      if (index === undefined) throw inconsistent("a dictionary is used that was never created");
      dict_index(machine, index);
    },
  ),
} as const;

const RANGE_CHECK_LIMIT = 1n << 128n;

function requireSquash({ hintState: { squash } }: MachineState): Squash {
  if (squash === undefined)
    throw inconsistent("a dictionary is squashed further than it was accessed");
  return squash;
}

function nextAccess({ access }: Squash): number {
  if (access < 0) throw inconsistent("a dictionary's key has no access left to squash");
  return access;
}

/** Returns whether the key that is squashed has an access behind its next one. */
function hasMore(machine: MachineState): boolean {
  const { access, later } = requireSquash(machine);
  return (later[access] ?? -1) >= 0;
}

function keyOfAccess(memory: Memory, start: Word, index: number): Word {
  return memory.load(start - index * ACCESS_CELLS);
}

/** Sorts the accesses by key, and reports the lowest key, as a word, and whether a key has more than 128 bits. */
function* beginSquash(
  { memory, hintState }: MachineState,
  start: Word,
  count: number,
  report: (lowest: Word, hasLargeKeys: boolean) => void,
): Generator<undefined, void> {
  const feltAt = (index: number): Felt =>
    feltOfWord(memory, keyOfAccess(memory, start, index), "a dictionary's key");
  // Reads the last access first, so that a count beyond the written cells does not allocate memory.
  if (count > 0) feltAt(count - 1);
  const first = new Map<Felt, number>();
  const felts: Felt[] = [];
  const later = new Int32Array(count);
  for (let index = count - 1; index >= 0; index -= 1) {
    if (index % STEP === 0) yield;
    const felt = feltAt(index);
    const key = mapKey(felt);
    const known = first.get(key);
    if (known === undefined) felts.push(felt);
    later[index] = known ?? -1;
    first.set(key, index);
  }
  const sorted = yield* sortedFelts(felts);
  const firsts = new Int32Array(sorted.length);
  for (const [at, felt] of sorted.entries()) {
    if (at % STEP === 0) yield;
    firsts[at] = first.get(mapKey(felt)) ?? -1;
  }
  const [lowest] = firsts;
  const highest = sorted.at(-1);
  if (highest === undefined || lowest === undefined) throw inconsistent("no accesses to squash");
  hintState.squash = { start, firsts, later, key: 0, access: lowest };
  report(keyOfAccess(memory, start, lowest), highest >= RANGE_CHECK_LIMIT);
}

/** Hints that squash a dictionary: walk its accesses by ascending key, and by time within a key. */
export const SQUASH_HINTS = {
  InitSquashData: hint(
    {
      dict_accesses: operand,
      ptr_diff: operand,
      n_accesses: operand,
      big_keys: target,
      first_key: target,
    },
    (machine, { dict_accesses, ptr_diff, n_accesses, big_keys, first_key }) => {
      const start = dict_accesses(machine);
      const count = Number(operandFelt(machine, n_accesses));
      if (Number(operandFelt(machine, ptr_diff)) !== count * ACCESS_CELLS) {
        throw inconsistent("the accesses to squash are not whole entries");
      }
      if (!isPointer(start)) throw inconsistent("the accesses to squash are at no address");
      machine.work = beginSquash(machine, start, count, (lowest, hasLargeKeys) => {
        big_keys(machine, hasLargeKeys ? 1 : 0);
        first_key(machine, lowest);
      });
    },
  ),
  GetCurrentAccessIndex: hint({ range_check_ptr: operand }, (machine, { range_check_ptr }) => {
    machine.memory.store(range_check_ptr(machine), nextAccess(requireSquash(machine)));
  }),
  ShouldSkipSquashLoop: hint({ should_skip_loop: target }, (machine, { should_skip_loop }) => {
    should_skip_loop(machine, hasMore(machine) ? 0 : 1);
  }),
  GetCurrentAccessDelta: hint({ index_delta_minus1: target }, (machine, { index_delta_minus1 }) => {
    const squash = requireSquash(machine);
    const previous = nextAccess(squash);
    squash.access = squash.later[previous] ?? -1;
    index_delta_minus1(machine, nextAccess(squash) - previous - 1);
  }),
  ShouldContinueSquashLoop: hint({ should_continue: target }, (machine, { should_continue }) => {
    should_continue(machine, hasMore(machine) ? 1 : 0);
  }),
  GetNextDictKey: hint({ next_key: target }, (machine, { next_key }) => {
    const { squash } = machine.hintState;
    const first = squash?.firsts[squash.key + 1];
    if (squash === undefined || first === undefined)
      throw inconsistent("no dictionary key is left to squash");
    squash.key += 1;
    squash.access = first;
    next_key(machine, keyOfAccess(machine.memory, squash.start, first));
  }),
  AssertCurrentAccessIndicesIsEmpty: asserted({}),
  AssertAllAccessesUsed: asserted({ n_used_accesses: target }),
  AssertAllKeysUsed: asserted({}),
} as const;
