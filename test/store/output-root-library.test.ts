import { expect } from "chai";
import fc from "fast-check";
import { type Abi, concatHex, decodeErrorResult, type Hex, numberToHex, toHex } from "viem";

import {
  FELT_PRIME,
  markedFelts,
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
} from "../../src/entries/request.js";
import { marked, permutations } from "../support/permutations.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

const HALF = 2n ** 128n;
const felt = fc.oneof(
  fc.bigInt({ min: 0n, max: FELT_PRIME - 1n }),
  fc.bigInt({ min: 0n, max: HALF - 1n }),
  fc.constantFrom(0n, 1n, FELT_PRIME - 1n),
);
/** Values that are often equal, 0, or a half of another. */
const value = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: HALF - 1n }));
const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: HALF - 1n }),
  fc.bigInt({ min: 0n, max: HALF - 1n }).map((half) => half << 128n),
);

describe("HdpOutputRoot", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    harness = await deployHarness(chain, "OutputRootHarness");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (functionName: string, ...args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, harness, functionName, args);

  it("computes the words of the TypeScript rules", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(felt, { maxLength: 33 }),
        fc.array(value, { minLength: 2, maxLength: 9 }),
        fc.array(uint256, { maxLength: 5 }),
        fc.uint8Array({ maxLength: 70 }),
        async (felts, values, words, bytes) => {
          expect(await call("unorderedRoot", felts)).to.equal(unorderedRoot(felts));
          expect(await call("rootOfMarked", values)).to.equal(rootOfMarked(values));
          expect(await call("digest", words)).to.equal(outputDigest(words));
          expect(await call("digestOfBytes", toHex(bytes))).to.equal(outputDigest(toHex(bytes)));
          const [single = 0n] = felts;
          expect(await call("rootOfFelt", single)).to.equal(rootOfFelt(single));
          const [word = 0n] = words;
          expect(await call("rootOfValue", word)).to.equal(rootOfValue(word));
          expect(await call("wordOf", MODULE_FORM, word)).to.equal(rootOfValue(word));
          const plain = numberToHex(word, { size: 32 });
          expect(await call("wordOf", DATALAKE_FORM, word)).to.equal(plain);
        },
      ),
      { numRuns: 60 },
    );
    for (let length = 0; length <= 9; length++) {
      const felts = Array.from({ length }, (_, index) => BigInt(index * index + 1));
      expect(await call("unorderedRoot", felts)).to.equal(unorderedRoot(felts));
    }
  });

  it("refuses numbers that are not felts and names their place", async () => {
    for (const [name, argument, index] of [
      ["unorderedRoot", [1n, FELT_PRIME], 1n],
      ["unorderedRoot", [FELT_PRIME], 0n],
      ["rootOfFelt", FELT_PRIME, 0n],
    ] as const) {
      const { errorName, args } = await refusal(call(name, argument));
      expect([errorName, args]).to.deep.equal(["NotAFelt", [index, FELT_PRIME]]);
    }
    expect(await call("isFelt", FELT_PRIME - 1n)).to.equal(true);
    expect(await call("isFelt", FELT_PRIME)).to.equal(false);
  });

  it("refuses fewer than two marked values, which have no place to carry", async () => {
    for (const values of [[], [5n]]) {
      const { errorName, args } = await refusal(call("rootOfMarked", values));
      expect([errorName, args]).to.deep.equal(["TooFewValues", [BigInt(values.length)]]);
    }
  });

  it("takes nothing above the 128 bits of a marked value, from whatever memory it comes", async () => {
    const swapped = markedFelts([7n, 5n]).toReversed();
    expect(await call("rootOfUncleanMarked", swapped)).to.equal(rootOfMarked([5n, 7n]));
    expect(await call("rootOfUncleanMarked", swapped)).to.equal(
      await call("rootOfMarked", [5n, 7n]),
    );
  });

  async function refusal(
    called: Promise<unknown>,
  ): Promise<{ readonly errorName: string; readonly args: unknown }> {
    const error: unknown = await called.catch((thrown: unknown) => thrown);
    const { errorName, args } = decodeErrorResult({
      abi: harness.abi,
      data: revertOf(error) ?? "0x",
    });
    return { errorName, args };
  }

  describe("the order of an output", () => {
    const distinct = (count: number): readonly bigint[] =>
      Array.from({ length: count }, (_, index) => BigInt(index + 1));

    it("stays open under the plain root: 2, 2, 8 and 4 orders of 2 to 5 felts have one", async () => {
      const counts = [];
      for (const count of [2, 3, 4, 5]) {
        const root = await call("unorderedRoot", distinct(count));
        let same = 0;
        for (const felts of permutations(distinct(count))) {
          if ((await call("unorderedRoot", felts)) === root) same += 1;
        }
        counts.push(same);
      }
      expect(counts).to.deep.equal([2, 2, 8, 4]);
    });

    it("stays open under the plain root of a u256: its halves may be swapped", async () => {
      const price = 2000n * 10n ** 18n;
      const root = await call("unorderedRoot", [price, 0n]);
      expect(await call("unorderedRoot", [0n, price])).to.equal(root);
      // A bound on the claim doesn't help: a proven `price << 128` passes as `price`.
      expect(await call("rootOfValue", price << 128n)).not.to.equal(
        await call("rootOfValue", price),
      );
    });

    it("follows from marked values: no permutation, other length or other split has their root", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 5 }), async (values) => {
          const root = await call("rootOfMarked", values);
          for (const claim of otherClaims(values)) {
            expect(await call("rootOfMarked", claim), claim.join()).not.to.equal(root);
          }
          // Every order of the felts that keeps the root, read as marked values: the true one alone is readable.
          const felts = markedFelts(values);
          const readable = permutations(felts)
            .filter((order) => unorderedRoot(order) === root)
            .filter(marked);
          expect(readable).to.deep.equal([felts]);
        }),
        { numRuns: 25 },
      );
    });

    it("follows from a value's marked halves: no other uint256 has its root", async () => {
      await fc.assert(
        fc.asyncProperty(uint256, uint256, async (one, other) => {
          const root = await call("rootOfValue", one);
          const swapped = (one >> 128n) | (BigInt.asUintN(128, one) << 128n);
          const claims = [other, swapped, one << 128n, one >> 128n, one ^ 1n, one ^ HALF];
          for (const claim of claims.map((claimed) => BigInt.asUintN(256, claimed))) {
            if (claim === one) continue;
            expect(await call("rootOfValue", claim)).not.to.equal(root);
          }
        }),
        { numRuns: 40 },
      );
    });

    it("follows from a digest: no permutation, other length or other split has it", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async (words) => {
          const digest = await call("digest", words);
          for (const claim of otherClaims(words)) {
            expect(await call("digest", claim), claim.join()).not.to.equal(digest);
          }
          const bytes = words.map((word) => numberToHex(word, { size: 32 }));
          expect(await call("digestOfBytes", concatHex(bytes))).to.equal(digest);
          expect(await call("digestOfBytes", concatHex([...bytes, "0x00"]))).not.to.equal(digest);
        }),
        { numRuns: 25 },
      );
    });

    it("follows from one felt, and no form has the root of another", async () => {
      await fc.assert(
        fc.asyncProperty(felt, felt, value, async (one, other, second) => {
          const root = await call("rootOfFelt", one);
          if (one !== other) expect(await call("rootOfFelt", other)).not.to.equal(root);
          const low = BigInt.asUintN(128, one);
          expect(await call("rootOfMarked", [low, second])).not.to.equal(root);
          expect(await call("rootOfMarked", [low, one >> 128n])).not.to.equal(root);
          expect(await call("rootOfValue", one)).not.to.equal(root);
        }),
        { numRuns: 40 },
      );
    });
  });
});

/** The values of HdpForm. */
const [DATALAKE_FORM, MODULE_FORM] = [0, 1];

/** Claims of another meaning than values: every other order, shorter and longer lists, and other splits into numbers. */
function otherClaims(values: readonly bigint[]): readonly (readonly bigint[])[] {
  const [first = 0n, second = 0n, ...rest] = values;
  const orders = permutations(values);
  const lengths = [[...values, 0n], [0n, ...values], values.slice(1), values.slice(0, -1)];
  const splits = [
    [BigInt.asUintN(64, first), first >> 64n, ...values.slice(1)],
    [BigInt.asUintN(128, first + (second << 64n)), ...rest],
  ];
  const isSame = (claim: readonly bigint[]): boolean => claim.join() === values.join();
  return [...orders, ...lengths, ...splits].filter(
    (claim) => claim.length >= Math.min(2, values.length) && !isSame(claim),
  );
}
