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
import { readBlockProperty, readTransactionProperty } from "../../src/request/sampled-property.js";
import { also, field, fieldWithDefault, formOf, list, variant } from "../../src/request/schema.js";
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

  it("are told to editors as they are read: in text too, and 0 only where 0 is one", () => {
    for (const [min, zeros] of [
      [0n, true],
      [1n, false],
    ] as const) {
      const reader = integerReader({ max: MAX_UINT64, min });
      const { pattern, ...form } = reader.form?.() ?? {};
      expect(form).to.deep.equal({ type: ["integer", "string"], minimum: Number(min), maximum: 2 ** 64 });
      const taken = (text: string): boolean => new RegExp(String(pattern)).test(text);
      for (const text of ["0", "00", "0x0", "0X00", "0o0", "0b0"]) expect(taken(text), text).to.equal(zeros);
      for (const text of ["1", "010", "0x0a", "0XF", "0o17", "0b01"]) expect(taken(text), text).to.equal(true);
      for (const text of ["", "-1", "1x", "x1", "0x", "0xg", "0o8", "0b2", " 1"]) {
        expect(taken(text), text).to.equal(false);
      }
    }
  });

  it("have the form of their reader in a schema, described or not, and none where that has none", () => {
    const reader = integerReader({ max: MAX_UINT64 });
    const value = { kind: "value", form: reader.form?.() };
    for (const schema of [field(reader), field(reader).describe("a number"), fieldWithDefault(reader, 1n)]) {
      expect(formOf(schema._def)).to.deep.equal(value);
    }
    expect(formOf(also(() => ({ minimum: 1 }), field(reader))._def)).to.deep.equal({
      kind: "also",
      form: { minimum: 1 },
    });
    expect(formOf(field(() => undefined)._def)).to.equal(undefined);
    expect(formOf({})).to.equal(undefined);
    const variants = { A: field(reader), B: field(readFelt) };
    expect(formOf(variant<unknown>(variants, "a letter")._def)).to.deep.equal({
      ...{ kind: "variants", what: "a letter", variants: [variants.A, variants.B] },
    });
  });

  it("are as many of a list as are written, and one at least where none is a mistake", () => {
    for (const [least, isEmptyRead] of [
      [0, true],
      [1, false],
    ] as const) {
      const schema = list(field(readFelt), least, "felts");
      expect(schema.safeParse(["0x1", "0x2"]).data).to.deep.equal(["0x1", "0x2"]);
      expect(schema.safeParse([]).success).to.equal(isEmptyRead);
    }
  });

  it("are no properties that end with a dot", () => {
    const address = `0x${"1".repeat(40)}`;
    for (const text of ["header.", `account.${address}.`, `storage.${address}.`]) {
      expect(read(readBlockProperty, text), text).to.equal("HDP-1105");
    }
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

  it("are undefined wherever a mistake was told, whatever part of them could be read", () => {
    const address = `0x${"1".repeat(40)}`;
    for (const [reader, texts] of [
      [
        readBlockProperty,
        [
          ...[
            "",
            "header",
            "header.",
            "header.numbre",
            "header.number.x",
            "heder.number",
            "number",
            "tx.nonce",
            "mars.x",
          ],
          ...[
            `account.${address}`,
            `account.${address}.`,
            `account.${address}.x`,
            "account.0x1.balance",
            `account.x${address}.nonce`,
          ],
          ...[
            `account.${address}0.nonce`,
            `account.${address}.nonce.x`,
            "storage.0x1.0x1",
            `storage.${address}.`,
            `storage.${address}.1`,
          ],
          ...[
            `storage.${address}.0x`,
            `storage.${address}.x0x1`,
            `storage.${address}.0x1x`,
            `storage.${address}.0x${"0".repeat(65)}`,
          ],
        ],
      ],
      [
        readTransactionProperty,
        ["tx", "tx.", "tx.x", "tx.nonce.x", "tx_receipt.x", "header.number", "tx.header.number"],
      ],
    ] as const) {
      for (const text of texts) expect(read<unknown>(reader, text), text).to.match(/^HDP-1(104|105|110|111)(,|$)/);
    }
    expect(read<unknown>(readBlockProperty, "account.0x1.x")).to.equal("HDP-1110,HDP-1104");
    expect(read<unknown>(readBlockProperty, "storage.0x1.1")).to.equal("HDP-1110,HDP-1111");
    expect(read(readBlockProperty, `STORAGE.0X${"a".repeat(40)}.0XF`)).to.deep.equal({
      ...{ kind: "storage", address: `0x${"a".repeat(40)}`, slot: `0x${"0".repeat(63)}f` },
    });
    expect(read(readBlockProperty, `storage.0x${"a".repeat(40)}.0x${"f".repeat(64)}`)).to.have.property(
      "slot",
      `0x${"f".repeat(64)}`,
    );
  });

  it("say in a property's mistake what was meant, and how long an address is", () => {
    const mistake = (reader: Reader<unknown>, text: string): Mistake => {
      const mistakes: Mistake[] = [];
      reader(text, (one) => mistakes.push(one));
      const [first] = mistakes;
      if (first === undefined || mistakes.length > 1) throw new Error(`${text} has ${mistakes.length} mistakes`);
      return first;
    };
    expect(mistake(readBlockProperty, "heder.number")).to.include({ suggestion: "header.number" });
    expect(mistake(readBlockProperty, "heder")).to.include({ suggestion: undefined });
    expect(mistake(readBlockProperty, "mars.number")).to.include({ suggestion: undefined });
    expect(mistake(readBlockProperty, "tx.nonce")).to.include({
      ...{ suggestion: undefined, message: '"tx.nonce" cannot be sampled by a BlockSampled datalake.' },
    });
    expect(mistake(readBlockProperty, "header")).to.include({
      ...{ suggestion: undefined, message: '"header" is not a sampled property.' },
    });
    // A kind that is known is right; what follows it is not.
    for (const text of ["header.number.x", "Header.", `storage.0x${"1".repeat(40)}`]) {
      expect(mistake(readBlockProperty, text)).to.include({ code: "HDP-1105", suggestion: undefined });
    }
    expect(mistake(readTransactionProperty, "header.number").message).to.equal(
      '"header.number" cannot be sampled by a TransactionsInBlock datalake.',
    );
    expect(mistake(readBlockProperty, "header.numbre")).to.include({ suggestion: "header.number" });
    expect(mistake(readBlockProperty, "header.zzzzzzzz")).to.include({ suggestion: undefined });
    for (const [address, digits] of [
      ["0x1", "; this one has 1"],
      ["0x", "; this one has 0"],
      [`0x${"A".repeat(39)}`, "; this one has 39"],
      ["x0x1", ""],
      ["0x1g", ""],
      ["vitalik", ""],
    ] as const) {
      expect(mistake(readBlockProperty, `account.${address}.balance`).hints).to.deep.equal([
        `An address is 0x and 40 hex digits, in any letter case${digits}.`,
      ]);
    }
  });

  it("say a range by its ends, and what is no number by what it is", () => {
    const mistake = (reader: Reader<unknown>, value: unknown): Mistake => {
      const mistakes: Mistake[] = [];
      reader(value, (one) => mistakes.push(one));
      return mistakes[0] ?? expect.fail("no mistake");
    };
    expect(mistake(integerReader({ max: MAX_UINT64 }), -1)).to.deep.include({
      ...{ allowed: ["0", MAX_UINT64.toString()], hints: ["Allowed: 0 to 2^64 - 1."] },
    });
    expect(mistake(integerReader({ max: MAX_UINT256, min: 1n }), -1)).to.deep.include({
      ...{ allowed: ["1", MAX_UINT256.toString()], hints: ["Allowed: 1 to 2^256 - 1."] },
    });
    expect(mistake(integerReader({ max: MAX_UINT64 }), true).message).to.equal(
      "true is a boolean; it must be an integer.",
    );
    expect(mistake(integerReader({ max: MAX_UINT64 }), [5]).message).to.equal(
      "[5] is an array; it must be an integer.",
    );
    expect(mistake(readFelt, "5")).to.include({ code: "HDP-1118", message: '"5" is not a felt.' });
    expect(mistake(readFelt, "x0x5")).to.include({ code: "HDP-1118" });
    expect(mistake(readChain, true)).to.include({ code: "HDP-1103" });
    expect(mistake(readBlockProperty, 5n).message).to.match(/^5 is a number; it must be text of the form /);
    const circular: unknown[] = [];
    circular.push(circular);
    expect([quote(circular), quote(5n), quote(Symbol("x"))]).to.deep.equal(["an array", "5", "a symbol"]);
  });
});
