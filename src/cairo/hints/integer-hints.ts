import { Fp251 } from "@scure/starknet";

import { CURVE_BETA } from "../builtins/builtin-set.js";
import {
  gcdWithInverse,
  inconsistent,
  integerSqrt,
  pointer,
  PRIME,
  SMALL_LIMIT,
  reduceToFelt,
  type Word,
} from "../words.js";
import { print } from "../machine-state.js";
import type { Memory } from "../memory.js";
import {
  asserted,
  operandFelt,
  hint,
  integerHint,
  LIMB_MASK,
  limbNames,
  operand,
  target,
} from "./operand.js";

function requireDivisor(divisor: bigint): bigint {
  if (divisor === 0n) throw inconsistent("a hint divides by zero");
  return divisor;
}

function divide([dividend = 0n, divisor = 0n]: readonly bigint[]): readonly bigint[] {
  requireDivisor(divisor);
  return [dividend / divisor, dividend % divisor];
}

/** Returns a negative number where the left felt is below the right one, a positive one where it is above. */
function compare(memory: Memory, left: Word, right: Word): number {
  // Words of large felts are above all small felts, so that felts are only compared if both are large.
  if (left >= 0 && right >= 0 && (left < SMALL_LIMIT || right < SMALL_LIMIT)) return left - right;
  const low = memory.felt(left, "the left side of a comparison");
  const high = memory.felt(right, "the right side of a comparison");
  return compareIntegers(low, high);
}

