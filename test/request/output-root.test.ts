import { expect } from "chai";
import fc from "fast-check";
import { encodeAbiParameters, keccak256 } from "viem";

import {
  markedFelts,
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
  valueFelts,
  valueOfFelts,
} from "../../src/entries/request.js";
import { hdpThrown } from "../support/failure.js";

const HALF = 2n ** 128n;
const WORD = 2n ** 256n;

const half = fc.bigInt(0n, HALF - 1n);
const word = fc.bigInt(0n, WORD - 1n);
// Small values too, so that some are equal and some are counts.
const values = fc.array(fc.oneof(half, fc.bigInt(0n, 3n)), { minLength: 2, maxLength: 5 });

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

const text = (list: readonly bigint[]): string => list.join();

describe("the word stored for a module", () => {
  it("leaves the order of felts open in the plain form: 8 of the 24 orders of four felts have one root", () => {
    expect(unorderedRoot([1n, 2n])).to.equal(unorderedRoot([2n, 1n]));
    const kept = (felts: readonly bigint[]): number =>
      permutations(felts).filter((other) => unorderedRoot(other) === unorderedRoot(felts)).length;
    const sizes = [2, 3, 4, 5, 6].map((size) =>
      kept(Array.from({ length: size }, (_, i) => BigInt(i))),
    );
    expect(sizes).to.deep.equal([2, 2, 8, 4, 16]);
  });

  it("leaves the halves of a u256 open in the plain form: a price in the low half passes as one in the high half", () => {
    const price = 2000n * 10n ** 18n;
    expect(unorderedRoot([price, 0n])).to.equal(unorderedRoot([0n, price]));
  });

  it("fixes marked values: of all orders, only the same values have the root", () => {
    fc.assert(
      fc.property(values, (list) => {
        const same = permutations(list).filter(
          (other) => rootOfMarked(other) === rootOfMarked(list),
        );
        expect(new Set(same.map(text))).to.deep.equal(new Set([text(list)]));
      }),
      { numRuns: 30 },
    );
  });

  it("fixes marked values: no other order of their felts that keeps the root has the marked form", () => {
    fc.assert(
      fc.property(values, (list) => {
        const felts = markedFelts(list);
        const others = permutations(felts).filter(
          (other) => unorderedRoot(other) === unorderedRoot(felts),
        );
        expect(others.length).to.be.greaterThan(1);
        const marked = others.filter((other) =>
          other.every((felt, i) => felt / HALF === BigInt(i)),
        );
        expect(marked.map(text)).to.deep.equal([text(felts)]);
      }),
      { numRuns: 30 },
    );
  });

  it("fixes a uint256, and differs from every swap, shift and sum of its halves", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          word,
          half,
          half.map((low) => low * HALF),
        ),
        (value) => {
          const [low, high] = [value % HALF, value / HALF];
          const claims = [
            low * HALF + high,
            low + high,
            low,
            high,
            low * HALF,
            high * HALF,
            value ^ 1n,
          ];
          for (const claim of claims)
            expect(rootOfValue(claim) === rootOfValue(value)).to.equal(claim === value);
        },
      ),
    );
  });

  it("differs for another number of felts", () => {
    fc.assert(
      fc.property(values, half, (list, more) => {
        const root = rootOfMarked(list);
        expect(rootOfMarked([...list, more])).not.to.equal(root);
        expect(rootOfFelt(outputDigest(list))).not.to.equal(root);
        expect(unorderedRoot(list)).not.to.equal(root);
      }),
    );
  });

  it("equals the root of one felt for a felt, and of two marked felts for a uint256", () => {
    expect(rootOfFelt(7n)).to.equal(unorderedRoot([7n]));
    expect(rootOfMarked([5n, 7n])).to.equal(unorderedRoot([5n, 7n + HALF]));
    expect(rootOfValue(5n + 7n * HALF)).to.equal(rootOfMarked([5n, 7n]));
  });
});

describe("felts that carry their places", () => {
  it("adds i * 2^128 to the values", () => {
    expect(markedFelts([5n, 7n, 0n])).to.deep.equal([5n, 7n + HALF, 2n * HALF]);
    expect(valueFelts(7n)).to.deep.equal([7n, HALF]);
    expect(valueFelts(WORD - 1n)).to.deep.equal([HALF - 1n, 2n * HALF - 1n]);
  });

  it("give back their uint256", () => {
    fc.assert(
      fc.property(word, (value) => {
        expect(valueOfFelts(valueFelts(value))).to.equal(value);
      }),
    );
  });

  it("refuses values of more than 128 bits, negative ones, and fewer than two", () => {
    const code = (call: () => unknown): string => {
      const { code, path = "" } = hdpThrown(call);
      return `${code} ${path}`;
    };
    expect(code(() => markedFelts([1n, HALF]))).to.equal("HDP-1113 values[1]");
    expect(code(() => markedFelts([-1n, 1n]))).to.equal("HDP-1113 values[0]");
    expect(code(() => rootOfMarked([1n]))).to.equal("HDP-1127 ");
    expect(code(() => rootOfMarked([]))).to.equal("HDP-1127 ");
    expect(code(() => valueFelts(WORD))).to.equal("HDP-1113 value");
    expect(code(() => rootOfValue(-1n))).to.equal("HDP-1113 value");
    expect(code(() => rootOfFelt(2n ** 252n))).to.equal("HDP-1118 felt");
  });

  it("reads no value without the mark, in the other order, or in another number", () => {
    for (const felts of [
      [],
      [5n],
      [5n, 7n],
      [HALF, 5n],
      [HALF, HALF],
      [5n, 2n * HALF],
      [-1n, HALF],
      [5n, HALF, 2n * HALF],
    ])
      expect(hdpThrown(() => valueOfFelts(felts)).code, text(felts)).to.equal("HDP-1127");
    expect(hdpThrown(() => valueOfFelts([5n, 7n])).shortMessage).to.equal(
      "the felts [5, 7] do not carry their places: they are not the two felts of a value.",
    );
  });
});

describe("the digest of an output", () => {
  it("computes keccak256 of the words cut to 250 bits, whatever their number", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const encoded = encodeAbiParameters(
          words.map(() => ({ type: "uint256" })),
          words,
        );
        expect(outputDigest(words)).to.equal(BigInt(keccak256(encoded)) % 2n ** 250n);
        expect(outputDigest(encoded)).to.equal(outputDigest(words));
      }),
    );
  });

  it("fixes the order, number and split of the words", () => {
    fc.assert(
      fc.property(values, (words) => {
        const same = permutations(words).filter(
          (other) => outputDigest(other) === outputDigest(words),
        );
        expect(new Set(same.map(text))).to.deep.equal(new Set([text(words)]));
        expect(outputDigest([...words, 0n])).not.to.equal(outputDigest(words));
        expect(outputDigest([0n, ...words])).not.to.equal(outputDigest(words));
      }),
      { numRuns: 30 },
    );
  });

  it("takes bytes that are no whole words, and refuses what is no bytes and no uint256", () => {
    expect(outputDigest("0x")).to.equal(outputDigest([]));
    expect(outputDigest("0xaB01")).to.equal(BigInt(keccak256("0xab01")) % 2n ** 250n);
    for (const bytes of ["0xabc", "0xzz", "0x 1"] as const)
      expect(hdpThrown(() => outputDigest(bytes)).shortMessage).to.equal(
        `"${bytes}" is not bytes in hexadecimal.`,
      );
    expect(hdpThrown(() => outputDigest([1n, WORD])).path).to.equal("words[1]");
  });
});
