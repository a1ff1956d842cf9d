import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Context } from "mocha";

import { root } from "./hardhat-cli.js";

const VERSION = "1.7.1";
const FOLDER = join(homedir(), ".cache", `hdp-foundry-${VERSION}`);

export type FoundryTool = "anvil" | "forge";

/** Path of a tool of Foundry, on the PATH or from npm, which is asked once on a machine; else why there is none. */
function find(tool: FoundryTool): { readonly path: string } | string {
  if (spawnSync(tool, ["--version"]).status === 0) return { path: tool };
  const system = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const path = join(FOLDER, "node_modules", "@foundry-rs", `${tool}-${system}`, "bin", tool);
  if (!existsSync(path)) install();
  if (spawnSync(path, ["--version"]).status === 0) return { path };
  return `no ${tool} on the PATH, and none from npm (@foundry-rs/${tool} ${VERSION}) for ${system}`;
}

/** Several test files may install at once: the first one that is ready stays. */
function install(): void {
  mkdirSync(dirname(FOLDER), { recursive: true });
  const folder = mkdtempSync(`${FOLDER}-`);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const packages = ["anvil", "forge"].map((tool) => `@foundry-rs/${tool}@${VERSION}`);
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
  spawnSync("npm", args, { cwd: folder, timeout: 120_000, stdio: "ignore" });
  try {
    renameSync(folder, FOLDER);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}

const found = new Map<FoundryTool, { readonly path: string } | string>();

export function findFoundry(tool: FoundryTool): { readonly path: string } | string {
  const known = found.get(tool) ?? find(tool);
  found.set(tool, known);
  return known;
}

/** The path of a tool, or the test is skipped with a line that says why. */
export function foundryOrSkip(context: Context, tool: FoundryTool): string {
  const known = findFoundry(tool);
  if (typeof known === "object") return known.path;
  console.log(`      skipped: ${known}`);
  return context.skip();
}

/** Writes a program that forge takes for a native compiler, and that compiles with the npm package `solc`. */
export function solcProgram(folder: string): string {
  const path = join(folder, "solc");
  const solc = join(root, "node_modules", "solc");
  writeFileSync(
    path,
    `#!${process.execPath}
const solc = require(${JSON.stringify(solc)});
if (process.argv.includes("--version")) console.log("solc, the solidity compiler\\nVersion: " + solc.version());
else process.stdout.write(solc.compile(require("fs").readFileSync(0, "utf8"), { import: () => ({ error: "not found" }) }));
`,
    { mode: 0o755 },
  );
  return path;
}
