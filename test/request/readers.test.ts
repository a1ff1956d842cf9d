import { expect } from "chai";

import { type TaskError, TaskRequestError } from "../../src/entries/request.js";
import { blockProperty, transactionProperty } from "../../src/request/sampled-property.js";
import { parseWith, quote, type Reader, readSilently } from "../../src/request/reader.js";
import {
  boolean,
  chain,
  felt,
  integer,
  list,
  MAX_UINT256,
  MAX_UINT64,
  object,
  optional,
} from "../../src/request/value-readers.js";

/** The errors of a value; none where it is read. */
function errorsOf(reader: Reader<unknown>, value: unknown): readonly TaskError[] {
  try {
    parseWith(reader, value);
    return [];
  } catch (error) {
    if (error instanceof TaskRequestError) return error.errors;
    throw error;
  }
}

/** What is read, or the codes of the errors. */
function read<T>(reader: Reader<T>, value: unknown): T | string {
  const errors = errorsOf(reader, value);
  const result = readSilently(reader, value);
  expect(result === null).to.equal(errors.length > 0);
  return result ?? errors.map(({ code }) => code).join();
}

function onlyError(reader: Reader<unknown>, value: unknown): TaskError {
  const [first, ...others] = errorsOf(reader, value);
  if (first === undefined || others.length > 0)
    throw new Error(`${String(value)} has ${others.length + 1} errors`);
  return first;
}

const P = 2n ** 251n + 17n * 2n ** 192n + 1n;

describe("the integer reader", () => {
  it("accepts the integers of its range and no others", () => {
    for (const max of [MAX_UINT64, MAX_UINT256]) {
      const reader = integer({ max });
      for (const form of [(one: bigint) => one, (one: bigint) => one.toString()]) {
        expect([0n, 1n, max - 1n, max].map((one) => read(reader, form(one)))).to.deep.equal([
          0n,
          1n,
          max - 1n,
          max,
        ]);
        for (const one of [-1n, max + 1n, -max])
          expect(read(reader, form(one))).to.equal("HDP-1113");
      }
    }
    expect([MAX_UINT64, MAX_UINT256]).to.deep.equal([2n ** 64n - 1n, 2n ** 256n - 1n]);
  });

  it("never goes through an inexact number", () => {
    const reader = integer({ max: MAX_UINT64 });
    expect(read(reader, Number.MAX_SAFE_INTEGER)).to.equal(2n ** 53n - 1n);
    expect(onlyError(reader, Number.MAX_SAFE_INTEGER + 1).shortMessage).to.equal(
      "9007199254740992 is not an integer that a JSON number holds exactly.",
    );
    expect(read(reader, "9007199254740993")).to.equal(9_007_199_254_740_993n);
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(read(reader, value)).to.equal("HDP-1112");
    expect(onlyError(reader, 0.5).shortMessage).to.equal("0.5 is not an integer.");
  });

  it("reads text in four bases and in no other form", () => {
    const reader = integer({ max: MAX_UINT256 });
    for (const text of ["64", "0x40", "0X40", "0o100", "0b1000000", "0064"]) {
      expect(read(reader, text), text).to.equal(64n);
    }
    for (const text of ["-0", "-0x0"]) expect(read(reader, text)).to.equal(0n);
    const wrong = [
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
    ];
    for (const text of wrong) expect(read(reader, text), JSON.stringify(text)).to.equal("HDP-1112");
    for (const value of [null, [], {}, true]) expect(read(reader, value)).to.equal("HDP-1103");
    expect(read(reader, undefined)).to.equal("HDP-1101");
  });

  it("refuses text of more than 300 characters", () => {
    const reader = integer({ max: MAX_UINT256 });
    expect(read(reader, "1".padStart(300, "0"))).to.equal(1n);
    expect(read(reader, "1".padStart(301, "0"))).to.equal("HDP-1112");
  });

  it("names the ends of its range", () => {
    expect(onlyError(integer({ max: MAX_UINT64 }), -1)).to.deep.include({
      allowed: ["0", MAX_UINT64.toString()],
      hints: ["Allowed: 0 to 2^64 - 1."],
      value: -1,
    });
    expect(onlyError(integer({ max: MAX_UINT256, min: 1n }), 0)).to.deep.include({
      allowed: ["1", MAX_UINT256.toString()],
      hints: ["Allowed: 1 to 2^256 - 1."],
    });
    expect(read(integer({ max: MAX_UINT64, min: 1n }), 1n)).to.equal(1n);
  });

  it("accepts the same text as its form, and 0 only where 0 is in the range", () => {
    for (const [min, zeros] of [
      [0n, true],
      [1n, false],
    ] as const) {
      const { pattern, ...form } = integer({ max: MAX_UINT64, min }).form();
      expect(form).to.deep.equal({
        type: ["integer", "string"],
        minimum: Number(min),
        maximum: 2 ** 64,
      });
      const accepts = (text: string): boolean => new RegExp(String(pattern)).test(text);
      for (const text of ["0", "00", "0x0", "0X00", "0o0", "0b0"])
        expect(accepts(text), text).to.equal(zeros);
      for (const text of ["1", "010", "0x0a", "0XF", "0o17", "0b01"])
        expect(accepts(text), text).to.equal(true);
      for (const text of ["", "-1", "1x", "x1", "0x", "0xg", "0o8", "0b2", " 1"]) {
        expect(accepts(text), text).to.equal(false);
      }
    }
  });
});

