import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";

interface PackedFile {
  readonly path: string;
}

interface Archive {
  readonly filename: string;
  readonly files: readonly PackedFile[];
  readonly unpackedSize: number;
}

/** Bytes that an installation may add: what it took before the programs of the module form, and these. */
const MOST_BYTES = 6_600_000;

const config = `
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({ plugins: [hardhatHdp, hardhatViem], hdp: { local: { prove: "require" } } });
`;

const script = `
import { network } from "hardhat";
import { blockSampled, header, taskHash } from "hardhat-hdp/request";
import { evaluate } from "hardhat-hdp/local";
import { openExecutionStore } from "hardhat-hdp/store";
import type { Results } from "hardhat-hdp/types";

const { hdp, provider } = await network.create();
const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
const results: Results = await hdp.run(task);
const [result] = results;
const { value, proven } = await evaluate(task, { provider, prove: "require" });
const store = await openExecutionStore({ provider, address: (await hdp.store.current()).address });
const { word } = await store.readResult(taskHash(task));
console.log(JSON.stringify({ word, same: result.value === value && result.word === word, proven, samples: result.samples }));
// @ts-expect-error count needs an operator and a value
if (process.argv.includes("never")) blockSampled({ from: 0, to: 0, property: header("number") }).count();
`;

const tsconfig = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

describe("the published package", function () {
  this.timeout(180_000);
  let project: string;
  let files: string[];
  let size: number;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), "hardhat-hdp-pack-"));
    const packed = await command("npm", ["pack", "--json", "--pack-destination", project]);
    expect(packed.code, packed.stderr).to.equal(0);
    const [archive] = Object.values(JSON.parse(packed.stdout) as Record<string, Archive>);
    if (archive === undefined) throw new Error(`npm pack printed ${packed.stdout}`);
    files = archive.files.map(({ path }) => path);
    size = archive.unpackedSize;

    const versions = (
      JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
        devDependencies: Record<string, string>;
      }
    ).devDependencies;
    const from = (name: string): string => `${name}@${String(versions[name])}`;
    await writeFile(join(project, "package.json"), '{ "type": "module", "private": true }');
    const installed = await command(
      "npm",
      ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${archive.filename}`].concat(
        ["hardhat", "@nomicfoundation/hardhat-viem", "viem", "typescript", "@types/node"].map(from),
      ),
      { cwd: project },
    );
    expect(installed.code, installed.stderr).to.equal(0);
    await writeFile(join(project, "hardhat.config.ts"), config);
    await writeFile(join(project, "use.ts"), script);
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  });

  after(async () => {
    await rm(project, { recursive: true, force: true });
  });

  it("contains what users need, and nothing of how it is made", () => {
    const folders = new Set(files.map((file) => file.split("/")[0]));
    expect([...folders].sort()).to.deep.equal(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "contracts",
        "dist",
        "docs",
        "examples",
        "package.json",
        "skills",
        "task.schema.json",
        "templates",
      ].sort(),
    );
    expect(files).to.include("dist/index.d.ts").and.to.include("contracts/test/HdpTest.sol");
    const left =
      /tsbuildinfo|\.test\.[cm]?[jt]sx?$|node_modules|^examples\/[^/]+\/(artifacts|cache|hdp|types)\/|\/target\//;
    expect(files.filter((file) => left.test(file))).to.deep.equal([]);
  });

  it("exceeds no limit of its size", () => {
    expect(size).to.be.lessThan(MOST_BYTES);
  });

  it("names files and lines of the sources in stack traces", async () => {
    const failing = `import("hardhat-hdp/request").then(({ parseTaskRequest }) => parseTaskRequest(1))`;
    const { stderr } = await command("node", ["--enable-source-maps", "-e", failing], {
      cwd: project,
    });
    expect(stderr).to.match(/node_modules\/hardhat-hdp\/src\/request\/\w[\w-]*\.ts:\d+:\d+/);
  });

  it("type-checks in a user's project", async () => {
    const checked = await command("npx", ["tsc", "-p", "."], { cwd: project });
    expect(checked.stdout).to.equal("");
    expect(checked.code).to.equal(0);
  });

  it("type-checks with the types of libraries, without starknet.js", async () => {
    const { compilerOptions } = tsconfig;
    const strict = {
      compilerOptions: { ...compilerOptions, skipLibCheck: false },
      include: ["all.ts"],
    };
    await writeFile(join(project, "strict.json"), JSON.stringify(strict));
    const entries = ["", "/request", "/store", "/local", "/program", "/service", "/faults"];
    await writeFile(
      join(project, "all.ts"),
      entries.map((entry) => `export * from "hardhat-hdp${entry}";`).join("\n"),
    );
    const checked = await command("npx", ["tsc", "-p", "strict.json"], { cwd: project });
    const own = checked.stdout
      .split("\n")
      .filter((line) => line.includes("node_modules/hardhat-hdp/"));
    expect(own).to.deep.equal([]);
  });

  it("runs in a user's project", async () => {
    const ran = await command("npx", ["hardhat", "run", "--no-compile", "use.ts"], {
      cwd: project,
    });
    expect(ran.code, ran.stderr).to.equal(0);
    expect(JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "")).to.deep.equal({
      word: `0x${"00".repeat(32)}`,
      same: true,
      proven: true,
      samples: 1,
    });
  });
});
