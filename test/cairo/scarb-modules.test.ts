import { Point } from "@scure/starknet";
import { expect } from "chai";
import fc from "fast-check";

import { type ModuleRun, runModule } from "../../src/entries/local.js";
import { FELT_PRIME as PRIME } from "../../src/entries/request.js";
import { compiledFile } from "../support/compiled-functions.js";

/** The modules of test/cairo/scarb, as Scarb 2.16.1 compiled them (see its README). */
async function call(name: string, inputs: readonly bigint[]): Promise<ModuleRun> {
  return await runModule(compiledFile(`builtins_${name}.compiled_contract_class.json`), {
    inputs: inputs.map((value) => ({ visibility: "public", value })),
    generation: "head",
    leadingFelts: 8,
    read: () => 0n,
  });
}

async function returned(name: string, inputs: readonly bigint[]): Promise<readonly bigint[]> {
  const run = await call(name, inputs);
  if (run.status !== "returned") throw new Error(run.message);
  return run.retdata;
}

const LIMB = 2n ** 96n;
/** A u384 as calldata: two felts of 192 bits, the low one first. */
const calldata = (value: bigint): bigint[] => [value % LIMB ** 2n, value / LIMB ** 2n];
const joined = (felts: readonly bigint[]): bigint =>
  felts.reduceRight((sum, limb) => sum * LIMB + limb, 0n);

/** By Fermat, for a prime modulus. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (
    let bit = exponent, square = base % modulus;
    bit > 0n;
    bit >>= 1n, square = (square * square) % modulus
  ) {
    if (bit % 2n === 1n) result = (result * square) % modulus;
  }
  return result;
}

const BN254 = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
const BLS12_381 =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

describe("modules compiled by Scarb", () => {
  it("compute circuits: sums, differences, products and inverses modulo primes of 254 to 381 bits", async () => {
    for (const modulus of [7n, BN254, BLS12_381]) {
      const value = fc.bigInt({ min: 0n, max: modulus - 1n });
      await fc.assert(
        fc.asyncProperty(value, value, async (a, b) => {
          fc.pre((a + b) % modulus !== 0n);
          const [length, ...felts] = await returned("Circuits", [
            ...calldata(a),
            ...calldata(b),
            ...calldata(modulus),
          ]);
          expect(length).to.equal(8n);
          expect(joined(felts.slice(0, 4))).to.equal(
            (((a * a - b * b) % modulus) + modulus) % modulus,
          );
          expect(joined(felts.slice(4))).to.equal(power(a + b, modulus - 2n, modulus));
        }),
        { numRuns: 15 },
      );
    }
  });

  it("reports a value that has no inverse", async () => {
    expect(
      await returned("Circuits", [...calldata(3n), ...calldata(4n), ...calldata(7n)]),
    ).to.deep.equal([0n]);
    expect(
      await returned("Circuits", [...calldata(10n), ...calldata(5n), ...calldata(21n)]),
    ).to.deep.equal([0n]);
  });

  it("add and multiply points of the Stark curve as the curve's own library does", async () => {
    const base = Point.BASE;
    const coordinates = (point: typeof base): bigint[] => [point.toAffine().x, point.toAffine().y];
    const scalar = fc.bigInt({ min: 2n, max: 2n ** 250n });
    await fc.assert(
      fc.asyncProperty(scalar, async (factor) => {
        const [length, ...point] = await returned("Curve", [factor, base.toAffine().x]);
        expect(length).to.equal(2n);
        const product = base.multiply(factor);
        // The point of an x coordinate is one of two: its sum with the product is one of two.
        const sums = [product.add(base), product.subtract(base)].map(coordinates);
        expect(sums).to.deep.include(point);
      }),
      { numRuns: 10 },
    );
  });

  it("loop over small and large felts, u256, dictionaries and hashes", async () => {
    const large = (turns: bigint): bigint => {
      let value = 3n;
      for (let left = turns; left > 0n; left -= 1n) value = (value * value + left) % PRIME;
      return value;
    };
    expect(await returned("Loops", [0n, 1_000n])).to.deep.equal([1_000n]);
    expect(await returned("Loops", [1n, 1_000n])).to.deep.equal([large(1_000n)]);
    const modulus = 0xfedcba9876543210fedcba9876543210fedcba9876543210n;
    let wide = 0x123456789abcdef0123456789abcdefn;
    for (let left = 500n; left > 0n; left -= 1n) wide = (wide * 3n + left) % modulus;
    expect(await returned("Loops", [2n, 500n])).to.deep.equal([wide % 2n ** 128n]);
    expect(await returned("Loops", [3n, 200n])).to.deep.equal([1n]);
    expect(await returned("Loops", [4n, 3n])).to.have.length(1);
  });
});