describe("the felt reader", () => {
  it("accepts felts below the field's prime and writes them in lower case without leading zeros", () => {
    expect(read(felt, P - 1n)).to.equal(`0x${(P - 1n).toString(16)}`);
    expect(read(felt, `0x${(P - 1n).toString(16).toUpperCase()}`)).to.equal(
      `0x${(P - 1n).toString(16)}`,
    );
    expect(["0x0", "0x000", "0x0aB", 0n, 171n].map((one) => read(felt, one))).to.deep.equal([
      "0x0",
      "0x0",
      "0xab",
      "0x0",
      "0xab",
    ]);
    for (const one of [
      P,
      -1n,
      `0x${P.toString(16)}`,
      "0x",
      "ab",
      "1",
      "0xg",
      " 0x1",
      "0x1 ",
      "x0x5",
    ]) {
      expect(read(felt, one), String(one)).to.equal("HDP-1118");
    }
    expect([read(felt, 1), read(felt, undefined)]).to.deep.equal(["HDP-1103", "HDP-1101"]);
    expect(onlyError(felt, "5")).to.include({ shortMessage: '"5" is not a felt.', value: "5" });
  });
});

describe("the chain reader", () => {
  it("accepts names and aliases, never numbers", () => {
    expect(read(chain, "ETHEREUM_SEPOLIA")).to.equal("ETHEREUM_SEPOLIA");
    expect(read(chain, "SN_SEPOLIA")).to.equal("STARKNET_SEPOLIA");
    for (const value of [1, 1n, "1", "0xaa36a7", "11155111", 999_999, 0, "", "MARS", "1x", "0x"]) {
      expect(read(chain, value)).to.equal("HDP-1108");
    }
    for (const value of [null, 1.5, {}, 2 ** 53, true])
      expect(read(chain, value)).to.equal("HDP-1103");
  });

  it("suggests the name of a chain id or of a misspelled name", () => {
    for (const [value, suggestion] of [
      [11155111, "ETHEREUM_SEPOLIA"],
      ["0x1", "ETHEREUM_MAINNET"],
      ["11155111", "ETHEREUM_SEPOLIA"],
      ["ethereum-sepolia", "ETHEREUM_SEPOLIA"],
      ["sepolia", "ETHEREUM_SEPOLIA"],
      ["MAINNET", "ETHEREUM_MAINNET"],
      ["STARKNETT", "STARKNET"],
      [999_999, undefined],
      ["1x", undefined],
    ] as const) {
      expect(onlyError(chain, value), String(value)).to.include({ suggestion, value });
    }
    for (const [name, suggestion] of [
      ["OP_MAINNET", "OPTIMISM_MAINNET"],
      ["opmainnet", "OPTIMISM_MAINNET"],
      ["ETH_MAINNET", "ETHEREUM_MAINNET"],
      ["eth sepolia", "ETHEREUM_SEPOLIA"],
      ["ARB_SEPOLIA", "ARBITRUM_SEPOLIA"],
      ["STARKNET_MAIN", "STARKNET_MAINNET"],
      ["ETHERIUM_SEPOLA", "ETHEREUM_SEPOLIA"],
      ["ETHEREUM_TESTNET", undefined],
      ["SN_TESTNET", undefined],
      ["BNB_MAINNET", undefined],
      ["ZKSYNC_MAINNET", undefined],
    ] as const) {
      expect(onlyError(chain, name), name).to.include({ suggestion });
    }
    expect(onlyError(chain, 999_999).hints[0]).to.match(
      /^Allowed: ETHEREUM_MAINNET, .*, SN_SEPOLIA\.$/,
    );
  });
});

