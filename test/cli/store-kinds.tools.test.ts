import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { expect } from "chai";

import { fixtureProject, hardhat, root } from "../support/hardhat-cli.js";
import { type Block, blocksOf } from "../support/markdown-blocks.js";

/** The kind that is no default. Over satellites, which are, the tests of pages, projects and recipes run all of these. */
const KIND = "execution-store";
/** Its number in `HdpStoreKind`. */
const KIND_NUMBER = 1;

/** Blocks of pages that are Solidity files: contracts and their tests. */
const PAGES = ["README.md", "docs/contracts.md", "docs/consuming-results.md", "docs/modules.md"];
const CONTRACT_READING_STORES = /HdpResults\.requireValue\(/;

describe("the contracts of the documentation, of hdp:init and of the examples", function () {
  this.timeout(300_000);
  let folder: string;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    folder = await mkdtemp(join(root, "test", ".store-kinds-"));
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  /** A copy of a project's own files. */
  async function project(name: string, from: string, parts: readonly string[]): Promise<string> {
    const cwd = join(folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
    await cp(join(fixtureProject, "hardhat.config.ts"), join(cwd, "hardhat.config.ts"));
    for (const part of parts) await cp(join(from, part), join(cwd, part), { recursive: true });
    return cwd;
  }

  /** A configuration and Solidity tests of a project whose mocks are all of one kind. */
  async function withOtherKind(cwd: string): Promise<void> {
    const config = `import config from "./hardhat.config.js";
export default { ...config, hdp: { ...config.hdp, executionStore: { kind: "${KIND}" } } };
`;
    await writeFile(join(cwd, "kind.config.ts"), config);
    const names = (await readdir(join(cwd, "contracts"))).filter((name) => name.endsWith(".t.sol"));
    for (const name of names) {
      const file = join(cwd, "contracts", name);
      const text = await readFile(file, "utf8");
      const typed = text.replace(
        /contract (\w+) is HdpTest \{/g,
        `import {HdpStoreKind} from "hardhat-hdp/contracts/mocks/HdpTaskStateMock.sol";
contract $1 is HdpTest {
    function storeKind() internal pure override returns (HdpStoreKind) {
        return HdpStoreKind(${KIND_NUMBER});
    }
`,
      );
      expect(typed, name).not.to.equal(text);
      await writeFile(file, typed);
    }
  }

  async function passes(cwd: string, expected: RegExp): Promise<void> {
    const { code, stdout, stderr } = await hardhat(["--config", "kind.config.ts", "test"], { cwd });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(expected);
  }

  it("pass their tests against a mock of an execution store too", async () => {
    const fixture = await project("fixture", fixtureProject, ["contracts", "tasks"]);
    await rm(join(fixture, "contracts", "SavingPranks.t.sol"));
    // The test of BalanceGate names its files from its place in the repository.
    await cp(join(fixtureProject, "test"), join(fixture, "test"), {
      recursive: true,
      filter: (file) => !file.includes("BalanceGate"),
    });
    const example = await project("example", join(root, "examples", "one-task-three-tests"), [
      "contracts",
      "tasks",
      "test",
      "hardhat.config.ts",
    ]);
    const init = await project("init", root, []);
    expect((await hardhat(["hdp:init"], { cwd: init })).code).to.equal(0);
    const readme = await project("readme", root, []);
    for (const page of PAGES) {
      for (const { file, text } of blocksOf(page).filter((block) => isCopied(page, block))) {
        await mkdir(dirname(join(readme, file)), { recursive: true });
        await writeFile(join(readme, file), text);
      }
    }
    for (const [cwd, expected] of [
      [fixture, /18 passing \(12 solidity, 6 mocha\)/],
      [example, /5 passing \(3 solidity, 2 mocha\)/],
      [init, /8 passing \(6 solidity, 2 mocha\)/],
      [readme, /13 passing \(11 solidity, 2 mocha\)/],
    ] as const) {
      await withOtherKind(cwd);
      await passes(cwd, expected);
    }
  });

  it("read stores by HdpResults, and those with the same name are the same contract", async () => {
    const gates = [
      "test/fixture-project",
      "test/fixture-node-test",
      "examples/ethers-typechain",
    ].map((from) => readFile(join(root, from, "contracts", "FeeGate.sol"), "utf8"));
    const [first = "", ...others] = await Promise.all(gates);
    expect(first).to.match(CONTRACT_READING_STORES);
    for (const other of others) expect(other).to.equal(first);
  });
});

/** Whether a block of a page is a file that runs over either kind of store: Solidity, and the tests of README. */
function isCopied(page: string, block: Block): block is Block & { readonly file: string } {
  const { file, language } = block;
  if (file === undefined) return false;
  // Vault's test needs a library that a command writes; it reads the store by HdpResults alone.
  if (file.includes("Vault")) return false;
  // Execution stores have no values of storage proofs.
  if (file.includes("PastBalance")) return false;
  return language === "solidity" || (page === "README.md" && file.startsWith("test/"));
}
