import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { root } from "../../scripts/root.js";
import { allVersions, problemsOf, type Way } from "../../scripts/solidity-matrix.js";

/** The mock, the largest contract; hashes and roots; and a recipe, which checks a value. */
const SOURCES = [
  "contracts/mocks/HdpExecutionStoreMock.sol",
  "test/store/contracts/OutputRootHarness.sol",
  "examples/airdrop/contracts/Airdrop.sol",
];

/** Without the optimizer the stack is deepest and code largest. `npm run contracts:matrix` makes all builds. */
const BUILDS: readonly (readonly [compiler: string, way: Way])[] = [
  ["solc-oldest", "viaIR"],
  ["solc-newest", "legacy"],
  ["solc-newest", "viaIR"],
];

describe("the contracts under other compilers", function () {
  this.timeout(300_000);

  it("are built by every version in the workflow", async () => {
    const workflow = await readFile(join(root, ".github", "workflows", "contracts.yml"), "utf8");
    const named = [...workflow.matchAll(/^ {10}- (0\.8\.\d+)$/gm)].map(([, version]) => version);
    expect(named).to.deep.equal(allVersions());
  });

  for (const [compiler, way] of BUILDS) {
    it(`build by ${compiler}, ${way}, without a warning, and the mock can be deployed`, () => {
      expect(problemsOf(compiler, way, SOURCES)).to.deep.equal([]);
    });
  }
});
