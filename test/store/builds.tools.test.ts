import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { root } from "../../scripts/root.js";
import { parse } from "../../scripts/solidity-compiler.js";
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

/** Functions that the others call. */
const CALLED = ["store", "storeKind", "sourceChainId", "taskForm", "hdpNetwork"];

describe("the contracts under other compilers", function () {
  this.timeout(300_000);

  it("compile with every version in the workflow", async () => {
    const workflow = await readFile(join(root, ".github", "workflows", "contracts.yml"), "utf8");
    const named = [...workflow.matchAll(/^ {10}- (0\.8\.\d+)$/gm)].map(([, version]) => version);
    expect(named).to.deep.equal(allVersions());
  });

  it("have each function of the test kit in a harness that is built: unused ones are in no code", async () => {
    const textOf = async (path: string): Promise<string> =>
      await readFile(join(root, path), "utf8");
    const harness = await textOf("test/store/contracts/KitHarness.sol");
    const kit = ["contracts/test/HdpTest.sol", "contracts/test/HdpForge.sol"];
    const texts = await Promise.all(kit.map(async (path) => [path, await textOf(path)] as const));
    const offered = texts
      .flatMap(([path, text]) => parse(path, text))
      .filter(
        ({ nodeType, visibility }) =>
          nodeType === "FunctionDefinition" && visibility === "internal",
      )
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_") && !CALLED.includes(name));
    expect(offered).to.include.members(["countInBlockTask", "finalizeOnFork"]);
    expect(offered.filter((name) => !harness.includes(`${name}(`))).to.deep.equal([]);
  });

  for (const [compiler, way] of BUILDS) {
    it(`build by ${compiler}, ${way}, without a warning, and the mock can be deployed`, () => {
      expect(problemsOf(compiler, way, SOURCES)).to.deep.equal([]);
    });
  }
});
