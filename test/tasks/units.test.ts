import { expect } from "chai";

import { account, blockSampled, header, isHdpError } from "../../src/entries/request.js";
import { FIELD_NAMES } from "../../src/request/fields.js";
import { IN_UNIT, spokenValue } from "../../src/request/describe-task.js";
import { parseUnit } from "../../src/tasks/ui/format.js";

const range = { from: 0, to: 63 };
const fee = blockSampled({ ...range, property: header("base_fee_per_gas") });
const time = blockSampled({ ...range, property: header("timestamp") });
const balance = blockSampled({ ...range, property: account(`0x${"11".repeat(20)}`, "balance") });

describe("results in the units of their fields", () => {
  for (const [value, unit, text] of [
    [1_047_238_911n, "gwei", "1.047238911 gwei"],
    [1_500_000_000_000_000_000_000n, "ether", "1,500 ether"],
    [1n, "ether", "0.000000000000000001 ether"],
    [30_000_000n, "gas", "30,000,000 gas"],
    [12_345n, "wei", "12,345 wei"],
    [1_767_225_600n, "date", "2026-01-01 00:00:00 UTC"],
    [253_402_300_799n, "date", "9999-12-31 23:59:59 UTC"],
    [253_402_300_800n, "date", undefined],
  ] as const) {
    it(`says ${value.toString()} in ${unit}`, () => {
      expect(IN_UNIT[unit](value)).to.equal(text);
    });
  }

  for (const [name, task, value, unit, text] of [
    ["an average of fees", fee.avg(), 1_047_238_911n, undefined, "1.047238911 gwei on average"],
    ["another unit", fee.avg(), 1_047_238_911n, "ether", "0.000000001047238911 ether on average"],
    ["a lowest balance", balance.min(), 5n * 10n ** 17n, undefined, "0.5 ether at least"],
    ["a latest time", time.max(), 1_767_225_600n, undefined, "2026-01-01 00:00:00 UTC at most"],
    ["a sum of times", time.sum(), 1_767_225_600n, undefined, undefined],
    [
      "a count with its condition",
      fee.count("gteq", 1_000_000_000n),
      3n,
      undefined,
      "3 values of header.base_fee_per_gas ≥ 1 gwei",
    ],
    ["a task that is not known", undefined, 7n, undefined, undefined],
    ["a task that is not known, in a unit", undefined, 10n ** 9n, "gwei", "1 gwei"],
  ] as const) {
    it(`says ${name}`, () => {
      expect(spokenValue(value, task, unit)).to.equal(text);
    });
  }

  it("knows only fields that exist", () => {
    expect(FIELD_NAMES.header).to.include.members([
      "base_fee_per_gas",
      "timestamp",
      "gas_limit",
      "gas_used",
    ]);
    expect(FIELD_NAMES.account).to.include("balance");
    expect(FIELD_NAMES.tx).to.include.members([
      "gas_price",
      "gas_limit",
      "value",
      "max_fee_per_gas",
    ]);
    expect(FIELD_NAMES.tx_receipt).to.include("cumulative_gas_used");
  });

  it("refuses an unknown unit", () => {
    expect(parseUnit("Gwei")).to.equal("gwei");
    expect(parseUnit(undefined)).to.equal(undefined);
    try {
      parseUnit("szabo");
      expect.fail("nothing was thrown");
    } catch (error) {
      expect(isHdpError(error, "HDP-6003")).to.equal(true);
    }
  });
});
