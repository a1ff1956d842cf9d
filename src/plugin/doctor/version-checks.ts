import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import type { HardhatConfig } from "hardhat/types/config";
import { z } from "zod";

import { shipped } from "../../base/files.js";
import { satisfies } from "../../base/versions.js";
import { type Check, type Found, green, red, yellow } from "./finding.js";

/** Where versions are read. */
export interface VersionsIo {
  /** Version of this Node. */
  readonly node: string;
  /** Returns the version of a package that the project has; undefined without one. */
  readonly installed: (name: string) => Promise<string | undefined>;
  /** Returns the first line that a program prints for `--version`; undefined where it does not run. */
  readonly program: (command: string) => Promise<string | undefined>;
  /** The versions of solc that the project configures. */
  readonly compilers: readonly string[];
  /** Commands that the project's tests need, beside Node. */
  readonly scarb: string;
  readonly snforge: string;
  readonly hasCairo: boolean;
  /** Returns the range of a package, or of Node, that this plugin asks for. */
  readonly range: (name: "node" | "hardhat" | "viem") => Promise<string>;
  /** Returns the range of the `pragma` of the contracts that are shipped. */
  readonly pragma: () => Promise<string>;
}

/** The checks of versions, by what they are the version of. */
export const VERSION_CHECKS: readonly Check<VersionsIo>[] = [
  {
    name: "Node",
    run: async ({ node, range }) =>
      inRange(node, await range("node"), "Install it: https://nodejs.org"),
  },
  { name: "Hardhat", run: async (io) => await ofPackage("hardhat", io) },
  { name: "viem", run: async (io) => await ofPackage("viem", io) },
  {
    name: "Scarb",
    run: async ({ program, scarb, hasCairo }) =>
      ofProgram(await program(scarb), hasCairo, "builds modules and Cairo packages"),
  },
  {
    name: "snforge",
    run: async ({ program, snforge, hasCairo }) =>
      ofProgram(await program(snforge), hasCairo, "runs Cairo tests"),
  },
  { name: "solc", run: ofCompilers },
];

async function ofCompilers({ compilers, pragma }: VersionsIo): Promise<Found> {
  const range = await pragma();
  const found = compilers.join(", ") || "none";
  if (compilers.some((version) => satisfies(version, range))) return green(found);
  const nextStep = 'Add one under solidity: { compilers: [{ version: "0.8.28" }] }.';
  return yellow(`${found}, and the contracts of this package need ${range}`, nextStep);
}

function inRange(version: string, range: string, nextStep: string): Found {
  return satisfies(version, range)
    ? green(version)
    : red(`${version}, and this package needs ${range}`, nextStep);
}

async function ofPackage(
  name: "hardhat" | "viem",
  { installed, range }: VersionsIo,
): Promise<Found> {
  const [version, wanted] = await Promise.all([installed(name), range(name)]);
  const nextStep = `npm install --save-dev "${name}@${wanted}"`;
  if (version === undefined) return red(`not installed, and needed as ${wanted}`, nextStep);
  return inRange(version, wanted, nextStep);
}

function ofProgram(line: string | undefined, isNeeded: boolean, use: string): Found {
  if (line !== undefined) return green(line);
  const nextStep = "Install it: https://docs.starknet.io/build/quickstart/environment-setup";
  return isNeeded
    ? red(`not found; it ${use}, and hdp.cairo names one`, nextStep)
    : green(`not found, and not needed: it ${use}`);
}

const MANIFEST = z.object({
  engines: z.object({ node: z.string() }),
  peerDependencies: z.object({ hardhat: z.string(), viem: z.string() }),
});
const INSTALLED = z.object({ version: z.string() });
/** Milliseconds that a program may take to say its version: Scarb may look for its toolchain. */
const LIMIT = 10_000;

/** Returns where the versions of a project are read. */
export function versionsIo({ paths, solidity, hdp }: HardhatConfig): VersionsIo {
  const manifest = async () =>
    MANIFEST.parse(JSON.parse(await readFile(shipped("package.json"), "utf8")));
  const profiles = Object.values(solidity.profiles);
  const versions = profiles.flatMap(({ compilers, overrides }) =>
    [...compilers, ...Object.values(overrides)].map(({ version }) => version),
  );
  return {
    node: process.versions.node,
    compilers: [...new Set(versions)].sort(),
    scarb: process.env["SCARB"] ?? "scarb",
    snforge: hdp.cairo?.snforge ?? "snforge",
    hasCairo: hdp.cairo !== undefined,
    installed: async (name) => await installedVersion(name, paths.root),
    program: firstLine,
    range: async (name) => {
      const { engines, peerDependencies } = await manifest();
      return { ...engines, ...peerDependencies }[name];
    },
    pragma: async () => {
      const source = await readFile(shipped("contracts/test/HdpTest.sol"), "utf8");
      return /^pragma solidity (.+);$/m.exec(source)?.[1] ?? "";
    },
  };
}

/** Reads the manifest that Node would find from the project, or else from here: packages need not export it. */
async function installedVersion(name: string, root: string): Promise<string | undefined> {
  const places = [join(root, "package.json"), import.meta.url];
  const folders = places.flatMap((place) => createRequire(place).resolve.paths(name) ?? []);
  const path = folders.map((folder) => join(folder, name, "package.json")).find(existsSync);
  if (path === undefined) return undefined;
  return INSTALLED.parse(JSON.parse(await readFile(path, "utf8"))).version;
}

async function firstLine(command: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], { timeout: LIMIT });
    return stdout.split("\n", 1)[0]?.trim();
  } catch {
    return undefined;
  }
}
