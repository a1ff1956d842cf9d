import { readFileSync } from "node:fs";

import { expect } from "chai";

import { constants } from "../../scripts/constants.js";
import { OPERATORS } from "../../src/entries/request.js";

const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The members of an enum, in order, in upper case. */
function membersOf(path: string, name: string): string[] {
  const [, body = ""] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(textOf(path)) ?? [];
  const members = body.replaceAll(/\/\/.*$/gm, "").match(/\w+/g) ?? [];
  return members.map((member) => member.toUpperCase());
}

const solidity = (name: string): string[] => membersOf("contracts/libraries/HdpTypes.sol", name);
const cairo = (name: string): string[] =>
  membersOf("contracts/starknet/hardhat_hdp/src/datalake.cairo", name);

describe("constants of contracts and documentation", () => {
  it("follow from the tables of fields, functions and chains", async () => {
    for (const [path, text] of Object.entries(await constants())) {
      expect(textOf(path), `${path} is out of date: run npm run generate`).to.equal(text);
    }
  });

  it("match the ids of the published contracts", () => {
    expect(solidity("AggregateFn")).to.deep.equal([
      "AVG",
      "SUM",
      "MIN",
      "MAX",
      "COUNT",
      // Ids of the published contracts without a function here.
      "MERKLE",
      "SLR",
    ]);
    expect(cairo("AggregateFn")).to.deep.equal(["AVG", "SUM", "MIN", "MAX", "COUNT"]);
    expect(solidity("HeaderField").indexOf("PARENT_BEACON_BLOCK_ROOT")).to.equal(19);
    expect(solidity("TransactionField").indexOf("MAX_FEE_PER_BLOB_GAS")).to.equal(14);
  });

  it("list the operators, which Solidity names NEQ where task files say nq", () => {
    const operators = OPERATORS.map((operator) => operator.toUpperCase());
    expect(cairo("Operator")).to.deep.equal(["NONE", ...operators]);
    expect(solidity("Operator")).to.deep.equal(["NONE", "EQ", "NEQ", ...operators.slice(2)]);
  });
});
