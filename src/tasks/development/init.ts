import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";

import { HdpError } from "../../errors/hdp-error.js";
import { systemErrorWord } from "../../base/files.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";
import { IGNORED, initFiles, type InitPlaces } from "./init-files.js";

const RUNNERS: readonly string[] = ["hardhat-mocha", "hardhat-node-test-runner"];

interface Written {
  readonly path: string;
  readonly change: "created" | "added to" | "kept";
}

export default command({
  name: "init",
  description: "Write a first task, a contract that acts on its result, and tests of both; nothing is overwritten",
  run: async (_args, { hre: { config }, screen }) => {
    const { root } = config.paths;
    const files: Written[] = [];
    const agents = await readFile(
      join(dirname(createRequire(import.meta.url).resolve("hardhat-hdp/package.json")), "AGENTS.md"),
      "utf8",
    );
    for (const [path, content] of [...initFiles(placesOf(config)), ["AGENTS.md", agents] as const])
      files.push(await create(root, path, content));
    files.push(await ignore(root));
    screen.line();
    for (const { path, change } of files) {
      screen.line(`  ${change === "kept" ? " " : style.good("✔")} ${change.padEnd(8)}  ${path}`);
    }
    screen.line();
    screen.line(`  Run the tests:  ${style.command("npx hardhat test")}   (offline once the compiler is there)`);
    screen.line(`  Run the task:   ${style.command("npx hardhat hdp:submit tasks/fee.json")}`);
    if (!config.plugins.some(({ id }) => RUNNERS.includes(id))) {
      screen.line();
      screen.line(
        "  TypeScript tests need a runner: npm install --save-dev @nomicfoundation/hardhat-node-test-runner,",
      );
      screen.line("  and in hardhat.config.ts:");
      screen.line('    import hardhatNodeTestRunner from "@nomicfoundation/hardhat-node-test-runner";');
      screen.line("    plugins: [hardhatHdp, hardhatNodeTestRunner]");
    }
    screen.line();
    screen.line("  For a service, in hardhat.config.ts, and the key with npx hardhat keystore set HDP_API_KEY:");
    screen.line('    networks: { sepolia: { type: "http", url: configVariable("SEPOLIA_RPC_URL"), hdp: {');
    screen.line('      dataProcessor: { url: "https://…", apiKey: configVariable("HDP_API_KEY") } } } }');
    screen.document({ root, files });
  },
});

function placesOf({ paths, plugins }: HardhatConfig): InitPlaces {
  const has = (id: string): boolean => plugins.some((plugin) => plugin.id === id);
  const runner = has("hardhat-mocha") ? "mocha" : "node:test";
  const local = (path: string): string => relative(paths.root, path).replaceAll("\\", "/");
  const tests: Readonly<Record<string, unknown>> = { ...paths.tests };
  const folder = tests[runner === "mocha" ? "mocha" : "nodejs"];
  return {
    contracts: local(paths.sources.solidity[0] ?? join(paths.root, "contracts")),
    tests: typeof folder === "string" ? local(folder) : "test",
    runner,
    client: has("hardhat-viem") ? "viem" : has("hardhat-ethers") ? "ethers" : "none",
  };
}

/** Writes a file that is not there; another one of that name is the user's. */
async function create(root: string, path: string, content: string): Promise<Written> {
  const file = join(root, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
    return { path, change: "created" };
  } catch (error) {
    if (systemErrorWord(error) === "EEXIST") return { path, change: "kept" };
    throw cannotWrite(path, error);
  }
}

/** Adds to `.gitignore` the lines that it lacks. */
async function ignore(root: string): Promise<Written> {
  const path = ".gitignore";
  const file = join(root, path);
  const before = await readFile(file, "utf8").catch(() => undefined);
  const known = new Set((before ?? "").split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = IGNORED.filter((line) => !known.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return { path, change: "kept" };
  const start = before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  try {
    await writeFile(file, `${start}${missing.join("\n")}\n`);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  return { path, change: before === undefined ? "created" : "added to" };
}

function cannotWrite(path: string, cause: unknown): HdpError {
  return new HdpError({
    code: "HDP-6085",
    path,
    message: `the file cannot be written (${systemErrorWord(cause)}).`,
    hints: ["Correct the permissions and repeat: what is there already is kept."],
    cause,
  });
}