describe("the readers of sampled properties", () => {
  const address = `0x${"1".repeat(40)}`;

  it("report a error for whatever is not a property of their datalake", () => {
    const blocks = [
      "",
      "header",
      "header.",
      "header.numbre",
      "header.number.x",
      "heder.number",
      "number",
      "tx.nonce",
      "mars.x",
      `account.${address}`,
      `account.${address}.`,
      `account.${address}.x`,
      "account.0x1.balance",
      `account.x${address}.nonce`,
      `account.${address}0.nonce`,
      `account.${address}.nonce.x`,
      "storage.0x1.0x1",
      `storage.${address}.`,
      `storage.${address}.1`,
      `storage.${address}.0x`,
      `storage.${address}.x0x1`,
      `storage.${address}.0x1x`,
      `storage.${address}.0x${"0".repeat(65)}`,
      "account..nonce",
    ];
    const transactions = [
      "tx",
      "tx.",
      "tx.x",
      "tx.nonce.x",
      "tx_receipt.x",
      "header.number",
      "tx.header.number",
    ];
    for (const text of blocks)
      expect(read<unknown>(blockProperty, text), text).to.match(/^HDP-11(04|05|10|11)(,|$)/);
    for (const text of transactions)
      expect(read<unknown>(transactionProperty, text), text).to.match(/^HDP-110[45]$/);
  });

  it("report the errors of both operands", () => {
    expect(read<unknown>(blockProperty, "account.0x1.x")).to.equal("HDP-1110,HDP-1104");
    expect(read<unknown>(blockProperty, "storage.0x1.1")).to.equal("HDP-1110,HDP-1111");
  });

  it("accept addresses and slots in any letter case, and pad slots", () => {
    expect(read(blockProperty, `STORAGE.0X${"a".repeat(40)}.0XF`)).to.deep.equal({
      kind: "storage",
      address: `0x${"a".repeat(40)}`,
      slot: `0x${"0".repeat(63)}f`,
    });
    expect(read(blockProperty, `storage.0x${"a".repeat(40)}.0x${"f".repeat(64)}`)).to.have.property(
      "slot",
      `0x${"f".repeat(64)}`,
    );
  });

  it("refuse a property that ends with a dot", () => {
    for (const text of ["header.", `account.${address}.`, `storage.${address}.`]) {
      expect(read(blockProperty, text), text).to.equal("HDP-1105");
    }
  });

  it("suggest what was meant where the kind or the field is misspelled", () => {
    for (const [text, code, suggestion] of [
      ["heder.number", "HDP-1105", "header.number"],
      ["heder", "HDP-1105", undefined],
      ["mars.number", "HDP-1105", undefined],
      ["tx.nonce", "HDP-1105", undefined],
      ["header", "HDP-1105", undefined],
      ["header.number.x", "HDP-1105", undefined],
      ["Header.", "HDP-1105", undefined],
      [`storage.${address}`, "HDP-1105", undefined],
      ["header.numbre", "HDP-1104", "header.number"],
      ["header.zzzzzzzz", "HDP-1104", undefined],
    ] as const) {
      expect(onlyError(blockProperty, text), text).to.include({ code, suggestion, value: text });
    }
    expect(onlyError(blockProperty, "tx.nonce").message).to.equal(
      'HDP-1105: "tx.nonce" cannot be sampled by a BlockSampled datalake.\n' +
        "  BlockSampled samples header.{field}, account.{address}.{field}, storage.{address}.{slot}.",
    );
    expect(onlyError(transactionProperty, "header.number").shortMessage).to.equal(
      '"header.number" cannot be sampled by a TransactionsInBlock datalake.',
    );
    expect(onlyError(blockProperty, 5n).shortMessage).to.match(
      /^expected text of the form header\..*, found 5\.$/,
    );
  });

  it("say how many digits an address has", () => {
    for (const [text, digits] of [
      ["0x1", "; this one has 1"],
      ["0x", "; this one has 0"],
      [`0x${"A".repeat(39)}`, "; this one has 39"],
      ["x0x1", ""],
      ["0x1g", ""],
      ["vitalik", ""],
    ] as const) {
      const { shortMessage, hints } = onlyError(blockProperty, `account.${text}.balance`);
      expect(shortMessage).to.equal(`"${text}" is not an address.`);
      expect(hints).to.deep.equal([
        `An address is 0x and 40 hex digits, in any letter case${digits}.`,
      ]);
    }
  });
});

