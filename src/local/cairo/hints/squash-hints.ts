import type { Machine } from "../machine.js";
import { inconsistent } from "../vm-error.js";
import { ACCESS_CELLS } from "./dict-hints.js";
import { feltOf, hint, operand, target, writeFelt, type Hint } from "./operand.js";

const RANGE_CHECK_LIMIT = 1n << 128n;

/** The accesses left of the key being squashed, the next one last. */
function accessesLeft(machine: Machine): number[] {
  const { squashKeys, accessIndices } = machine.hintState;
  const accesses = accessIndices.get(squashKeys.at(-1) ?? -1n);
  if (accesses === undefined) throw inconsistent("a dictionary is squashed further than it was accessed");
  return accesses;
}

function nextAccess(machine: Machine): number {
  const index = accessesLeft(machine).at(-1);
  if (index === undefined) throw inconsistent("a dictionary's key has no access left to squash");
  return index;
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
        const accesses = new Map<bigint, number[]>();
        for (let index = count - 1; index >= 0; index -= 1) {
          const key = memory.felt(memory.load(memory.add(start, index * ACCESS_CELLS)), "a dictionary's key");
          const indices = accesses.get(key);
          if (indices === undefined) accesses.set(key, [index]);
          else indices.push(index);
        }
        const keys = [...accesses.keys()].sort((a, b) => (a < b ? 1 : -1));
        const [highest] = keys;
        const lowest = keys.at(-1);
        if (highest === undefined || lowest === undefined) throw inconsistent("no accesses to squash");
        hintState.squashKeys = keys;
        hintState.accessIndices = accesses;
        big_keys(machine, highest >= RANGE_CHECK_LIMIT ? 1 : 0);
        writeFelt(machine, first_key, lowest);
      },
  ),
  GetCurrentAccessIndex: hint({ range_check_ptr: operand }, ({ range_check_ptr }) => (machine) => {
    machine.memory.store(range_check_ptr(machine), nextAccess(machine));
  }),
  ShouldSkipSquashLoop: hint({ should_skip_loop: target }, ({ should_skip_loop }) => (machine) => {
    should_skip_loop(machine, accessesLeft(machine).length > 1 ? 0 : 1);
  }),
  GetCurrentAccessDelta: hint({ index_delta_minus1: target }, ({ index_delta_minus1 }) => (machine) => {
    const previous = accessesLeft(machine).pop() ?? NaN;
    index_delta_minus1(machine, nextAccess(machine) - previous - 1);
  }),
  ShouldContinueSquashLoop: hint({ should_continue: target }, ({ should_continue }) => (machine) => {
    should_continue(machine, accessesLeft(machine).length > 1 ? 1 : 0);
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
