import { expect } from "chai";
import fc from "fast-check";

import { drawn, grouped, inUnit, tick, type ValueUnit } from "../../dashboard/units.js";
import { IN_UNIT, UNITS } from "../../src/request/describe-task.js";

describe("values on the dashboard", () => {
  it("writes values as the package writes them", () => {
    const units = fc.constantFrom(...UNITS);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), units, (value, unit) => {
        expect(inUnit(value.toString(), unit)).to.equal(IN_UNIT[unit](value) ?? grouped(value));
      }),
    );
    expect(inUnit("1047238911", "gwei")).to.equal("1.047238911 gwei");
    expect(inUnit("1700000000", "date")).to.equal("2023-11-14 22:13:20 UTC");
    expect(inUnit("1234567", undefined)).to.equal("1,234,567");
  });

  it("draws values in their unit", () => {
    const cases: readonly (readonly [string, ValueUnit, number])[] = [
      ["1500000000", "gwei", 1.5],
      ["10000500000000000000000", "ether", 10_000.5],
      ["21000", "gas", 21_000],
      [(2n ** 255n).toString(), undefined, 2 ** 255],
    ];
    for (const [value, unit, expected] of cases) expect(drawn(value, unit)).to.equal(expected);
  });

  it("labels axes with short numbers", () => {
    expect([
      tick(1_700_000_000, "date"),
      tick(1_700_000_000, "date", 60),
      tick(0.000388, "gwei"),
      tick(60_000_000, "gas"),
      tick(5.7e76, undefined),
    ]).to.deep.equal(["11-14 22:13", "22:13:20", "0.000388", "60,000,000", "5.70e+76"]);
  });
});
