// `npm run contracts:matrix [version ...]`: builds the contracts with every compiler that their pragma allows (or with the
// versions that are named), in both pipelines, with and without the optimizer. Takes an hour. A workflow makes all builds
// of a pull request that touches a contract, and a test some with the oldest and the newest compiler.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { root } from "./root.js";
import { type Solc, sourceOf } from "./solidity-compiler.js";

const optimizer = { enabled: true, runs: 200 };

/** Compiler settings by the name of the build. */
export const WAYS = {
  legacy: {},
  "legacy, optimized": { optimizer },
  viaIR: { viaIR: true },
  "viaIR, optimized": { viaIR: true, optimizer },
} as const;

export type Way = keyof typeof WAYS;

function wayOf(name: string): Way {
  const way = Object.keys(WAYS).find((known): known is Way => known === name);
  if (way === undefined) throw new Error(`no build is named ${name}`);
  return way;
}

const MOCK = "contracts/mocks/HdpExecutionStoreMock.sol";
/** One harness uses the whole test kit, and has the whole mock in it, which takes the time. The recipes have the template's contract. */
const SOURCES = [
  "contracts/{libraries,interfaces,mocks,test}/*.sol",
  "test/store/contracts/*Harness.sol",
  "examples/*/contracts/*.sol",
];

const outputSchema = z.object({
  errors: z.array(z.object({ errorCode: z.string(), formattedMessage: z.string() })).default([]),
});

/** Warnings of contracts that no chain deploys (EIP-170, EIP-3860). Tests are as large, and the mock must not be. */
const SIZES = ["5574", "3860"];

/**
 * Builds files with a compiler.
 *
 * @param compiler - package name or folder of an npm package `solc`
 * @returns all errors and warnings
 */
export function problemsOf(compiler: string, way: Way, paths: readonly string[]): string[] {
  const solc = createRequire(import.meta.url)(compiler) as Solc;
  const sources = Object.fromEntries(
    paths.map((path) => [path, { content: sourceOf(path).contents }]),
  );
  const code = { "*": ["evm.deployedBytecode.object"] };
  const outputSelection = Object.fromEntries(paths.map((path) => [path, code]));
  const input = { language: "Solidity", sources, settings: { ...WAYS[way], outputSelection } };
  const output = outputSchema.parse(
    JSON.parse(solc.compile(JSON.stringify(input), { import: sourceOf })),
  );
  const said = output.errors.filter(
    ({ errorCode, formattedMessage }) =>
      !SIZES.includes(errorCode) || formattedMessage.includes(MOCK),
  );
  return said.map(({ formattedMessage }) => formattedMessage);
}

/** Returns which 0.8 a compiler is: 28 of 0.8.28. */
function patchOf(compiler: string): number {
  const manifest: unknown = createRequire(import.meta.url)(`${compiler}/package.json`);
  return Number(z.object({ version: z.string() }).parse(manifest).version.split(".")[2]);
}

/** Whether a file's pragma allows a compiler: the example behind a proxy needs what OpenZeppelin needs. */
function isAllowed(path: string, patch: number): boolean {
  const least = /^pragma solidity (?:\^|>=)0\.8\.(\d+)/m.exec(sourceOf(path).contents)?.[1];
  return patch >= Number(least);
}

/** Every version from that of the pragma to the newest that was tried. */
export function allVersions(): string[] {
  const [oldest, last] = [21, patchOf("solc-newest")];
  return Array.from({ length: last - oldest + 1 }, (_, index) => `0.8.${String(oldest + index)}`);
}

/** Builds everything with each version in a process of its own: compilers keep their memory. */
function buildAll(versions: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), "hdp-solc-"));
  try {
    const dependencies = Object.fromEntries(
      versions.map((version) => [`solc-${version}`, `npm:solc@${version}`]),
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    spawnSync("npm", ["install", ...options], { cwd: folder, stdio: "inherit" });
    const builds = versions.flatMap((version) =>
      Object.keys(WAYS).map((way) => ({ version, way })),
    );
    const failed = builds.filter(({ version, way }) => {
      const compiler = join(folder, "node_modules", `solc-${version}`);
      const script = [...process.execArgv, import.meta.filename, "--one", compiler, way];
      const { status } = spawnSync(process.execPath, script, { stdio: "inherit" });
      console.log(`${version} ${way}: ${status === 0 ? "ok" : "FAILED"}`);
      return status !== 0;
    });
    console.log(`${String(builds.length)} builds, ${String(failed.length)} failed`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , first = "", compiler = "", way = "legacy"] = process.argv;
  if (first === "--one") {
    const patch = patchOf(compiler);
    const paths = globSync(SOURCES, { cwd: root }).filter((path) => isAllowed(path, patch));
    const problems = problemsOf(compiler, wayOf(way), paths);
    for (const problem of problems) console.log(problem);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } else {
    const named = process.argv.slice(2);
    process.exitCode = buildAll(named.length === 0 ? allVersions() : named);
  }
}
