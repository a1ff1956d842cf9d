import { expect } from "chai";

import { integerSqrt, PRIME } from "../../src/cairo/words.js";
import { push, returning, runLines, type Line } from "../support/cairo-assembler.js";
import { expectHdpError } from "../support/failure.js";

const HALF = 2n ** 128n;
const hex = (value: bigint): string => `0x${value.toString(16)}`;
const constant = (value: bigint): unknown => ({ Immediate: hex(value) });
const cell = (offset: number): unknown => ({ register: "FP", offset });

/** Runs one hint that writes to fp, fp + 1, … and returns the values. */
async function valuesOf(
  hint: unknown,
  count: number,
  calldata: readonly bigint[] = [],
): Promise<readonly bigint[]> {
  const lines: Line[] = [
    { jump: "rel", op1: 2n, hints: [hint] },
    { op1: BigInt(count), ap: "add" },
  ];
  const cells = Array.from({ length: count }, (_, index): ["fp", number] => ["fp", index]);
  return (await runLines([...lines, ...returning(cells)], { calldata })).retdata;
}

describe("hints", () => {
  it("compare felts of every size", async () => {
    for (const [lhs, rhs] of [
      [1n, 2n],
      [2n, 2n],
      [3n, 2n],
      [PRIME - 1n, 2n],
      [2n ** 60n, 2n ** 70n],
    ] as const) {
      const operands = { lhs: constant(lhs), rhs: constant(rhs), dst: cell(0) };
      expect(await valuesOf({ TestLessThan: operands }, 1)).to.deep.equal([lhs < rhs ? 1n : 0n]);
      expect(await valuesOf({ TestLessThanOrEqual: operands }, 1)).to.deep.equal([
        lhs <= rhs ? 1n : 0n,
      ]);
    }
  });

  it("compare addresses", async () => {
    const [start, end] = [{ Deref: cell(-4) }, { Deref: cell(-3) }];
    const hint = (lhs: unknown, rhs: unknown) => ({
      TestLessThanOrEqualAddress: { lhs, rhs, dst: cell(0) },
    });
    expect(await valuesOf(hint(start, end), 1, [1n])).to.deep.equal([1n]);
    expect(await valuesOf(hint(start, start), 1, [1n])).to.deep.equal([1n]);
    expect(await valuesOf(hint(end, start), 1, [1n])).to.deep.equal([0n]);
  });

  it("multiply, divide and take roots", async () => {
    const [a, b] = [HALF - 3n, HALF - 7n];
    expect(
      await valuesOf(
        { WideMul128: { lhs: constant(a), rhs: constant(b), high: cell(0), low: cell(1) } },
        2,
      ),
    ).to.deep.equal([(a * b) / HALF, (a * b) % HALF]);
    expect(
      await valuesOf(
        { DivMod: { lhs: constant(a), rhs: constant(77n), quotient: cell(0), remainder: cell(1) } },
        2,
      ),
    ).to.deep.equal([a / 77n, a % 77n]);
    expect(await valuesOf({ SquareRoot: { value: constant(a), dst: cell(0) } }, 1)).to.deep.equal([
      integerSqrt(a),
    ]);
    const split = (value: bigint, max: bigint) => ({
      LinearSplit: {
        value: constant(value),
        scalar: constant(10n),
        max_x: constant(max),
        x: cell(0),
        y: cell(1),
      },
    });
    expect(await valuesOf(split(57n, 9n), 2)).to.deep.equal([5n, 7n]);
    expect(await valuesOf(split(157n, 9n), 2)).to.deep.equal([9n, 67n]);
  });

  it("divide 256 and 512 bits", async () => {
    const [dividend, divisor] = [7n * HALF + 5n, 3n * HALF + 1n];
    const words = (value: bigint, count: number): bigint[] =>
      Array.from({ length: count }, (_, index) => (value >> (128n * BigInt(index))) % HALF);
    const small = {
      dividend0: constant(5n),
      dividend1: constant(7n),
      divisor0: constant(1n),
      divisor1: constant(3n),
      quotient0: cell(0),
      quotient1: cell(1),
      remainder0: cell(2),
      remainder1: cell(3),
    };
    expect(await valuesOf({ Uint256DivMod: small }, 4)).to.deep.equal([
      ...words(dividend / divisor, 2),
      ...words(dividend % divisor, 2),
    ]);
    const wide = dividend + (9n << 256n) + (11n << 384n);
    const large = {
      ...small,
      dividend2: constant(9n),
      dividend3: constant(11n),
      quotient2: cell(2),
      quotient3: cell(3),
      remainder0: cell(4),
      remainder1: cell(5),
    };
    expect(await valuesOf({ Uint512DivModByUint256: large }, 6)).to.deep.equal([
      ...words(wide / divisor, 4),
      ...words(wide % divisor, 2),
    ]);
    const zero = { ...small, divisor0: constant(0n), divisor1: constant(0n) };
    await expectHdpError(valuesOf({ Uint256DivMod: zero }, 4), "HDP-7108", /divides by zero/);
  });

  it("take the root of 256 bits with its remainder", async () => {
    const value = 2n ** 255n + 12345n;
    const root = integerSqrt(value);
    const rest = value - root * root;
    const hint = {
      value_low: constant(value % HALF),
      value_high: constant(value / HALF),
      sqrt0: cell(0),
      sqrt1: cell(1),
      remainder_low: cell(2),
      remainder_high: cell(3),
      sqrt_mul_2_minus_remainder_ge_u128: cell(4),
    };
    expect(await valuesOf({ Uint256SquareRoot: hint }, 5)).to.deep.equal([
      root % 2n ** 64n,
      root >> 64n,
      rest % HALF,
      rest / HALF,
      2n * root - rest >= HALF ? 1n : 0n,
    ]);
  });

  it("invert modulo 256 bits, or show that there is no inverse", async () => {
    const invert = async (b: bigint, n: bigint): Promise<readonly bigint[]> =>
      await valuesOf(
        {
          U256InvModN: {
            b0: constant(b % HALF),
            b1: constant(b / HALF),
            n0: constant(n % HALF),
            n1: constant(n / HALF),
            g0_or_no_inv: cell(0),
            g1_option: cell(1),
            s_or_r0: cell(2),
            s_or_r1: cell(3),
            t_or_k0: cell(4),
            t_or_k1: cell(5),
          },
        },
        6,
      ).catch((error: unknown) => {
        // With an inverse g1 stays unset, which the lines above cannot return.
        if (String(error).includes("two unknown operands")) return [];
        throw error;
      });
    expect(await invert(12n, 18n)).to.deep.equal([2n, 0n, 6n, 0n, 9n, 0n]);
    expect(await invert(15n, 25n)).to.deep.equal([5n, 0n, 3n, 0n, 5n, 0n]);
    expect(await invert(7n, 1n)).to.deep.equal([1n, 0n, 7n, 0n, 1n, 0n]);
    expect(await invert(3n, 7n)).to.deep.equal([]);
  });

  it("take roots in the field, of the value or of three times it", async () => {
    const square = (12345n * 12345n) % PRIME;
    expect(
      await valuesOf({ FieldSqrt: { val: constant(square), sqrt: cell(0) } }, 1),
    ).to.deep.equal([12345n]);
    // 3 has no root itself.
    expect(await valuesOf({ FieldSqrt: { val: constant(3n), sqrt: cell(0) } }, 1)).to.deep.equal([
      3n,
    ]);
    const [x = 0n, y = 0n] = await valuesOf({ RandomEcPoint: { x: cell(0), y: cell(1) } }, 2);
    const beta = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;
    expect((y * y) % PRIME).to.equal((x ** 3n + x + beta) % PRIME);
  });

  it("read operands of every form", async () => {
    const sum = { BinOp: { op: "Add", a: cell(-4), b: constant(1n) } };
    const product = { BinOp: { op: "Mul", a: cell(0), b: { Deref: cell(0) } } };
    const lines: Line[] = [
      push(9n, undefined),
      {
        jump: "rel",
        op1: 2n,
        hints: [
          { SquareRoot: { value: product, dst: cell(1) } },
          { SquareRoot: { value: { DoubleDeref: [cell(-4), 1] }, dst: cell(2) } },
          { TestLessThanOrEqualAddress: { lhs: sum, rhs: { Deref: cell(-3) }, dst: cell(3) } },
          { SquareRoot: { value: constant(-0n), dst: cell(4) } },
          { TestLessThan: { lhs: { Immediate: "-0x1" }, rhs: constant(5n), dst: cell(5) } },
        ],
      },
      { op1: 5n, ap: "add" },
    ];
    const cells = [1, 2, 3, 4, 5].map((offset): ["fp", number] => ["fp", offset]);
    const run = await runLines([...lines, ...returning(cells)], { calldata: [1n, 49n] });
    expect(run.retdata).to.deep.equal([9n, 7n, 1n, 0n, 0n]);
  });

  it("allocate cells of constant size one behind the other, and print", async () => {
    const lines: Line[] = [
      {
        jump: "rel",
        op1: 2n,
        hints: [
          { AllocConstantSize: { size: constant(3n), dst: cell(0) } },
          { AllocConstantSize: { size: constant(2n), dst: cell(1) } },
          { DebugPrint: { start: { Deref: cell(-4) }, end: { Deref: cell(-3) } } },
        ],
      },
      { op1: 2n, ap: "add" },
      // The distance of the two is a felt.
      {
        opcode: "assert",
        dst: ["fp", 1],
        op0: ["ap", 0],
        op1: ["fp", 0],
        result: "add",
        ap: "one",
      },
    ];
    const run = await runLines([...lines, ...returning([["fp", 2]])], { calldata: [65n, 66n] });
    expect(run.retdata).to.deep.equal([3n]);
    expect(run.printed).to.deep.equal([[65n, 66n]]);
  });

  it("cut the circle for a comparison", async () => {
    for (const [a, b, excluded] of [
      [3n, 5n, 2],
      [PRIME - 9n, PRIME - 5n, 0],
      [3n, PRIME - 5n, 1],
    ] as const) {
      const lines: Line[] = [
        {
          jump: "rel",
          op1: 2n,
          hints: [
            { AllocSegment: { dst: cell(6) } },
            {
              AssertLeFindSmallArcs: {
                range_check_ptr: { Deref: cell(6) },
                a: constant(a),
                b: constant(b),
              },
            },
            { AssertLeIsFirstArcExcluded: { skip_exclude_a_flag: cell(0) } },
            { AssertLeIsSecondArcExcluded: { skip_exclude_b_minus_a: cell(1) } },
            "AssertLeAssertThirdArcExcluded",
            { AssertLtAssertValidInput: { a: constant(a), b: constant(b) } },
          ],
        },
        { op1: 2n, ap: "add" },
        ...[0, 1, 2, 3].map((at) => push({ at }, ["fp", 6])),
        { op1: 1n, ap: "add" },
      ];
      const cells = [0, 1, 2, 3, 4, 5].map((offset): ["fp", number] => ["fp", offset]);
      const [first, second, l0 = 0n, h0 = 0n, l1 = 0n, h1 = 0n] = (
        await runLines([...lines, ...returning(cells)])
      ).retdata;
      expect([first, second]).to.deep.equal([excluded === 0 ? 0n : 1n, excluded === 1 ? 0n : 1n]);
      const arcs = [a, b - a, PRIME - 1n - b].sort((x, y) => (x < y ? -1 : 1));
      expect(l0 + h0 * 3544607988759775765608368578435044694n).to.equal(arcs[0]);
      expect(l1 + h1 * 5316911983139663648412552867652567041n).to.equal(arcs[1]);
    }
  });

  it("refuses unknown, malformed and foreign hints by name, and only when a run reaches them", async () => {
    const none = { hints: [{ FutureHint: {} }] };
    await expectHdpError(
      valuesOf({ FutureHint: {} }, 1),
      "HDP-7106",
      /does not support the hint FutureHint/,
    );
    await expectHdpError(
      valuesOf({ EvalCircuit: {} }, 1),
      "HDP-7106",
      /EvalCircuit in this form \("n_add_mods"/,
    );
    await expectHdpError(valuesOf({ Cheatcode: {} }, 1), "HDP-7106", /Cheatcode/);
    await expectHdpError(
      valuesOf({ DivMod: { lhs: 3 } }, 1),
      "HDP-7106",
      /DivMod in this form \("lhs"/,
    );
    await expectHdpError(valuesOf({ A: {}, B: {} }, 1), "HDP-7106", /the hint {"A":{},"B":{}}/);
    const skipped = await runLines([
      { jump: "rel", op1: 3n },
      { raw: 0n, ...none },
      ...returning([]),
    ]);
    expect(skipped.retdata).to.deep.equal([]);
  });
});
