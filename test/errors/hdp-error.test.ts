import { expect } from "chai";

import { HardhatPluginError } from "hardhat/plugins";

import { HdpError, isHdpError } from "../../src/entries/request.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { processorTime } from "../support/processor-time.js";

const message = (text: string): string =>
  new HdpError({ code: "HDP-4101", message: text }).shortMessage;

describe("the message of an error", () => {
  for (const [text, expected] of [
    ["block 12 does not exist", "block 12 does not exist."],
    ["it has 5 (of 6)", "it has 5 (of 6)."],
    ['the bad field is "gasUsed"', 'the bad field is "gasUsed".'],
    ["it is not below 2^128", "it is not below 2^128."],
    ["the limit is 1.5", "the limit is 1.5."],
    ["too slow by 3 %", "too slow by 3 %."],
    ["first line\nsecond line", "first line\nsecond line."],
    ["the name is Grüße", "the name is Grüße."],
  ] as const) {
    it(`gets the full stop that it lacks: ${JSON.stringify(text)}`, () => {
      expect(message(text)).to.equal(expected);
    });
  }

  for (const text of [
    "it does not exist.",
    'did you mean "number"?',
    "not so!",
    'the service said "Not so."',
    "(it was stopped.)",
    "one of these:",
    "0x5c1e…",
    'the node said {"code":24}',
    "write `sum`",
    "nothing is served at /task",
    "the address is https://hdp.example.org/",
    "the class is not there: target/dev/a.json",
    "the file is fee.json",
    "the file is C:\\tasks\\fee",
    "ends with a line break\n",
    "",
  ]) {
    it(`stays as it is: ${JSON.stringify(text)}`, () => {
      expect(message(text)).to.equal(text);
    });
  }

  it("stands in the whole text, before the hints, which stay as they are", () => {
    const error = new HdpError({
      code: "HDP-4101",
      source: "tasks/fee.json",
      path: "tasks[0]",
      message: "block 12 does not exist",
      hints: ["Mine it first"],
    });
    expect(error.message).to.equal(
      "HDP-4101 in tasks/fee.json, tasks[0]: block 12 does not exist.\n  Mine it first",
    );
  });

  it("takes a long text without spaces in linear time", () => {
    const taken = processorTime();
    message("a".repeat(5_000_000));
    message('."'.repeat(2_500_000));
    expect(taken()).to.be.lessThan(1000);
  });

  it("takes a number of the catalogue, or does not compile", () => {
    // @ts-expect-error the catalogue has no such number
    const error = new HdpError({ code: "HDP-4100", message: "text" });
    expect(error.code).to.equal("HDP-4100");
  });
});

describe("an error of the catalogue", () => {
  const error = hdpError(
    "HDP-4101",
    { block: 12n, chain: "BASE_MAINNET", head: 9 },
    { path: "tasks[0]", source: "a" },
  );

  it("fills the values into its message and hints", () => {
    expect(error.message).to.equal(
      "HDP-4101 in a, tasks[0]: block 12 does not exist, the latest block of BASE_MAINNET is 9.\n" +
        "  Read up to block 9, or wait for block 12.",
    );
  });

  it("extends HdpError and the plugin error of Hardhat", () => {
    expect(error).to.be.instanceOf(HdpError).and.to.be.instanceOf(HardhatPluginError);
    expect(HardhatPluginError.isHardhatPluginError(error)).to.equal(true);
    expect(isHdpError(error, "HDP-4101")).to.equal(true);
    expect(error.pluginId).to.equal("hardhat-hdp");
  });

  it("leaves out a hint whose value is undefined, and adds those of its place", () => {
    const { hints } = hdpError(
      "HDP-4101",
      { block: 1, chain: "x", head: undefined },
      { hints: ["More."] },
    );
    expect(hints).to.deep.equal(["More."]);
  });

  it("does not compile without a value of its template, or with another one", () => {
    // @ts-expect-error head is missing
    hdpError("HDP-4101", { block: 1, chain: "x" });
    // @ts-expect-error there is no value of this name
    hdpError("HDP-4101", { block: 1, chain: "x", head: 2, tail: 3 });
  });
});
