import { expect } from "chai";
import fc from "fast-check";
import { type Hex, keccak256, toRlp } from "viem";

import { headerItems, provenHeader } from "../../src/chain/blocks.js";
import { hdpThrown } from "../support/failure.js";

const word = (byte: string): Hex => `0x${byte.repeat(32)}`;

const FIELDS = {
  parentHash: word("11"),
  sha3Uncles: word("22"),
  miner: `0x${"33".repeat(20)}`,
  stateRoot: word("44"),
  transactionsRoot: word("55"),
  receiptsRoot: word("66"),
  logsBloom: `0x${"00".repeat(256)}`,
  difficulty: "0x0",
  number: "0x7b",
  gasLimit: "0x1c9c380",
  gasUsed: "0x80",
  timestamp: "0x7f",
  extraData: "0x",
  mixHash: word("77"),
  nonce: "0x0000000000000000",
  baseFeePerGas: "0x3b9aca00",
  withdrawalsRoot: word("88"),
  blobGasUsed: "0x0",
  excessBlobGas: "0x0",
  parentBeaconBlockRoot: word("99"),
  requestsHash: word("aa"),
} as const;
type Fields = Record<string, unknown>;
const ORDER = Object.keys(FIELDS);

/** The header with the hash that it has, by viem's RLP and keccak. */
function hashed(fields: Fields): Fields {
  const names = ORDER.filter((name) => fields[name] !== undefined && fields[name] !== null);
  const items = names.map((name): Hex => {
    const digits = String(fields[name]).slice(2).toLowerCase();
    const integer = [
      "difficulty",
      "number",
      "gasLimit",
      "gasUsed",
      "timestamp",
      "baseFeePerGas",
    ].includes(name);
    const minimal =
      integer || name.endsWith("lobGasUsed") || name === "excessBlobGas"
        ? digits.replace(/^0+/, "")
        : digits;
    return `0x${minimal.length % 2 === 0 ? "" : "0"}${minimal}`;
  });
  return { ...fields, hash: keccak256(toRlp(items)) };
}

const proven = (fields: Fields, number = 123n): readonly Hex[] =>
  provenHeader(number, { what: "block 123", fields }).items;

