import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { expect } from "chai";

import { command, hardhat, root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { withToolsLibrary } from "../support/snforge.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

/** What `hdp module run` says of each template's task. */
const RETURNED: Readonly<Record<string, RegExp>> = {
  balance: /Felts +0x21e19e0c9bab2400000 0x100000000000000000000000000000000\n/,
  events: /Reads +13, all proven/,
  "injected-state": /Felts +0x2e7b2d0f3d3b4826d807329b91f3d22ba05e8e35c7b8bcda96069ccab940cab\n/,
  bridge: /Reads +3, not all proven/,
};

/** The templates but eth-call, whose library Scarb fetches. */
const TEMPLATES = ["balance", "events", "injected-state", "bridge"];

describe("hdp module new", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let project: string;

  before(function () {
    tools = starknetToolsOrSkip(this);
    project = mkdtempSync(join(root, "test", ".modules-"));
    writeFileSync(join(project, "package.json"), '{ "name": "trial", "type": "module" }');
    writeFileSync(
      join(project, "hardhat.config.ts"),
      'import { defineConfig } from "hardhat/config";\nimport hardhatHdp from "hardhat-hdp";\n\nexport default defineConfig({ plugins: [hardhatHdp] });\n',
    );
  });

  after(() => {
    if ((project as string | undefined) !== undefined)
      rmSync(project, { recursive: true, force: true });
  });

  /** Edits a source while the module's tests are watched: the package is built, and they run, by themselves. */
  async function watchesEdits(name: string, folder: string): Promise<void> {
    const bin = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    const child = spawn(process.execPath, [bin, "hdp", "module", "test", name, "--watch"], {
      cwd: project,
      env: tools.env,
    });
    const ended = once(child, "exit");
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
    const shows = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(text)) await once(child.stdout, "data");
      text = "";
    };
    await shows(/1 test passed, 0 failed[\s\S]*Ctrl-C ends it/);
    const source = join(folder, "src", "lib.cairo");
    const before = readFileSync(source, "utf8");
    writeFileSync(source, `${before}\nno cairo\n`);
    await shows(/Changed +\S+lib\.cairo[\s\S]*HDP-7032[\s\S]*Ctrl-C ends it/);
    writeFileSync(source, `${before}\n`);
    await shows(/Scarb[\s\S]*1 test passed, 0 failed/);
    child.kill("SIGINT");
    await ended;
  }

  for (const template of TEMPLATES) {
    it(`${template}: all printed commands work as they are printed`, async () => {
      const name = `my_${template.replace("-", "_")}`;
      const folder = join(project, name);
      const run = async (line: string): Promise<string> => {
        // Of one template in a shell as they stand; of the others Hardhat's commands run where Hardhat is loaded already.
        const [npx, bin, ...args] = line.split(" ");
        const isOwn = template !== TEMPLATES[0] && npx === "npx" && bin === "hardhat";
        const options = { cwd: project, env: tools.env };
        const running = isOwn ? hardhat(args, options) : command("bash", ["-ec", line], options);
        const { code, stdout, stderr } = await running;
        expect(code, `${line}: ${stdout}${stderr}`).to.equal(0);
        return stdout;
      };
      const written = await run(`npx hardhat hdp module new ${name} --template ${template}`);
      const commands = [
        ...written.matchAll(/^ {2}(?:Build it|Run it|Test it|Unit tests): +(.+)$/gm),
      ].map(([, line = ""]) => line);
      expect(commands).to.have.length(4);
      expect(commands.join(" ")).to.not.contain("'");
      // snforge's library comes with the tools here, not from the registry.
      const manifest = join(folder, "Scarb.toml");
      writeFileSync(manifest, withToolsLibrary(readFileSync(manifest, "utf8"), tools));
      const [built = "", ran = "", tested = "", unit = ""] = await withScarbCache(
        tools,
        folder,
        async () => await inOrder(commands, run),
      );
      expect(built).to.contain("program hash 0x");
      expect(ran).to.match(RETURNED[template] ?? /^$/);
      expect(tested).to.contain("1 test passed, 0 failed");
      const sierra = join(folder, "target", "dev", `${name}_Module.contract_class.json`);
      expect(readFileSync(sierra, "utf8"), "lines of panics").to.contain(
        '"statements_code_locations"',
      );
      expect(unit).to.match(/Tests: [1-9]\d* passed, 0 failed/);
      if (template === TEMPLATES[0]) await watchesEdits(name, folder);
    });
  }
});

async function inOrder(
  lines: readonly string[],
  run: (line: string) => Promise<string>,
): Promise<string[]> {
  const answers: string[] = [];
  for (const line of lines) answers.push(await run(line));
  return answers;
}
