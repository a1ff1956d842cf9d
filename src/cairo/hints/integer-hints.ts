import { CURVE_BETA } from "../builtins/rules.js";
import { feltSqrt, gcdWithInverse, integerSqrt, PRIME } from "../field.js";
import { type MachineState, print } from "../machine-state.js";
import type { Memory } from "../memory.js";
import { inconsistent, pointer, SMALL_LIMIT, type Word } from "../words.js";
import { feltOf, hint, type Hint, operand, type Operand, target, type Target, writeFelt } from "./operand.js";

const LIMB = 128n;
const LIMB_MASK = (1n << LIMB) - 1n;

/** The integer of limbs of 128 bits, lowest first. */
function join(machine: MachineState, limbs: readonly Operand[]): bigint {
  return limbs.reduceRight((sum, limb) => (sum << LIMB) + feltOf(machine, limb), 0n);
}

/** Writes an integer as limbs of 128 bits, lowest first; the last takes what is left. */
function split(machine: MachineState, value: bigint, limbs: readonly Target[]): void {
  limbs.forEach((limb, index) => {
    const rest = value >> (LIMB * BigInt(index));
    writeFelt(machine, limb, index === limbs.length - 1 ? rest : rest & LIMB_MASK);
  });
}

function requireDivisor(divisor: bigint): bigint {
  if (divisor === 0n) throw inconsistent("a hint divides by zero");
  return divisor;
}

/** Negative when the left felt is below the right one, positive when above. */
function compare(memory: Memory, left: Word, right: Word): number {
  // Words of large felts are above all small felts, so that they need a look only when both are large.
  if (left >= 0 && right >= 0 && (left < SMALL_LIMIT || right < SMALL_LIMIT)) return left - right;
  const low = memory.felt(left, "the left side of a comparison");
  const high = memory.felt(right, "the right side of a comparison");
  return low < high ? -1 : low > high ? 1 : 0;
}

const comparison = { lhs: operand, rhs: operand, dst: target };

