import { expect } from "chai";

import {
  integerReader,
  MAX_UINT256,
  MAX_UINT64,
  quote,
  type Reader,
  readChain,
  readFelt,
} from "../../src/request/readers.js";
import type { Mistake } from "../../src/request/task-request-error.js";

/** What is read, or the codes of the mistakes. */
function read<T>(reader: Reader<T>, value: unknown): T | string {
  const mistakes: Mistake[] = [];
  const result = reader(value, (mistake) => mistakes.push(mistake));
  expect(result === undefined).to.equal(mistakes.length > 0);
  return result ?? mistakes.map(({ code }) => code).join();
}

const P = 2n ** 251n + 17n * 2n ** 192n + 1n;

describe("values of a request at their limits", () => {
  it("are integers of so many bits", () => {
    for (const max of [MAX_UINT64, MAX_UINT256]) {
      const reader = integerReader({ max });
      for (const form of [(one: bigint) => one, (one: bigint) => one.toString()]) {
        expect([0n, 1n, max - 1n, max].map((one) => read(reader, form(one)))).to.deep.equal([0n, 1n, max - 1n, max]);
        for (const one of [-1n, max + 1n, -max]) expect(read(reader, form(one))).to.equal("HDP-1113");
      }
    }
    expect([MAX_UINT64, MAX_UINT256]).to.deep.equal([2n ** 64n - 1n, 2n ** 256n - 1n]);
  });

  it("are never read through an inexact number", () => {
    const reader = integerReader({ max: MAX_UINT64 });
    expect(read(reader, Number.MAX_SAFE_INTEGER)).to.equal(2n ** 53n - 1n);
    expect(read(reader, Number.MAX_SAFE_INTEGER + 1)).to.equal("HDP-1114");
    expect(read(reader, "9007199254740993")).to.equal(9_007_199_254_740_993n);
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(read(reader, value)).to.equal("HDP-1112");
  });

  it("are read in four bases and refused in no other form", () => {
    const reader = integerReader({ max: MAX_UINT256 });
    for (const text of ["64", "0x40", "0X40", "0o100", "0b1000000", "0064"]) {
      expect(read(reader, text), text).to.equal(64n);
    } // prettier-ignore
    for (const text of ["-0", "-0x0"]) expect(read(reader, text)).to.equal(0n);
    for (const text of [
      "",
      "-",
      "+1",
      " 1",
      "1 ",
      "1\n",
      "1.0",
      "1e3",
      "0x",
      "0xg",
      "0o8",
      "0b2",
      "1_000",
      "x1",
      "--1",
    ]) {
      expect(read(reader, text), JSON.stringify(text)).to.equal("HDP-1112");
    }
    for (const value of [null, [], {}, true]) expect(read(reader, value)).to.equal("HDP-1103");
    expect(read(reader, undefined)).to.equal("HDP-1101");
  });

  it("are texts of 300 characters at most, where they are integers", () => {
    const reader = integerReader({ max: MAX_UINT256 });
    expect(read(reader, "1".padStart(300, "0"))).to.equal(1n);
    expect(read(reader, "1".padStart(301, "0"))).to.equal("HDP-1112");
  });

  it("are increments of at least 1", () => {
    const reader = integerReader({ max: MAX_UINT64, min: 1n });
    expect([1n, 0n, -1n].map((one) => read(reader, one))).to.deep.equal([1n, "HDP-1116", "HDP-1113"]);
    expect(read(integerReader({ max: MAX_UINT64, min: 2n }), 0n)).to.equal("HDP-1113");
    expect(read(integerReader({ max: MAX_UINT64, min: 2n }), 1n)).to.equal("HDP-1113");
  });

  it("are felts below the field's prime, written without leading zeros in lower case", () => {
    expect(read(readFelt, P - 1n)).to.equal(`0x${(P - 1n).toString(16)}`);
    expect(read(readFelt, `0x${(P - 1n).toString(16).toUpperCase()}`)).to.equal(`0x${(P - 1n).toString(16)}`);
    expect(["0x0", "0x000", "0x0aB", 0n, 171n].map((one) => read(readFelt, one))).to.deep.equal([
      ...["0x0", "0x0", "0xab", "0x0", "0xab"],
    ]);
    for (const one of [P, -1n, `0x${P.toString(16)}`, "0x", "ab", "1", "0xg", " 0x1", "0x1 "]) {
      expect(read(readFelt, one), String(one)).to.equal("HDP-1118");
    }
    expect([read(readFelt, 1), read(readFelt, undefined)]).to.deep.equal(["HDP-1103", "HDP-1101"]);
  });

  it("are chains by name, never by number", () => {
    expect(read(readChain, "ETHEREUM_SEPOLIA")).to.equal("ETHEREUM_SEPOLIA");
    expect(read(readChain, "SN_SEPOLIA")).to.equal("STARKNET_SEPOLIA");
    for (const value of [1, 1n, "1", "0xaa36a7", "11155111", 999_999, 0])
      expect(read(readChain, value)).to.equal("HDP-1117");
    for (const value of ["", "MARS", "1x", "0x"]) expect(read(readChain, value)).to.equal("HDP-1109");
    for (const value of [null, 1.5, {}, 2 ** 53]) expect(read(readChain, value)).to.equal("HDP-1103");
    const named = (value: unknown) => {
      let suggestion: unknown;
      readChain(value, (mistake) => (suggestion = [mistake.suggestion, (mistake.hints ?? []).length]));
      return suggestion;
    };
    expect([named(11155111), named("0x1"), named(999_999)]).to.deep.equal([
      ["ETHEREUM_SEPOLIA", 0],
      ["ETHEREUM_MAINNET", 0],
      [undefined, 1],
    ]);
  });

  it("are quoted in 80 characters at most, whatever they are", () => {
    expect(quote("x".repeat(78))).to.equal(`"${"x".repeat(78)}"`);
    expect(quote("x".repeat(79))).to.equal(`"${"x".repeat(76)}...`);
    const circle: unknown[] = [];
    circle.push(circle);
    expect([quote(5n), quote({ a: [1] }), quote(null), quote(circle)]).to.deep.equal([
      "5",
      '{"a":[1]}',
      "null",
      "an array",
    ]);
  });
});
