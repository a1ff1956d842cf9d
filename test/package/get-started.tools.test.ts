import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";

const BLOCKS = blocksOf("docs/get-started.md");
/** Those of the last section need a live network. */
const COMMANDS = BLOCKS.filter(
  ({ language, text }) => language === "" && !text.includes("--network"),
).flatMap(({ text }) => text.trim().split("\n"));

describe("docs/get-started.md", function () {
  this.timeout(240_000);
  let folder: string;
  let archive: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-get-started-"));
    const packed = await command("npm", ["pack", "--json", "--pack-destination", folder]);
    expect(packed.code, packed.stderr).to.equal(0);
    const [{ filename }] = Object.values(
      JSON.parse(packed.stdout) as Record<string, { filename: string }>,
    ) as [{ filename: string }];
    archive = join(folder, filename);
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  it("leads from an empty folder to four green tests in seven commands and one file", async () => {
    const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    // The package that would be published, the versions it is tested with, and a compiler that is not downloaded.
    const installed = (line: string): string =>
      line
        .split(" ")
        .map((word) =>
          word === "hardhat-hdp"
            ? archive
            : word in devDependencies
              ? `${word}@${devDependencies[word] ?? ""}`
              : word,
        )
        .map((word) => `'${word}'`)
        .join(" ");
    const project = join(folder, "fee-gate");
    const said: string[] = [];
    for (const line of COMMANDS) {
      const typed = line.startsWith("npm install")
        ? `${installed(line)} --prefer-offline --no-audit --no-fund`
        : line;
      const cwd = existsSync(project) ? project : folder;
      const { code, stdout, stderr } = await command("sh", ["-c", typed], { cwd });
      expect(code, `${line}\n${stdout}${stderr}`).to.equal(0);
      said.push(stdout);
      if (!line.startsWith("npm install")) continue;
      const config = BLOCKS.find(({ file }) => file === "hardhat.config.ts")?.text ?? "";
      const solc = createRequire(import.meta.url).resolve("solc/soljson.js");
      await writeFile(
        join(project, "hardhat.config.ts"),
        config.replace(
          'solidity: "0.8.28"',
          `solidity: { version: "0.8.28", path: ${JSON.stringify(solc)} }`,
        ),
      );
    }
    expect(COMMANDS).to.have.length(7);
    expect(said[4]).to.include("8 passing (6 solidity, 2 mocha)");
    expect(said[5]).to.include("1 gwei on average");
    expect(said[6]).to.include("1 sample, all proven");
  });
});