/** Returns -1, 0 or 1, for sorting. */
function compareIntegers(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const comparison = { lhs: operand, rhs: operand, dst: target };

/** Hints that compare, divide and take roots of integers, by their name in a compiled class. */
export const INTEGER_HINTS = {
  TestLessThan: hint(comparison, (machine, { lhs, rhs, dst }) => {
    dst(machine, compare(machine.memory, lhs(machine), rhs(machine)) < 0 ? 1 : 0);
  }),
  TestLessThanOrEqual: hint(comparison, (machine, { lhs, rhs, dst }) => {
    dst(machine, compare(machine.memory, lhs(machine), rhs(machine)) <= 0 ? 1 : 0);
  }),
  // Pointers into one segment; a lower offset is a higher word.
  TestLessThanOrEqualAddress: hint(comparison, (machine, { lhs, rhs, dst }) => {
    const distance = machine.memory.subtract(rhs(machine), lhs(machine));
    dst(machine, distance < SMALL_LIMIT ? 1 : 0);
  }),
  // The two most frequent hints do not use `integerHint`, which makes them a tenth faster.
  WideMul128: hint(
    { lhs: operand, rhs: operand, high: target, low: target },
    (machine, { lhs, rhs, high, low }) => {
      const product = operandFelt(machine, lhs) * operandFelt(machine, rhs);
      low(machine, machine.memory.word(product & LIMB_MASK));
      high(machine, machine.memory.word(product >> 128n));
    },
  ),
  DivMod: hint(
    { lhs: operand, rhs: operand, quotient: target, remainder: target },
    (machine, { lhs, rhs, quotient, remainder }) => {
      const dividend = operandFelt(machine, lhs);
      const divisor = requireDivisor(operandFelt(machine, rhs));
      quotient(machine, machine.memory.word(dividend / divisor));
      remainder(machine, machine.memory.word(dividend % divisor));
    },
  ),
  Uint256DivMod: integerHint(
    [limbNames("dividend", 2), limbNames("divisor", 2)],
    [limbNames("quotient", 2), limbNames("remainder", 2)],
    divide,
  ),
  Uint512DivModByUint256: integerHint(
    [limbNames("dividend", 4), limbNames("divisor", 2)],
    [limbNames("quotient", 4), limbNames("remainder", 2)],
    divide,
  ),
  SquareRoot: integerHint([["value"]], [["dst"]], ([value = 0n]) => [integerSqrt(value)]),
  Uint256SquareRoot: integerHint(
    [["value_low", "value_high"]],
    [
      ["sqrt0"],
      ["sqrt1"],
      ["remainder_low", "remainder_high"],
      ["sqrt_mul_2_minus_remainder_ge_u128"],
    ],
    ([value = 0n]) => {
      const root = integerSqrt(value);
      const remainder = value - root * root;
      return [
        root & ((1n << 64n) - 1n),
        root >> 64n,
        remainder,
        root * 2n - remainder > LIMB_MASK ? 1n : 0n,
      ];
    },
  ),
  LinearSplit: integerHint(
    [["value"], ["scalar"], ["max_x"]],
    [["x"], ["y"]],
    ([value = 0n, scalar = 0n, max = 0n]) => {
      const whole = value / requireDivisor(scalar);
      const quotient = whole < max ? whole : max;
      return [quotient, value - quotient * scalar];
    },
  ),
  // With g = gcd(b, n): the inverse r of b and k = (r·b - 1) / n when g is 1, else g, b / g and n / g.
  U256InvModN: integerHint(
    [limbNames("b", 2), limbNames("n", 2)],
    [["g0_or_no_inv"], ["g1_option"], limbNames("s_or_r", 2), limbNames("t_or_k", 2)],
    ([b = 0n, n = 0n]) => {
      const { gcd, inverse } = gcdWithInverse(b, n);
      if (gcd === 1n && n !== 1n) return [0n, undefined, inverse, (inverse * b - 1n) / n];
      // The program recognizes "no inverse" by a low limb other than zero: 2 stands for every even divisor.
      const divisor = gcd % 2n === 0n ? 2n : gcd;
      return [divisor & LIMB_MASK, divisor >> 128n, b / divisor, n / divisor];
    },
  ),
  // 3 is not a square: exactly one of the value and three times the value has a root.
  FieldSqrt: integerHint([["val"]], [["sqrt"]], ([value = 0n]) => [
    smallerRoot(value) ?? smallerRoot(reduceToFelt(value * 3n)),
  ]),
  // Any point will do; the first one keeps runs repeatable.
  RandomEcPoint: integerHint([], [["x"], ["y"]], () => {
    for (let x = 1n; ; x += 1n) {
      const y = smallerRoot(reduceToFelt(x ** 3n + x + CURVE_BETA));
      if (y !== undefined) return [x, y];
    }
  }),
} as const;

/** Returns the smaller square root of a felt; undefined for a non-residue. */
function smallerRoot(felt: bigint): bigint | undefined {
  if (felt !== 0n && Fp251.pow(felt, (PRIME - 1n) / 2n) !== 1n) return undefined;
  const root = Fp251.sqrt(felt);
  return root > PRIME - root ? PRIME - root : root;
}

/** Hints that allocate memory and print felts, by their name in a compiled class. */
export const MEMORY_HINTS = {
  AllocSegment: hint({ dst: target }, (machine, { dst }) =>
    dst(machine, pointer(machine.memory.segments.add(), 0)),
  ),
  AllocConstantSize: hint({ size: operand, dst: target }, (machine, { size, dst }) => {
    const { hintState, memory } = machine;
    const start = (hintState.allocation ??= pointer(memory.segments.add(), 0));
    dst(machine, start);
    hintState.allocation = memory.add(start, memory.word(operandFelt(machine, size)));
  }),
  DebugPrint: hint({ start: operand, end: operand }, (machine, { start, end }) => {
    print(machine, machine.memory.feltsBetween(start(machine), end(machine), "a print"));
  }),
} as const;

/** ceil(ceil(PRIME / 3) / 2^128), and ceil(ceil(PRIME / 2) / 2^128): programs assert arcs against these constants. */
const THIRD_HIGH = 3544607988759775765608368578435044694n;
const HALF_HIGH = 5316911983139663648412552867652567041n;

/** Hints of `a <= b` on felts: the circle is cut at 0, a and b, and the two shorter arcs are shown to be short. */
export const ASSERT_LE_HINTS = {
  AssertLeFindSmallArcs: hint(
    { range_check_ptr: operand, a: operand, b: operand },
    (machine, { range_check_ptr, a, b }) => {
      const [low, high] = [operandFelt(machine, a), operandFelt(machine, b)];
      const lengths = [low, reduceToFelt(high - low), PRIME - 1n - high];
      const arcs = lengths.map((length, arc) => ({ length, arc }));
      arcs.sort((left, right) => compareIntegers(left.length, right.length));
      const [shortest = 0n, middle = 0n] = arcs.map(({ length }) => length);
      machine.hintState.excludedArc = arcs[2]?.arc ?? 0;
      const felts = [
        shortest % THIRD_HIGH,
        shortest / THIRD_HIGH,
        middle % HALF_HIGH,
        middle / HALF_HIGH,
      ];
      machine.memory.storeFelts(range_check_ptr(machine), felts);
    },
  ),
  AssertLeIsFirstArcExcluded: hint(
    { skip_exclude_a_flag: target },
    (machine, { skip_exclude_a_flag }) => {
      skip_exclude_a_flag(machine, machine.hintState.excludedArc === 0 ? 0 : 1);
    },
  ),
  AssertLeIsSecondArcExcluded: hint(
    { skip_exclude_b_minus_a: target },
    (machine, { skip_exclude_b_minus_a }) => {
      skip_exclude_b_minus_a(machine, machine.hintState.excludedArc === 1 ? 0 : 1);
    },
  ),
  AssertLeAssertThirdArcExcluded: asserted({}),
  AssertLtAssertValidInput: asserted({ a: operand, b: operand }),
} as const;
