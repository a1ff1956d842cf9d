import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";

import { shipped, systemErrorWord } from "../../base/files.js";
import { hdpError, type HdpError } from "../../errors/hdp-error.js";
import { command } from "../run-command.js";
import { type Screen, style } from "../ui/screen.js";

/** Lines that the project's `.gitignore` gets. */
const IGNORED: readonly string[] = ["node_modules/", "artifacts/", "cache/", "coverage/", ".env", "hdp/"];

interface Written {
  readonly path: string;
  readonly change: "created" | "added to" | "kept";
}

export const init = command(async (_args: object, { hre: { config }, screen }) => {
  const { root } = config.paths;
  const files: Written[] = [];
  for (const [path, content] of await filesFor(config)) files.push(await create(root, path, content));
  files.push(await ignore(root));
  screen.line();
  for (const { path, change } of files) {
    screen.line(`  ${change === "kept" ? " " : style.good("✔")} ${change.padEnd(8)}  ${path}`);
  }
  printNextSteps(screen, config);
  return { root, files };
});

/** Returns the files of a first project by their paths in it; tests fit the plugins that the configuration has. */
async function filesFor({ paths, plugins }: HardhatConfig): Promise<ReadonlyMap<string, string>> {
  const has = (id: string): boolean => plugins.some((plugin) => plugin.id === id);
  const local = (path: string): string => relative(paths.root, path).replaceAll("\\", "/");
  const contracts = local(paths.sources.solidity[0] ?? join(paths.root, "contracts"));
  const isMocha = has("hardhat-mocha");
  const folders: Readonly<Record<string, unknown>> = { ...paths.tests };
  const folder = folders[isMocha ? "mocha" : "nodejs"];
  const tests = typeof folder === "string" ? local(folder) : "test";
  const client = has("hardhat-viem") ? "viem" : has("hardhat-ethers") ? "ethers" : "task";
  const template = async (path: string): Promise<string> =>
    await readFile(shipped(`templates/project/${path}`), "utf8");
  const test = await template(`test/${client}.ts`);
  return new Map([
    ["tasks/fee.json", await template("tasks/fee.json")],
    [`${contracts}/FeeGate.sol`, await template("contracts/FeeGate.sol")],
    [`${contracts}/FeeGate.t.sol`, await template("contracts/FeeGate.t.sol")],
    // Mocha's functions are global.
    [`${tests}/FeeGate.ts`, isMocha ? test : test.replace("\n\n", '\nimport { describe, it } from "node:test";\n\n')],
    ["AGENTS.md", await readFile(shipped("AGENTS.md"), "utf8")],
  ]);
}

/** Writes a file unless one of that name exists. */
async function create(root: string, path: string, content: string): Promise<Written> {
  const file = join(root, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
    return { path, change: "created" };
  } catch (error) {
    if (systemErrorWord(error) === "EEXIST") return { path, change: "kept" };
    throw cannotWrite(root, path, error);
  }
}

/** Adds the lines to `.gitignore` that it lacks. */
async function ignore(root: string): Promise<Written> {
  const path = ".gitignore";
  const before = await readFile(join(root, path), "utf8").catch(() => undefined);
  const known = new Set((before ?? "").split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = IGNORED.filter((line) => !known.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return { path, change: "kept" };
  const start = before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  await writeFile(join(root, path), `${start}${missing.join("\n")}\n`).catch((error: unknown) => {
    throw cannotWrite(root, path, error);
  });
  return { path, change: before === undefined ? "created" : "added to" };
}

function cannotWrite(root: string, file: string, cause: unknown): HdpError {
  const hints = ["Correct the permissions and repeat: files that exist are kept."];
  const values = { file, reason: systemErrorWord(cause), path: join(root, file) };
  return hdpError("HDP-6207", values, { path: file, hints, cause });
}

const RUNNER = `
  TypeScript tests need a runner: npm install --save-dev @nomicfoundation/hardhat-node-test-runner,
  and in hardhat.config.ts:
    import hardhatNodeTestRunner from "@nomicfoundation/hardhat-node-test-runner";
    plugins: [hardhatHdp, hardhatNodeTestRunner]
`;
const SERVICE = `
  For a service, in hardhat.config.ts, and the key with npx hardhat keystore set HDP_API_KEY:
    networks: { sepolia: { type: "http", url: configVariable("SEPOLIA_RPC_URL"), hdp: {
      dataProcessor: { url: "https://…", apiKey: configVariable("HDP_API_KEY") } } } }`;

function printNextSteps(screen: Screen, { plugins }: HardhatConfig): void {
  const hasRunner = plugins.some(({ id }) => id === "hardhat-mocha" || id === "hardhat-node-test-runner");
  screen.line();
  screen.line(`  Run the tests:  ${style.command("npx hardhat test")}   (offline once the compiler is there)`);
  screen.line(`  Run the task:   ${style.command("npx hardhat hdp:submit tasks/fee.json")}`);
  for (const line of `${hasRunner ? "" : RUNNER}${SERVICE}`.split("\n")) screen.line(line);
}
