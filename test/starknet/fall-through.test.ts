import { readFileSync } from "node:fs";

import { expect } from "chai";
import { z } from "zod";

import { decompress, widenFallThrough } from "../../scripts/starknet/fall-through.mjs";
import { mockClassFile } from "../../scripts/starknet/mock-class.js";

const WIDE = "0xffffffffffffffff";
const NARROW = "0xffffffff";
const shipped = z
  .object({ sierra_program: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(mockClassFile, "utf8")));
const narrow = shipped.sierra_program.map((felt) => (felt === WIDE ? NARROW : felt));

describe("the fall-through mark of Sierra", () => {
  it("is widened, and nothing else changes", () => {
    expect(narrow).to.include(NARROW);
    expect(widenFallThrough(narrow)).to.deep.equal(shipped.sierra_program);
  });

  it("is found at thousands of branches of the shipped class", () => {
    const values = decompress(narrow.slice(6).map(BigInt));
    expect(values.filter((value) => value === 0xffffffffn)).to.have.length(4242);
  });

  it("is refused where a constant has the same value", () => {
    // Another value of the table, one that types and libfuncs are declared with, becomes the mark's twin.
    const first = decompress(narrow.slice(6).map(BigInt))[1] ?? 0n;
    const twin = narrow.map((felt) => (BigInt(felt) === first ? NARROW : felt));
    expect(() => widenFallThrough(twin)).to.throw("0xffffffff elsewhere than at branches");
  });

  it("is left alone where there is none", () => {
    const without = shipped.sierra_program;
    expect(widenFallThrough(without)).to.deep.equal(without);
  });
});
