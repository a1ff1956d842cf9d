import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { hardhat, root } from "../support/hardhat-cli.js";

const cwd = join(root, "examples", "one-task-three-tests");
const HASH = "0xbe3a9bd28434357e26e61f59c5fe8cca56d9162be8c35bb34ff909a39ee467b2";

/** The Cairo side runs with the Cairo packages' tests: see cairo-package.tools.test.ts. */
describe("the example one-task-three-tests", function () {
  this.timeout(180_000);

  it("passes its Solidity and its TypeScript test", async () => {
    const { code, stdout, stderr } = await hardhat(["test"], { cwd });
    expect(code, `${stdout}${stderr}`).to.equal(0);
    expect(stdout).to.contain("5 passing (3 solidity, 2 mocha)");
  });

  it("writes the task file's hash and result in its Cairo constants", async () => {
    const kept = readFileSync(join(cwd, "cairo", "tests", "fixtures.cairo"), "utf8");
    const { code, stdout, stderr } = await hardhat(["hdp", "fixtures", "tasks/fee.json"], { cwd });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal(kept);
    expect(kept)
      .to.contain(`FEE_TASK: u256 = ${HASH};`)
      .and.contain("FEE_RESULT: u256 = 0x3b9aca00;");
  });

  for (const [format, file] of [
    ["solidity", "contracts/Fixtures.sol"],
    ["typescript", "test/fixtures.ts"],
  ] as const) {
    it(`writes the task file's hash and result in its ${format} constants`, async () => {
      const kept = readFileSync(join(cwd, file), "utf8");
      const { code, stdout, stderr } = await hardhat(
        ["hdp", "fixtures", "tasks/fee.json", "--format", format],
        {
          cwd,
        },
      );
      expect(code, stderr).to.equal(0);
      expect(stdout).to.equal(kept);
    });
  }

  it("writes the Scarb settings that hdp starknet init adds", async () => {
    const before = readFileSync(join(cwd, "cairo", "Scarb.toml"), "utf8");
    const { addToScarbToml } = await import("../../src/tasks/starknet.js");
    expect(addToScarbToml(before, "../../../contracts/starknet")).to.equal(before);
  });
});