describe("a header", () => {
  it("proves a header by its own hash, whatever forks it knows, and its items are what was hashed", () => {
    for (let length = 15; length <= ORDER.length; length += 1) {
      const fields = hashed(
        Object.fromEntries(ORDER.slice(0, length).map((name) => [name, Reflect.get(FIELDS, name)])),
      );
      const items = proven(fields);
      expect(items.length).to.equal(length);
      expect(items).to.deep.equal(headerItems({ what: "block 123", fields }));
      expect(keccak256(toRlp([...items]))).to.equal(fields["hash"]);
    }
  });

  it("takes nulls for fields of forks that are not there yet", () => {
    const fields = hashed({ ...FIELDS, requestsHash: null, parentBeaconBlockRoot: undefined });
    expect(proven(fields).length).to.equal(19);
  });

  it("reads a header with extra data of every length, large integers and capital digits", () => {
    for (const bytes of [
      0, 1, 2, 31, 32, 33, 54, 55, 56, 57, 254, 255, 256, 257, 1023, 1024, 1025, 60_000,
    ]) {
      for (const byte of ["00", "7f", "80", "fe"]) {
        const fields = hashed({ ...FIELDS, extraData: `0x${byte.repeat(bytes)}` });
        expect(proven(fields)[12], `${bytes} × ${byte}`).to.equal(fields["extraData"]);
      }
    }
    const odd = hashed({
      ...FIELDS,
      timestamp: "0xabc",
      gasUsed: "0x7f",
      gasLimit: "0x100",
      difficulty: `0xf${"0".repeat(63)}`,
    });
    expect(proven(odd).slice(7, 12)).to.deep.equal([
      odd["difficulty"],
      "0x7b",
      "0x0100",
      "0x7f",
      "0x0abc",
    ]);
    const capital = hashed({ ...FIELDS, miner: `0x${"AB".repeat(20)}`, timestamp: "0xABC" });
    expect([proven(capital)[2], proven(capital)[11]]).to.deep.equal([
      `0x${"ab".repeat(20)}`,
      "0x0abc",
    ]);
    expect(proven(hashed({ ...FIELDS, timestamp: "0x00abc" }))[11]).to.equal("0x0abc");
  });

  it("with one character changed is refused, and the character is never passed on", () => {
    const good = hashed(FIELDS);
    fc.assert(
      fc.property(
        fc.constantFrom(...ORDER, "hash"),
        fc.nat(),
        fc.constantFrom(...Array.from("0123456789abcdefgxzÄİš ")),
        (name, at, digit) => {
          const text = String(good[name]);
          const place = 2 + (at % Math.max(1, text.length - 2));
          const changed = text.slice(0, place) + digit + text.slice(place + 1);
          fc.pre(changed !== text);
          const error = hdpThrown(() => proven({ ...good, [name]: changed }));
          expect(error.code).to.be.oneOf(["HDP-4201", "HDP-4102"]);
          if (error.code === "HDP-4102") expect(error.message).to.contain(`"${name}"`);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("that is malformed is refused with its field's name, not with its hash", () => {
    const bad: readonly (readonly [string, unknown])[] = [
      ["stateRoot", `0x${"44".repeat(31)}`],
      ["stateRoot", `0x${"44".repeat(33)}`],
      ["logsBloom", `0x${"00".repeat(255)}`],
      ["logsBloom", `0x${"0g".repeat(256)}`],
      ["nonce", "0x"],
      ["extraData", "0x1"],
      ["extraData", 5],
      ["timestamp", "0x"],
      ["timestamp", 127],
      ["timestamp", undefined],
      ["number", "123"],
    ];
    for (const [name, value] of bad) {
      const error = hdpThrown(() => proven({ ...hashed(FIELDS), [name]: value }));
      expect([error.code, name], error.message).to.deep.equal(["HDP-4102", name]);
      expect(error.message).to.contain(`field "${name}" of block 123`);
    }
  });

  it("without a hash, or with a quantity without digits that would hash to the same, is refused for that field", () => {
    const without = Object.fromEntries(
      Object.entries(hashed(FIELDS)).filter(([name]) => name !== "hash"),
    );
    for (const fields of [without, { ...without, extraData: "0xzz" }]) {
      expect(hdpThrown(() => proven(fields)).code).to.equal("HDP-4102");
    }
    const zero = { ...hashed({ ...FIELDS, gasUsed: "0x0" }), gasUsed: "0x" };
    const error = hdpThrown(() => proven(zero));
    expect(error.code).to.equal("HDP-4102");
    expect(error.message).to.contain('field "gasUsed" of block 123: "0x", expected a hex integer');
  });

  it("with any one of its fields altered, but well written, is refused by its hash", () => {
    const good = hashed(FIELDS);
    for (const name of ORDER.filter((field) => field !== "number")) {
      const text = String(good[name]);
      const last = text.at(-1) === "1" ? "2" : "1";
      for (const altered of [
        text === "0x" ? "0x01" : text.slice(0, -1) + last,
        name === "extraData" ? "0xff" : null,
      ]) {
        const fields = { ...good, [name]: altered };
        const error = hdpThrown(() => proven(fields));
        const isAbsent = altered === null && ORDER.indexOf(name) < 15;
        expect([error.code, name]).to.deep.equal([isAbsent ? "HDP-4102" : "HDP-4201", name]);
        expect(error.message).to.contain(
          isAbsent
            ? `field "${name}" of block 123`
            : 'block 123 does not match its field "hash": the header hashes to 0x',
        );
      }
    }
  });

  it("of another block is refused", () => {
    const error = hdpThrown(() => proven(hashed(FIELDS), 124n));
    expect(error.code).to.equal("HDP-4201");
    expect(error.message).to.contain(
      'block 124 does not match its field "number": the node returned block 123',
    );
  });

  it("with a wrong hash is refused with both hashes, and unknown fields are named", () => {
    const fields = { ...hashed(FIELDS), hash: word("ef") };
    const error = hdpThrown(() => proven(fields));
    expect(error.code).to.equal("HDP-4201");
    expect(error.message).to.contain(
      `hashes to ${String(hashed(FIELDS)["hash"])}, the node says ${word("ef")}`,
    );
    expect(error.hints[1]).to.equal(
      "One of the returned header fields is wrong, or the chain does not hash its headers as Ethereum does.",
    );
    expect(hdpThrown(() => proven({ ...fields, laterRoot: "0x01" })).hints.join()).to.contain(
      "laterRoot",
    );
  });
});
