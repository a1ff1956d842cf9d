import { readFile } from "node:fs/promises";

import { poseidonHashMany as libraryHash, poseidonSmall } from "@scure/starknet";
import { expect } from "chai";
import fc from "fast-check";
import { hash } from "starknet";

import { generatedFile, generatedModule } from "../../scripts/wasm-modules.js";
import { FELT_PRIME } from "../../src/entries/request.js";
import {
  INPUT_FELTS,
  poseidonHashInSteps,
  poseidonHashMany,
  poseidonPermutation,
} from "../../src/base/poseidon.js";
import { runToEnd } from "../../src/base/turns.js";

/** Where a limb, a word, or what the prime is made of ends. */
const EDGES = [28n, 56n, 64n, 128n, 192n, 196n, 224n, 251n]
  .flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n])
  .concat([
    0n,
    1n,
    2n,
    FELT_PRIME - 1n,
    FELT_PRIME - 2n,
    FELT_PRIME - 2n ** 192n,
    (FELT_PRIME - 1n) / 2n,
  ]);

const felt = fc.oneof(fc.bigInt({ min: 0n, max: FELT_PRIME - 1n }), fc.constantFrom(...EDGES));

describe("Poseidon", () => {
  it("permutes as the library does, also at the ends of limbs, of words and of the field", () => {
    for (const edge of EDGES) {
      for (const lane of [0, 1, 2]) {
        const felts: [bigint, bigint, bigint] = [FELT_PRIME - 1n, FELT_PRIME - 1n, FELT_PRIME - 1n];
        felts[lane] = edge;
        expect(poseidonPermutation(felts), String(felts)).to.deep.equal(poseidonSmall([...felts]));
        expect(poseidonPermutation([edge, edge, edge])).to.deep.equal(
          poseidonSmall([edge, edge, edge]),
        );
      }
    }
    fc.assert(
      fc.property(felt, felt, felt, (a, b, c) => {
        expect(poseidonPermutation([a, b, c])).to.deep.equal(poseidonSmall([a, b, c]));
      }),
      { numRuns: 200 },
    );
  });

  it("hashes lists as the libraries do", () => {
    fc.assert(
      fc.property(fc.array(felt, { maxLength: 9 }), (felts) => {
        expect(poseidonHashMany(felts)).to.equal(libraryHash([...felts]));
        expect(poseidonHashMany(felts)).to.equal(BigInt(hash.computePoseidonHashOnElements(felts)));
      }),
      { numRuns: 40 },
    );
  });

  it("hashes lists that the module takes in several parts", () => {
    for (const length of [-1, 0, 1].map((more) => INPUT_FELTS + more)) {
      const felts = Array.from({ length }, (_, index) => FELT_PRIME - BigInt(index) ** 21n);
      expect(poseidonHashMany(felts), String(length)).to.equal(libraryHash(felts));
      expect(
        runToEnd(poseidonHashInSteps(length, (index) => felts[index] ?? 0n)),
        String(length),
      ).to.equal(libraryHash(felts));
    }
  });

  it("hashes long lists in steps, between which others hash", () => {
    const long = Array.from({ length: 9 * INPUT_FELTS }, (_, index) => FELT_PRIME - BigInt(index));
    const steps = poseidonHashInSteps(long.length, (index) => long[index] ?? 0n);
    expect(steps.next()).to.deep.equal({ done: false, value: undefined });
    poseidonHashMany(EDGES);
    expect(steps.next()).to.deep.equal({ done: true, value: poseidonHashMany(long) });
  });

  it("returns the same hash whatever was hashed before", () => {
    const once = poseidonHashMany([1n, 2n, 3n]);
    poseidonHashMany(EDGES);
    expect(poseidonHashMany([1n, 2n, 3n])).to.equal(once);
    expect(() =>
      runToEnd(
        poseidonHashInSteps(9, (index) => {
          if (index === 5) throw new Error("no such felt");
          return FELT_PRIME - 1n;
        }),
      ),
    ).to.throw("no such felt");
    expect(poseidonHashMany([1n, 2n, 3n])).to.equal(once);
  });

  it("ships the module that scripts/wasm/poseidon.wat assembles to", async () => {
    const shipped = await readFile(generatedFile("poseidon"), "utf8");
    expect(shipped === (await generatedModule("poseidon")), "run npm run wasm").to.equal(true);
  });
});
