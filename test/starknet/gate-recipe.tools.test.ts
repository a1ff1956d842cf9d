import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { command, hardhat, root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const GATE = "cairo/src/fee_gate.cairo";
const CONFIG = `import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({ plugins: [hardhatHdp] });
`;

describe("the recipe starknet-gate", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let folder: string;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    // Inside the repository, so that packages resolve as in a user's project.
    folder = mkdtempSync(join(root, "test", ".gate-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "hardhat.config.ts"), CONFIG);
    const written = await hardhat(["hdp:init", "--example", "starknet-gate"], { cwd: folder });
    expect(written.code, written.stderr).to.equal(0);
    folder = join(folder, "starknet-gate");
  });

  after(() => {
    if ((folder as string | undefined) !== undefined)
      rmSync(join(folder, ".."), { recursive: true });
  });

  it("shows on its page the contract of the example whose tests it passes", () => {
    const gate = readFileSync(join(folder, GATE), "utf8");
    const tested = join(root, "examples", "one-task-three-tests", GATE);
    expect(gate).to.equal(readFileSync(tested, "utf8"));
    const page = readFileSync(join(root, "docs", "starknet.md"), "utf8");
    expect(page.replaceAll(/^ {3}/gm, "")).to.contain(gate);
  });

  for (const script of ["starknet-js", "sncast"])
    it(`declares and deploys the gate on a devnet and opens it with the result: ${script}`, async () => {
      const devnet = await StarknetDevnet.start(tools);
      try {
        const env = { ...tools.env, STARKNET_RPC_URL: devnet.rpcUrl };
        const run = async () => await command("npm", ["run", script], { cwd: folder, env });
        const { code, stdout, stderr } = await withScarbCache(tools, join(folder, "cairo"), run);
        expect(code, stdout + stderr).to.equal(0);
        const said = stdout.slice(stdout.indexOf("result 1000000000 in the store 0x"));
        const address = "0x[0-9a-f]+";
        expect(said).to.match(
          new RegExp(
            `^result 1000000000 in the store ${address}\ngate (${address}), open: false\ngate \\1, open: true\n$`,
          ),
        );
      } finally {
        await devnet.end();
      }
    });
});
