import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { root } from "../support/hardhat-cli.js";

interface Row {
  readonly fault: string;
  readonly test: string;
  readonly file: string;
}

/** The rows of a table of faults. A row without a fault has another test of the fault above it. */
function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  for (const [, fault = "", test = "", file = ""] of page.matchAll(
    /^\| (.*?) *\| (.*?) +\| `(.*?)` +\|$/gm,
  )) {
    rows.push({ fault: fault === "" ? (rows.at(-1)?.fault ?? "") : fault, test, file });
  }
  return rows;
}

describe("contributing/faults.md", () => {
  const rows = rowsOf(readFileSync(join(root, "contributing", "faults.md"), "utf8"));

  it("names every kind of fault", () => {
    expect([...new Set(rows.map(({ fault }) => fault))]).to.deep.equal([
      "two tasks, results or leaves have one hash",
      "a cache drops a header's link to its parent",
      "a `Number` or `bigint` is no felt",
      "a verifier gets its proof through the API, not from the wire",
      "a service names a hash of its own",
      "a block vanishes between the run and the last read",
      "an older state of the database is checked out",
      "a proxy, or the node of a fork, quotes the key it was sent",
      "a proxy is set, and the node is on this machine",
      "a process is suspended, and goes on",
    ]);
  });

  for (const { fault, test, file } of rows) {
    it(`names a test that runs: ${fault}, in ${file}: ${test}`, () => {
      const source = readFileSync(join(root, file), "utf8");
      expect(
        source.split(/^\s*it\(\s*(?=["`])/m).filter((body) => body.slice(1).startsWith(test)),
      ).to.have.length(1);
    });
  }
});
