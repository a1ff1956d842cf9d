import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { fixtureProject, hardhat } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";

describe("a user's project", function () {
  this.timeout(180_000);

  it("passes its own Solidity and TypeScript tests", async () => {
    const { code, stdout, stderr } = await hardhat(["test"]);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/\d+ passing \(\d+ solidity, \d+ mocha\)/);
    expect(stdout).not.to.match(/failing/);
  });

  it("succeeds with the attack on an unpinned gate that the documentation shows", async () => {
    const file = "contracts/UnpinnedGate.t.sol";
    const shown = blocksOf("docs/consuming-results.md").find((block) => block.file === file);
    const run = await readFile(join(fixtureProject, file), "utf8");
    expect(shown?.text).to.equal(`// ${file}\n${run}`);
  });

  it("runs its deploy script", async () => {
    const { code, stdout, stderr } = await hardhat(["run", "scripts/deploy.ts"]);
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.contain("Finalized")
      .and.to.match(/FeeGate 0x[0-9a-f]{40}: average base fee \d+ wei, open: true/);
  });

  it("needs at most 6 lines in a TypeScript test, and 6 in a Solidity one", async () => {
    const typescript = await readFile(join(fixtureProject, "test", "FeeGate.ts"), "utf8");
    expect(bodyOf(typescript, "opens when the computed average is low").length).to.be.at.most(6);
    const solidity = await readFile(join(fixtureProject, "contracts", "FeeGate.t.sol"), "utf8");
    expect(bodyOf(solidity, "function test_opens()").length).to.be.at.most(6);
  });
});

/** The lines between a test's head and its closing brace. */
function bodyOf(source: string, head: string): string[] {
  const lines = source.split("\n");
  const start = lines.findIndex((line) => line.includes(head));
  const indent = /^ */.exec(lines[start] ?? "")?.[0] ?? "";
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith(`${indent}}`));
  return lines.slice(start + 1, start + 1 + length);
}
