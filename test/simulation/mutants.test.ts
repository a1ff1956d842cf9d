import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { MUTANTS } from "./mutants.js";

const root = join(import.meta.dirname, "..", "..");

describe("defects for the simulation", () => {
  it("stand for text that its file has exactly once, so that none is left out unnoticed", () => {
    const places = MUTANTS.flatMap((mutant) => [mutant, ...(mutant.also ?? [])]);
    const lost = places.filter(
      ({ file, find }) => readFileSync(join(root, file), "utf8").split(find).length !== 2,
    );
    expect(
      lost.map(({ file, find }) => `${file}: ${find}`),
      "correct `find` in test/simulation/mutants.ts",
    ).to.deep.equal([]);
  });
});
