import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { root } from "../support/hardhat-cli.js";

const text = async (page: string): Promise<string> => await readFile(join(root, page), "utf8");

/** The rows of the table of other services: of whom, what, and by which source. */
async function rows(): Promise<readonly (readonly string[])[]> {
  const [, section = ""] = (await text("contributing/sources.md")).split("## Other services");
  return section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

describe("what is said of other services", () => {
  it("names a source for each fact, and a date for each service", async () => {
    const dated = new Map<string, boolean>();
    let of = "";
    for (const [service = "", fact, source = ""] of await rows()) {
      if (service !== "") of = service;
      expect(source, fact).to.match(/[\w-]+\.[a-z]+\/|[\w-]+\/[\w-]+|EIP-\d+/);
      dated.set(of, dated.get(of) === true || /\b20\d\d-\d\d-\d\d\b/.test(source));
    }
    expect([...dated.keys()]).to.deep.equal([
      "Chainlink Functions",
      "Gelato Web3 Functions",
      "Axiom",
      "vlayer 1.0",
      "Brevis",
      "Steel",
      "sp1-contract-call",
      "proofs by hand",
    ]);
    expect([...dated].filter(([, isDated]) => !isDated)).to.deep.equal([]);
  });

  it("leads to its sources from every page that says something of them", async () => {
    const pages = (await readdir(join(root, "docs", "coming-from"))).map(
      (name) => `docs/coming-from/${name}`,
    );
    expect(pages).to.have.length(6);
    for (const page of [...pages, "docs/comparison.md"])
      expect(await text(page), page).to.contain("/contributing/sources.md#other-services");
  });
});
