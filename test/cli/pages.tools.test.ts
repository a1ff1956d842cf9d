import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { expect } from "chai";

import { hardhat, root } from "../support/hardhat-cli.js";

/** A page's snippets that name their file in a comment on their first or second line. */
async function snippetsOf(page: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(root, page), "utf8");
  const found = new Map<string, string>();
  for (const [, body = ""] of text.matchAll(/^```(?:ts|json|solidity)\n([\s\S]*?)^```$/gm)) {
    const file = /\/\/ ((?:[\w-]+\/)*[\w.-]+\.(?:ts|json|sol))\b/.exec(
      body.split("\n").slice(0, 2).join("\n"),
    )?.[1];
    if (file !== undefined) found.set(file, body);
  }
  return found;
}

/** The page as it stands, but for the compiler: it comes from npm, so that nothing is downloaded. */
function offline(config: string): string {
  const compiler =
    'solidity: { version: "0.8.28", path: createRequire(import.meta.url).resolve("solc/soljson.js") }';
  return `import { createRequire } from "node:module";\n${config.replace('solidity: "0.8.28"', compiler)}`;
}

describe("the snippets of pages", function () {
  this.timeout(240_000);
  let cwd: string;
  let readme: ReadonlyMap<string, string>;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    cwd = await mkdtemp(join(root, "test", ".pages-"));
    await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
    readme = await snippetsOf("README.md");
    await write(readme);
    await write(await snippetsOf("skills/hardhat-hdp/SKILL.md"));
  });
  after(async () => await rm(cwd, { recursive: true, force: true }));

  async function write(files: ReadonlyMap<string, string>): Promise<void> {
    for (const [file, text] of files) {
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), file === "hardhat.config.ts" ? offline(text) : text);
    }
  }

  it("of the README are whole files", () => {
    expect([...readme.keys()]).to.deep.equal([
      "hardhat.config.ts",
      "scripts/average-fee.ts",
      "contracts/FeeGate.sol",
      "test/FeeGate.ts",
      "contracts/FeeGate.t.sol",
      "tasks/fee.json",
      "service.config.ts",
    ]);
  });

  it("of the README and of the skill for assistants pass as tests, in TypeScript and in Solidity", async () => {
    const { code, stdout, stderr } = await hardhat(["test"], { cwd });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.include("4 passing (1 solidity, 3 mocha)");
  });

  it("of the README run as a script", async () => {
    const { code, stdout, stderr } = await hardhat(["run", "scripts/average-fee.ts"], { cwd });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/0x[0-9a-f]{64}: \d+ wei on average over 10 blocks, all proven: true/);
  });

  it("of the README name commands that exist", async () => {
    const { stdout } = await hardhat(["hdp"], { cwd });
    const text = await readFile(join(root, "README.md"), "utf8");
    const named = new Set([...text.matchAll(/hdp:([a-z]+)/g)].map(([, name = ""]) => name));
    for (const name of named) expect(stdout, name).to.match(new RegExp(`\\b${name}\\b`));
  });

  it("of the README configure a service", async () => {
    const { code, stdout, stderr } = await hardhat(
      ["--config", "service.config.ts", "hdp:check", "tasks/fee.json"],
      {
        cwd,
      },
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include("1 task, valid");
  });

  it("of the page on projects, and what hdp:init writes, pass under node:test and without viem", async () => {
    const project = await mkdtemp(join(root, "test", ".node-test-"));
    try {
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      const config = (readme.get("hardhat.config.ts") ?? "")
        .replaceAll("hardhat-mocha", "hardhat-node-test-runner")
        .replace("hardhatHdp, hardhatViem,", "hardhatHdp,");
      await writeFile(join(project, "hardhat.config.ts"), offline(config));
      expect((await hardhat(["hdp:init"], { cwd: project })).code).to.equal(0);
      expect(await readFile(join(project, "test", "FeeGate.ts"), "utf8")).to.include(
        'from "node:test"',
      );
      const skill = ".agents/skills/hardhat-hdp/SKILL.md";
      expect(await readFile(join(project, "AGENTS.md"), "utf8")).to.include(skill);
      expect(await readFile(join(project, skill), "utf8")).to.equal(
        await readFile(join(root, "skills/hardhat-hdp/SKILL.md"), "utf8"),
      );
      const page = (await snippetsOf("docs/projects.md")).get("test/FeeGate.node.ts") ?? "";
      await writeFile(join(project, "test", "FeeGate.node.ts"), page);
      const { code, stdout, stderr } = await hardhat(["test"], { cwd: project });
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout)
        .to.include("computes the average base fee")
        .and.include("9 passing (6 solidity, 3 nodejs)");
    } finally {
      await rm(project, { recursive: true });
    }
  });
});
