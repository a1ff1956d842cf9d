import { readFileSync } from "node:fs";

import { expect } from "chai";

import {
  type FieldKind,
  listFields,
  CHAIN_IDENTIFIERS,
  CHAIN_IDS,
  OPERATORS,
} from "../../src/entries/request.js";

const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The members of a Solidity enum, in order. */
function solidityEnum(name: string): string[] {
  const body =
    new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(
      textOf("contracts/libraries/HdpTypes.sol"),
    )?.[1] ?? "";
  return body.split(",").map((member) => member.trim());
}

/** The constants of a Cairo module, with their values. */
function cairoConstants(text: string, type: string): Record<string, bigint> {
  const found = text.matchAll(new RegExp(`pub const (\\w+): ${type} = (\\d+);`, "g"));
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, BigInt(value)]));
}

/** The variants of a Cairo enum, in order, in upper case. */
function cairoEnum(name: string): string[] {
  const body =
    new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(
      textOf("contracts/starknet/hardhat_hdp/src/datalake.cairo"),
    )?.[1] ?? "";
  return [...body.replaceAll(/\/\/.*$/gm, "").matchAll(/(\w+),/g)].map(([, variant = ""]) =>
    variant.toUpperCase(),
  );
}

const upper = (names: readonly string[]): string[] => names.map((name) => name.toUpperCase());

/** The aggregate functions in the order of their ids. */
const AGGREGATE_FUNCTIONS = ["avg", "sum", "min", "max", "count"];

describe("the constants of contracts follow the tables", () => {
  const solidity = {
    header: "HeaderField",
    account: "AccountField",
    tx: "TransactionField",
    tx_receipt: "ReceiptField",
  };
  const cairo = { header: "header", account: "account", tx: "transaction", tx_receipt: "receipt" };
  const kinds: readonly FieldKind[] = ["header", "account", "tx", "tx_receipt"];

  for (const kind of kinds) {
    it(`fields of ${kind}, in Solidity and in Cairo`, () => {
      const names = upper(listFields(kind).map(({ field }) => field));
      expect(solidityEnum(solidity[kind])).to.deep.equal(names);
      const module = new RegExp(`pub mod ${cairo[kind]} \\{([^}]*)\\}`).exec(
        textOf("contracts/starknet/hardhat_hdp/src/fields.cairo"),
      );
      const ids = Object.fromEntries(names.map((name, id) => [name, BigInt(id)]));
      expect(cairoConstants(module?.[1] ?? "", "u8")).to.deep.equal(ids);
    });
  }

  it("list the functions and operators", () => {
    // MERKLE and SLR are ids of the published contracts without a function here.
    expect(solidityEnum("AggregateFn")).to.deep.equal([
      ...upper(AGGREGATE_FUNCTIONS),
      "MERKLE",
      "SLR",
    ]);
    expect(cairoEnum("AggregateFn")).to.deep.equal(upper(AGGREGATE_FUNCTIONS));
    expect(cairoEnum("Operator")).to.deep.equal(["NONE", ...upper(OPERATORS)]);
    expect(solidityEnum("Operator")).to.deep.equal([
      "NONE",
      "EQ",
      "NEQ",
      ...upper(OPERATORS).slice(2),
    ]);
  });

  it("list every chain in Cairo", () => {
    expect(CHAIN_IDENTIFIERS).to.have.length(15);
    expect(
      cairoConstants(textOf("contracts/starknet/hardhat_hdp/src/chains.cairo"), "u256"),
    ).to.deep.equal(CHAIN_IDS);
  });

  it("have the fields of the documentation's table", () => {
    const page = textOf("docs/requests.md");
    for (const kind of kinds) {
      const names = (functions: number): string =>
        listFields(kind)
          .filter((field) => field.functions.length === functions)
          .map(({ field }) => field)
          .join(", ");
      const row = page.split("\n").find((line) => line.startsWith(`| \`${kind}\` `)) ?? "";
      const cells = row.split("|").map((cell) => cell.trim());
      expect(cells.slice(2, 4), kind).to.deep.equal([names(AGGREGATE_FUNCTIONS.length), names(0)]);
    }
  });
});
