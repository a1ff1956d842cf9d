import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { withToolsLibrary } from "../support/snforge.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const page = readFileSync(join(root, "docs", "starknet.md"), "utf8");
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, "gms"))].map(
    ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
const COMMANDS = blocks("sh").flatMap((block) => block.trim().split("\n"));

describe("the commands of docs/starknet.md", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let project: string;
  let devnet: StarknetDevnet;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    project = mkdtempSync(join(root, "test", ".docs-"));
    devnet = await StarknetDevnet.start(tools);
  });

  after(async () => {
    // Unset where the tools are missing.
    await (devnet as StarknetDevnet | undefined)?.end();
    if ((project as string | undefined) !== undefined)
      rmSync(project, { recursive: true, force: true });
  });

  /** A project configured by the page's own sections. */
  function makeProject(rpcUrl: string): void {
    const member = (name: string): string =>
      blocks("ts")
        .map(
          (text) =>
            new RegExp(`^    ${name}: \\{\n[\\s\\S]*?^    \\},\n`, "m").exec(text)?.[0] ?? "",
        )
        .find((text) => text !== "" && (name === "cairo" || text.includes("account:"))) ?? "";
    const starknet = member("starknet").replace("http://127.0.0.1:5050", rpcUrl);
    const hdp = `hdp: {\n${member("cairo")}${starknet}  },\n`;
    mkdirSync(join(project, "tasks"));
    writeFileSync(join(project, "package.json"), '{ "name": "trial", "type": "module" }');
    writeFileSync(
      join(project, "hardhat.config.ts"),
      `import { configVariable, defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp],
  ${hdp}});
`,
    );
    const task = readFileSync(join(root, "templates", "project", "tasks", "fee.json"), "utf8");
    writeFileSync(join(project, "tasks", "fee.json"), task);
  }

  /** snforge's library comes with the tools here, not from the registry. */
  function useTools(): void {
    const file = join(project, "cairo", "Scarb.toml");
    writeFileSync(file, withToolsLibrary(readFileSync(file, "utf8"), tools));
  }

  /** The contract and the test of the page, as it says. */
  function writePage(): void {
    const cairo = blocks("cairo");
    const written = (mark: string): string =>
      cairo.find((text) => text.includes(mark)) ?? expect.fail(mark);
    writeFileSync(join(project, "cairo", "src", "fee_gate.cairo"), written("pub mod FeeGate"));
    writeFileSync(
      join(project, "cairo", "tests", "fee_gate_test.cairo"),
      written("fn opens_at_the_computed_result"),
    );
    const lib = join(project, "cairo", "src", "lib.cairo");
    writeFileSync(lib, `pub mod fee_gate;\n\n${readFileSync(lib, "utf8")}`);
  }

  it("work as described, one after the other in an empty project", async () => {
    const account = await devnet.account();
    makeProject(devnet.rpcUrl);
    const said: Readonly<Record<string, RegExp>> = {
      "npx hardhat hdp starknet init cairo": /created +tests\/hdp_test\.cairo/,
      "npx hardhat hdp fixtures tasks/fee.json --out cairo/tests/fixtures.cairo":
        /Fixtures +cairo\/tests/,
      "cd cairo && snforge test": /Tests: 5 passed, 0 failed/,
      "npx hardhat test cairo": /Tests: 5 passed, 0 failed/,
      "npx hardhat test cairo finalized": /Tests: 2 passed, 0 failed, 0 ignored, 3 filtered out/,
      "npx hardhat hdp starknet deploy-mock": /Execution store +0x[0-9a-f]{64}/,
      "npx hardhat hdp starknet deploy-mock --rpc-url http://127.0.0.1:5050 --account devnet-1":
        /Execution store +0x[0-9a-f]{64}/,
    };
    expect(COMMANDS).to.deep.equal(Object.keys(said));
    for (const [line, answer] of Object.entries(said)) {
      const script = line.replace("http://127.0.0.1:5050", devnet.rpcUrl);
      const { env } = tools;
      const { code, stdout, stderr } = await withScarbCache(
        tools,
        join(project, "cairo"),
        async () => await command("bash", ["-ec", script], { cwd: project, env }),
      );
      expect(code, `${line}: ${stdout}${stderr}`).to.equal(0);
      expect(stdout, line).to.match(answer);
      expect(`${stdout}${stderr}`).to.not.contain(account.privateKey.slice(2));
      expect(`${stdout}${stderr}`, line).to.not.match(/^(warn|error)/m);
      if (line.includes("starknet init")) {
        useTools();
        writePage();
      }
    }
    expect(readFileSync(join(project, "cairo", "tests", "fixtures.cairo"), "utf8")).to.contain(
      "pub const FEE_TASK: u256 = 0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330;",
    );
  });
});
