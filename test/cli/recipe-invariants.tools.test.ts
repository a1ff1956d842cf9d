import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { foundryOrSkip } from "../support/foundry.js";
import { forgeProject } from "../support/forge-project.js";
import { root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";

/** Recipes whose contracts are called by strangers, who try to be paid, credited or counted twice and to open gates. */
const RECIPES = [
  "airdrop",
  "cross-chain",
  "ethers-typechain",
  "events",
  "gas-insurance",
  "l2-source",
  "live-data",
  "one-task-three-tests",
  "past-voting",
  "rolling-average",
  "twap",
  "upgradeable",
  "view-call",
];

/** Contracts of pages that keep something. */
const PAGES = [
  ["README.md", "FeeGate"],
  ["docs/consuming-results.md", "RecentFeeGate"],
  ["docs/contracts.md", "LastFees"],
  ["docs/contracts.md", "Vault"],
  ["docs/modules.md", "SumGate"],
] as const;

function contractOf([page, name]: (typeof PAGES)[number]): readonly [path: string, text: string] {
  const block = blocksOf(page).find(({ file }) => file === `contracts/${name}.sol`);
  if (block === undefined) throw new Error(`no contract ${name} in ${page}`);
  return [`src/pages/${name}.sol`, block.text];
}

async function testOf(name: string): Promise<readonly [path: string, text: string]> {
  const file = join(root, "test", "cli", "invariants", name);
  return [`test/${name}`, await readFile(file, "utf8")];
}

describe("the contracts of recipes, template and pages", function () {
  this.timeout(300_000);
  let forge: string;

  before(function () {
    forge = foundryOrSkip(this, "forge");
  });

  it("pay, credit, count and open by the proven value alone, and once, for random values and under random calls", async () => {
    const files = [
      ...PAGES.map(contractOf),
      await testOf("Claims.sol"),
      await testOf("Recipes.t.sol"),
      await testOf("Pages.t.sol"),
    ];
    const folders = RECIPES.map((name) => [`src/${name}`, `examples/${name}/contracts`] as const);
    const project = await forgeProject(forge, Object.fromEntries(files), {
      ...Object.fromEntries(folders),
      "src/template": "templates/project/contracts",
    });
    try {
      const { code, stdout, stderr } = await project.test();
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.contain("24 tests passed, 0 failed, 0 skipped (24 total tests)");
    } finally {
      await project.remove();
    }
  });
});
