import { expect } from "chai";
import fc from "fast-check";

import { grouped } from "../../src/base/grouped.js";

describe("an integer in groups", () => {
  it("is what the locale's tables say", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(), fc.integer(), fc.bigInt(-2000n, 2000n)), (integer) => {
        expect(grouped(integer)).to.equal(integer.toLocaleString("en-US"));
      }),
    );
  });
});
