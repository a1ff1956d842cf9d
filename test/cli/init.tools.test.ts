import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { fixtureProject, hardhat, root } from "../support/hardhat-cli.js";

describe("hdp:init", function () {
  this.timeout(180_000);
  let cwd: string;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    cwd = await mkdtemp(join(root, "test", ".init-"));
    await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
    await cp(join(fixtureProject, "hardhat.config.ts"), join(cwd, "hardhat.config.ts"));
    await writeFile(join(cwd, ".gitignore"), "/artifacts\nmine");
  });
  after(async () => await rm(cwd, { recursive: true }));

  it("writes a project whose tests pass offline, and overwrites nothing", async () => {
    // Rules of the project's own, and a folder of an assistant that reads no other.
    await writeFile(join(cwd, "AGENTS.md"), "mine");
    await mkdir(join(cwd, ".claude"));
    const { code, stdout, stderr } = await hardhat(["hdp:init"], { cwd });
    expect(code, stderr).to.equal(0);
    expect(await readFile(join(cwd, "AGENTS.md"), "utf8")).to.equal("mine");
    for (const file of [
      "tasks/fee.json",
      "contracts/FeeGate.sol",
      "contracts/FeeGate.t.sol",
      "test/FeeGate.ts",
      ".agents/skills/hardhat-hdp/SKILL.md",
      ".claude/skills/hardhat-hdp/SKILL.md",
    ]) {
      expect(stdout).to.include(`✔ created   ${file}`);
    }
    expect(stdout).to.include(
      'add to hardhat.config.ts: hdp: { local: { edition: "module-tasks" } }',
    );
    expect(await readFile(join(cwd, ".gitignore"), "utf8")).to.equal(
      "/artifacts\nmine\nnode_modules/\ncache/\ncoverage/\n.env\n/hdp/\n",
    );

    const tests = await hardhat(["test"], { cwd });
    expect(tests.code, tests.stdout + tests.stderr).to.equal(0);
    expect(tests.stdout)
      .to.include("opens when the computed average is low")
      .and.include("test_staysShutOverTheLimit");

    await writeFile(join(cwd, "tasks", "fee.json"), "mine");
    const again = await hardhat(["hdp:init", "--json"], { cwd });
    const { files } = JSON.parse(again.stdout) as { files: { change: string }[] };
    expect(files.map(({ change }) => change)).to.deep.equal(Array(8).fill("kept"));
    expect(await readFile(join(cwd, "tasks", "fee.json"), "utf8")).to.equal("mine");
  });

  it("writes the test for ethers where the project has no viem, and says what is missing of a runner", async () => {
    const project = await mkdtemp(join(root, "test", ".init-"));
    try {
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      const config = await readFile(
        join(root, "examples", "ethers-typechain", "hardhat.config.ts"),
        "utf8",
      );
      await writeFile(join(project, "hardhat.config.ts"), config);
      const { code, stdout, stderr } = await hardhat(["hdp:init"], { cwd: project });
      expect(code, stderr).to.equal(0);
      expect(stdout).not.to.include("need a runner").and.not.to.include("add to hardhat.config.ts");
      const tests = await hardhat(["test"], { cwd: project });
      expect(tests.code, tests.stdout + tests.stderr).to.equal(0);
      expect(tests.stdout).to.include("8 passing (6 solidity, 2 mocha)");

      await writeFile(join(project, "hardhat.config.ts"), config.replace(", hardhatMocha]", "]"));
      expect((await hardhat(["hdp:init"], { cwd: project })).stdout).to.include(
        "TypeScript tests need a runner:\n    npm install --save-dev @nomicfoundation/hardhat-node-test-runner",
      );
    } finally {
      await rm(project, { recursive: true });
    }
  });
});
