import { expect } from "chai";
import fc from "fast-check";

import { otherOrders } from "../../src/request/output-order.js";
import { unorderedRoot } from "../../src/entries/request.js";

const text = (list: readonly bigint[]): string => list.join();

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe("the other orders of an output", () => {
  it("lists exactly the permutations that keep the root, each once, equal felts or not", () => {
    const felts = fc.array(fc.bigInt(0n, 4n), { maxLength: 6 });
    fc.assert(
      fc.property(felts, (list) => {
        const root = unorderedRoot(list);
        const kept = permutations(list).filter((other) => unorderedRoot(other) === root);
        const found = [...otherOrders(list)].map(text);
        expect(new Set([text(list), ...found])).to.deep.equal(new Set(kept.map(text)));
        expect(new Set([text(list), ...found]).size).to.equal(found.length + 1);
      }),
      { numRuns: 40 },
    );
  });

  it("come one by one, two neighbours exchanged first, however many there are", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => BigInt(index));
    const [first = []] = otherOrders(many);
    expect(first.filter((felt, index) => felt !== many[index])).to.have.length(2);
    expect(unorderedRoot(first)).to.equal(unorderedRoot(many));
  });

  it("lists none for one felt, and for felts that are all equal", () => {
    for (const list of [[], [7n], [7n, 7n], [7n, 7n, 7n, 7n, 7n]])
      expect([...otherOrders(list)]).to.deep.equal([]);
  });
});
