import { PRIME } from "../felt.js";
import { hint, operand, target, feltOf, type Hint } from "./operand.js";

/** ceil(ceil(PRIME / 3) / 2^128) and the same for a half: the programs assert arcs against these constants. */
const THIRD_HIGH = 3544607988759775765608368578435044694n;
const HALF_HIGH = 5316911983139663648412552867652567041n;

function nothing(): Hint {
  return () => {
    // States what the program asserts itself.
  };
}

/** Hints of `a <= b` on felts: the circle is cut at 0, a and b, and the two shorter arcs are shown to be short. */
export const ASSERT_LE_HINTS = {
  AssertLeFindSmallArcs: hint({ range_check_ptr: operand, a: operand, b: operand }, ({ range_check_ptr, a, b }) => {
    return (machine) => {
      const { memory } = machine;
      const low = feltOf(machine, a);
      const high = feltOf(machine, b);
      const arcs = [low, (((high - low) % PRIME) + PRIME) % PRIME, PRIME - 1n - high].map((length, arc) => ({
        length,
        arc,
      }));
      arcs.sort((left, right) =>
        left.length < right.length ? -1 : left.length > right.length ? 1 : left.arc - right.arc,
      );
      const [shortest, middle, longest] = arcs;
      if (shortest === undefined || middle === undefined || longest === undefined) return;
      machine.hintState.excludedArc = longest.arc;
      memory.storeFelts(range_check_ptr(machine), [
        shortest.length % THIRD_HIGH,
        shortest.length / THIRD_HIGH,
        middle.length % HALF_HIGH,
        middle.length / HALF_HIGH,
      ]);
    };
  }),
  AssertLeIsFirstArcExcluded: hint({ skip_exclude_a_flag: target }, ({ skip_exclude_a_flag }) => (machine) => {
    skip_exclude_a_flag(machine, machine.hintState.excludedArc === 0 ? 0 : 1);
  }),
  AssertLeIsSecondArcExcluded: hint({ skip_exclude_b_minus_a: target }, ({ skip_exclude_b_minus_a }) => (machine) => {
    skip_exclude_b_minus_a(machine, machine.hintState.excludedArc === 1 ? 0 : 1);
  }),
  AssertLeAssertThirdArcExcluded: hint({}, nothing),
  AssertLtAssertValidInput: hint({ a: operand, b: operand }, nothing),
} as const;
