import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { expect } from "chai";

import { fixtureProject, hardhat, root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";

const STORE_KINDS = ["satellite", "execution-store"] as const;

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
  async function onlyKind(cwd: string, kind: (typeof STORE_KINDS)[number]): Promise<void> {
    const config = `import config from "./hardhat.config.js";
export default { ...config, hdp: { ...config.hdp, executionStore: { kind: "${kind}" } } };
`;
    await writeFile(join(cwd, "kind.config.ts"), config);
    const names = (await readdir(join(cwd, "contracts"))).filter((name) => name.endsWith(".t.sol"));
    const number = STORE_KINDS.indexOf(kind);
    for (const name of names) {
      const file = join(cwd, "contracts", name);
      const text = await readFile(file, "utf8");
      const typed = text.replace(
        /contract (\w+) is HdpTest \{/g,
        `import {HdpStoreKind} from "hardhat-hdp/contracts/mocks/HdpTaskStateMock.sol";
contract $1 is HdpTest {
    function storeKind() internal pure override returns (HdpStoreKind) {
        return HdpStoreKind(${String(number)});
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

  for (const kind of STORE_KINDS) {
    it(`pass their tests against a mock of the kind ${kind}`, async () => {
      const fixture = await project(`fixture-${kind}`, fixtureProject, ["contracts", "tasks"]);
      // The test of BalanceGate names its files from its place in the repository.
      await cp(join(fixtureProject, "test"), join(fixture, "test"), {
        recursive: true,
        filter: (file) => !file.includes("BalanceGate"),
      });
      const example = await project(
        `example-${kind}`,
        join(root, "examples", "one-task-three-tests"),
        [...["contracts", "tasks", "test", "hardhat.config.ts"]],
      );
      const init = await project(`init-${kind}`, root, []);
      expect((await hardhat(["hdp:init"], { cwd: init })).code).to.equal(0);
      const readme = await project(`readme-${kind}`, root, []);
      for (const page of PAGES) {
        for (const { file, language, text } of blocksOf(page)) {
          // Vault's test needs a library that a command writes; it reads the store by HdpResults alone.
          const isTest = page === "README.md" && file?.startsWith("test/");
          // Execution stores have no values of storage proofs.
          if (kind === "execution-store" && file?.includes("PastBalance") === true) continue;
          if (
            file === undefined ||
            file.includes("Vault") ||
            (language !== "solidity" && isTest !== true)
          )
            continue;
          await mkdir(dirname(join(readme, file)), { recursive: true });
          await writeFile(join(readme, file), text);
        }
      }
      for (const [cwd, expected] of [
        [fixture, /15 passing \(9 solidity, 6 mocha\)/],
        [example, /5 passing \(3 solidity, 2 mocha\)/],
        [init, /8 passing \(6 solidity, 2 mocha\)/],
        [
          readme,
          kind === "satellite"
            ? /14 passing \(12 solidity, 2 mocha\)/
            : /13 passing \(11 solidity, 2 mocha\)/,
        ],
      ] as const) {
        await onlyKind(cwd, kind);
        await passes(cwd, expected);
      }
    });
  }

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
