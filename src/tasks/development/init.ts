import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";

import { shipped } from "../../base/files.js";
import { writeOutput } from "../../plugin/project-files.js";
import { command } from "../run-command.js";
import { printBlock, type Screen, style } from "../ui/screen.js";

/** Lines that the project's `.gitignore` gets, beside the folder of what is sent from it. */
const IGNORED: readonly string[] = ["node_modules/", "artifacts/", "cache/", "coverage/", ".env"];

type Written = Readonly<{ path: string; change: "created" | "added to" | "kept" }>;

export const init = command(async (_args: object, { hre: { config }, screen }) => {
  const { root } = config.paths;
  const files: Written[] = [];
  for (const [path, content] of await filesFor(config)) files.push(await create(root, path, content));
  files.push(await ignore(config));
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
    ["tasks/fee.json", (await template("tasks/fee.json")).replace("../node_modules", modulesOf(paths.root))],
    [`${contracts}/FeeGate.sol`, await template("contracts/FeeGate.sol")],
    [`${contracts}/FeeGate.t.sol`, await template("contracts/FeeGate.t.sol")],
    // Mocha's functions are global.
    [`${tests}/FeeGate.ts`, isMocha ? test : test.replace("\n\n", '\nimport { describe, it } from "node:test";\n\n')],
    ["AGENTS.md", await readFile(shipped("AGENTS.md"), "utf8")],
  ]);
}

/** Returns the folder of packages that has this one, as a task file names it: a workspace may have it above the project. */
function modulesOf(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(join(modules, "hardhat-hdp"))) return relative(join(root, "tasks"), modules).replaceAll("\\", "/");
    if (dirname(folder) === folder) return "../node_modules";
  }
}

/** Writes a file unless one of that name exists. @throws HdpError HDP-6207 */
async function create(root: string, path: string, content: string): Promise<Written> {
  if (existsSync(join(root, path))) return { path, change: "kept" };
  await writeOutput(path, root, content, path);
  return { path, change: "created" };
}

/** Adds the lines to `.gitignore` that it lacks. @throws HdpError HDP-6207 */
async function ignore({ paths: { root }, hdp }: HardhatConfig): Promise<Written> {
  const path = ".gitignore";
  const data = relative(root, hdp.dataDir).replaceAll("\\", "/");
  // From the project's folder alone: contracts/hdp/ is not meant.
  const ignored = data.startsWith("..") || isAbsolute(data) ? IGNORED : [...IGNORED, `/${data}/`];
  const before = await readFile(join(root, path), "utf8").catch(() => undefined);
  const known = new Set((before ?? "").split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = ignored.filter((line) => !known.has(line.replace(/^\/|\/$/g, "")));
  if (missing.length === 0) return { path, change: "kept" };
  const start = before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  await writeOutput(path, root, `${start}${missing.join("\n")}\n`, path);
  return { path, change: before === undefined ? "created" : "added to" };
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
  printBlock(screen, `  Run the tests:  ${style.command("npx hardhat test")}   (offline once the compiler is there)`);
  screen.line(`  Run the task:   ${style.command("npx hardhat hdp:submit tasks/fee.json")}`);
  for (const line of `${hasRunner ? "" : RUNNER}${SERVICE}`.split("\n")) screen.line(line);
}
