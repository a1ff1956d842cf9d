import { join } from "node:path";

import { expect } from "chai";

import { command, fixtureProject, hardhat, root } from "../support/hardhat-cli.js";

describe("a user's project", function () {
  this.timeout(120_000);

  it("type-checks", async () => {
    // A fresh checkout has no artifacts, which give contracts their types.
    expect((await hardhat(["build", "--quiet"])).code).to.equal(0);
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const { code, stdout } = await command(process.execPath, [tsc, "-p", fixtureProject]);
    expect(code, stdout).to.equal(0);
  });
});
