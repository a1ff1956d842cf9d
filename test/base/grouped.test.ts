import { expect } from "chai";
import fc from "fast-check";

import { grouped, plural } from "../../src/base/text.js";

describe("an integer in groups", () => {
  it("groups integers as the locale's tables say", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(), fc.integer(), fc.bigInt(-2000n, 2000n)), (integer) => {
        expect(grouped(integer)).to.equal(integer.toLocaleString("en-US"));
      }),
    );
  });
});

describe("a count with its word", () => {
  it("writes the plural's s for every count but one", () => {
    expect([0, 1, 1n, 2n, 1200].map((count) => plural(count, "task"))).to.deep.equal([
      "0 tasks",
      "1 task",
      "1 task",
      "2 tasks",
      "1,200 tasks",
    ]);
  });
});