/** Hints that compute on integers. */
export const INTEGER_HINTS = {
  TestLessThan: hint(comparison, ({ lhs, rhs, dst }) => (machine) => {
    dst(machine, compare(machine.memory, lhs(machine), rhs(machine)) < 0 ? 1 : 0);
  }),
  TestLessThanOrEqual: hint(comparison, ({ lhs, rhs, dst }) => (machine) => {
    dst(machine, compare(machine.memory, lhs(machine), rhs(machine)) <= 0 ? 1 : 0);
  }),
  // Pointers into one segment; a lower offset is a higher word.
  TestLessThanOrEqualAddress: hint(comparison, ({ lhs, rhs, dst }) => (machine) => {
    const distance = machine.memory.subtract(rhs(machine), lhs(machine));
    dst(machine, distance < SMALL_LIMIT ? 1 : 0);
  }),
  WideMul128: hint(
    { lhs: operand, rhs: operand, high: target, low: target },
    ({ lhs, rhs, high, low }) =>
      (machine) => {
        split(machine, feltOf(machine, lhs) * feltOf(machine, rhs), [low, high]);
      },
  ),
  DivMod: hint(
    { lhs: operand, rhs: operand, quotient: target, remainder: target },
    ({ lhs, rhs, quotient, remainder }) =>
      (machine) => {
        const dividend = feltOf(machine, lhs);
        const divisor = requireDivisor(feltOf(machine, rhs));
        writeFelt(machine, quotient, dividend / divisor);
        writeFelt(machine, remainder, dividend % divisor);
      },
  ),
  Uint256DivMod: hint(
    {
      dividend0: operand,
      dividend1: operand,
      divisor0: operand,
      divisor1: operand,
      quotient0: target,
      quotient1: target,
      remainder0: target,
      remainder1: target,
    },
    (f) => (machine) => {
      const dividend = join(machine, [f.dividend0, f.dividend1]);
      const divisor = requireDivisor(join(machine, [f.divisor0, f.divisor1]));
      split(machine, dividend / divisor, [f.quotient0, f.quotient1]);
      split(machine, dividend % divisor, [f.remainder0, f.remainder1]);
    },
  ),
  Uint512DivModByUint256: hint(
    {
      dividend0: operand,
      dividend1: operand,
      dividend2: operand,
      dividend3: operand,
      divisor0: operand,
      divisor1: operand,
      quotient0: target,
      quotient1: target,
      quotient2: target,
      quotient3: target,
      remainder0: target,
      remainder1: target,
    },
    (f) => (machine) => {
      const dividend = join(machine, [f.dividend0, f.dividend1, f.dividend2, f.dividend3]);
      const divisor = requireDivisor(join(machine, [f.divisor0, f.divisor1]));
      split(machine, dividend / divisor, [f.quotient0, f.quotient1, f.quotient2, f.quotient3]);
      split(machine, dividend % divisor, [f.remainder0, f.remainder1]);
    },
  ),
  SquareRoot: hint({ value: operand, dst: target }, ({ value, dst }) => (machine) => {
    writeFelt(machine, dst, integerSqrt(feltOf(machine, value)));
  }),
  Uint256SquareRoot: hint(
    {
      value_low: operand,
      value_high: operand,
      sqrt0: target,
      sqrt1: target,
      remainder_low: target,
      remainder_high: target,
      sqrt_mul_2_minus_remainder_ge_u128: target,
    },
    (f) => (machine) => {
      const value = join(machine, [f.value_low, f.value_high]);
      const root = integerSqrt(value);
      const remainder = value - root * root;
      writeFelt(machine, f.sqrt0, root & ((1n << 64n) - 1n));
      writeFelt(machine, f.sqrt1, root >> 64n);
      split(machine, remainder, [f.remainder_low, f.remainder_high]);
      f.sqrt_mul_2_minus_remainder_ge_u128(machine, root * 2n - remainder > LIMB_MASK ? 1 : 0);
    },
  ),
  LinearSplit: hint(
    { value: operand, scalar: operand, max_x: operand, x: target, y: target },
    ({ value, scalar, max_x, x, y }) =>
      (machine) => {
        const whole = feltOf(machine, value);
        const factor = requireDivisor(feltOf(machine, scalar));
        const limit = feltOf(machine, max_x);
        const most = whole / factor;
        const quotient = most < limit ? most : limit;
        writeFelt(machine, x, quotient);
        writeFelt(machine, y, whole - quotient * factor);
      },
  ),
  // With g = gcd(b, n): the inverse r of b and k = (r·b - 1) / n when g is 1, else g, b / g and n / g.
  U256InvModN: hint(
    {
      b0: operand,
      b1: operand,
      n0: operand,
      n1: operand,
      g0_or_no_inv: target,
      g1_option: target,
      s_or_r0: target,
      s_or_r1: target,
      t_or_k0: target,
      t_or_k1: target,
    },
    (f) => (machine) => {
      const b = join(machine, [f.b0, f.b1]);
      const n = join(machine, [f.n0, f.n1]);
      const { gcd, inverse } = gcdWithInverse(b, n);
      if (gcd === 1n && n !== 1n) {
        writeFelt(machine, f.g0_or_no_inv, 0n);
        split(machine, inverse, [f.s_or_r0, f.s_or_r1]);
        split(machine, (inverse * b - 1n) / n, [f.t_or_k0, f.t_or_k1]);
        return;
      }
      // The program tells "no inverse" by the low limb not being zero: 2 stands for every even divisor.
      const divisor = gcd % 2n === 0n ? 2n : gcd;
      split(machine, divisor, [f.g0_or_no_inv, f.g1_option]);
      split(machine, b / divisor, [f.s_or_r0, f.s_or_r1]);
      split(machine, n / divisor, [f.t_or_k0, f.t_or_k1]);
    },
  ),
} as const;

/** Hints that make room or show values. */
export const MEMORY_HINTS = {
  AllocSegment: hint({ dst: target }, ({ dst }) => (machine) => {
    dst(machine, pointer(machine.memory.addSegment(), 0));
  }),
  AllocConstantSize: hint({ size: operand, dst: target }, ({ size, dst }) => (machine) => {
    const { hintState, memory } = machine;
    const start = (hintState.allocation ??= pointer(memory.addSegment(), 0));
    dst(machine, start);
    hintState.allocation = memory.add(start, memory.word(feltOf(machine, size)));
  }),
  DebugPrint: hint({ start: operand, end: operand }, ({ start, end }) => (machine) => {
    print(machine, machine.memory.feltsBetween(start(machine), end(machine), "a print"));
  }),
} as const;

/** Hints that take roots in the field. */
export const FIELD_HINTS = {
  // 3 is not a square: exactly one of the value and three times the value has a root.
  FieldSqrt: hint({ val: operand, sqrt: target }, ({ val, sqrt }) => (machine) => {
    const value = feltOf(machine, val);
    const root = feltSqrt(value) ?? feltSqrt((value * 3n) % PRIME);
    if (root === undefined) throw inconsistent("neither a value nor three times it has a root");
    writeFelt(machine, sqrt, root);
  }),
  // Any point will do; the same one every time keeps runs repeatable.
  RandomEcPoint: hint({ x: target, y: target }, ({ x, y }) => (machine) => {
    for (let candidate = 1n; ; candidate += 1n) {
      const root = feltSqrt((candidate ** 3n + candidate + CURVE_BETA) % PRIME);
      if (root === undefined) continue;
      writeFelt(machine, x, candidate);
      writeFelt(machine, y, root);
      return;
    }
  }),
} as const;

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
