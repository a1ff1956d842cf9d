import { gcdWithInverse, integerSqrt } from "../field.js";
import type { MachineState } from "../machine-state.js";
import { inconsistent } from "../vm-error.js";
import type { Memory } from "../memory.js";
import { SMALL_LIMIT, type Word } from "../words.js";
import { feltOf, hint, operand, target, writeFelt, type Operand, type Target } from "./operand.js";

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