describe("readers of several values", () => {
  it("read every item of a list, and refuse an empty one where one item is needed", () => {
    for (const [least, empty] of [
      [0, []],
      [1, "HDP-1120"],
    ] as const) {
      const reader = list(felt, "felts", { least });
      expect(read(reader, ["0x1", "0x2"])).to.deep.equal(["0x1", "0x2"]);
      expect(read(reader, [])).to.deep.equal(empty);
      expect(reader.form()).to.deep.equal({
        type: "array",
        items: felt.form(),
        ...(least === 1 ? { minItems: 1 } : {}),
      });
    }
    expect(
      errorsOf(list(felt, "felts"), ["0x1", 2, "x"]).map(({ code, path }) => [code, path]),
    ).to.deep.equal([
      ["HDP-1103", "[1]"],
      ["HDP-1118", "[2]"],
    ]);
  });

  it("read a missing key as its default, and as nothing where it is optional", () => {
    expect(parseWith(optional(integer({ max: 9n }), 7n), undefined)).to.equal(7n);
    expect(parseWith(optional(integer({ max: 9n }), 7n), 8)).to.equal(8n);
    expect(readSilently(optional(boolean, undefined), undefined)).to.equal(undefined);
    expect(errorsOf(optional(boolean, undefined), 1)).to.have.length(1);
    const reader = object({ always: boolean, sometimes: optional(boolean, undefined) });
    expect(reader.form()).to.deep.include({ required: ["always"], additionalProperties: false });
    expect(read(reader, { always: true })).to.deep.equal({ always: true, sometimes: undefined });
  });

  it("fail loudly where a reader returns nothing and reports nothing", () => {
    const broken: Reader<unknown> = { read: () => null, form: () => ({}) };
    expect(() => parseWith(broken, 1)).to.throw(TypeError, "no error was reported");
  });
});

describe("a quoted value", () => {
  it("quotes a value with 80 characters at most, whatever it is", () => {
    expect(quote("x".repeat(78))).to.equal(`"${"x".repeat(78)}"`);
    expect(quote("x".repeat(79))).to.equal(`"${"x".repeat(76)}...`);
    const list: unknown[] = [];
    list.push(list);
    const object: Record<string, unknown> = {};
    object["self"] = object;
    expect([5n, { a: [1] }, null, list, object, Symbol("x")].map(quote)).to.deep.equal([
      "5",
      '{"a":[1]}',
      "null",
      "an array",
      "an object",
      "a symbol",
    ]);
  });
});
