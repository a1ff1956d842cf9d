import { join } from "node:path";

import { expect } from "chai";

import { command, hardhat, root } from "../support/hardhat-cli.js";

/** Projects as users of other tools than viem and mocha have them. */
const PROJECTS = [
  {
    name: "ethers, TypeChain and its matchers",
    folder: "examples/ethers-typechain",
    passes: /5 passing/,
  },
  { name: "node:test, viem and Ignition", folder: "test/fixture-node-test", passes: /8 passing/ },
];

for (const { name, folder, passes } of PROJECTS) {
  describe(`a project with ${name}`, function () {
    this.timeout(180_000);
    const cwd = join(root, folder);

    it("passes its tests", async () => {
      const { code, stdout, stderr } = await hardhat(["test"], { cwd });
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.match(passes);
    });

    it("type-checks", async () => {
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      const { code, stdout } = await command(process.execPath, [tsc, "-p", cwd]);
      expect(code, stdout).to.equal(0);
    });
  });
}
