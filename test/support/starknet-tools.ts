import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

import type { Context } from "mocha";

import { root } from "./hardhat-cli.js";

const NEEDED = [
  "scarb",
  "snforge",
  "sncast",
  "universal-sierra-compiler",
  "starknet-devnet",
] as const;

export type StarknetTool = (typeof NEEDED)[number];

/** The real Scarb, Starknet Foundry and devnet of this machine. */
export interface StarknetTools {
  /** Where they were found, for people. */
  readonly where: string;
  /** What a command must run with to find them. */
  readonly env: Readonly<Record<string, string>>;
  /** Version by tool: "2.16.1". */
  readonly versions: Readonly<Record<StarknetTool, string>>;
  /** Folder of snforge's standard library, for a path dependency; undefined where Scarb has to fetch it. */
  readonly snforgeStd: string | undefined;
}

export interface ToolResult {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly output: string;
}

const shared = resolve(root, "..", "shared", "toolchain");
let found: StarknetTools | string | undefined;

/**
 * The tools, looked for in the folder HDP_STARKNET_TOOLCHAIN names, then in ../shared/toolchain (whose `activate` puts
 * them in place), then on the PATH; else a sentence that says what is missing.
 */
export function findStarknetTools(): StarknetTools | string {
  found ??= look();
  return found;
}

/** The tools, or the test is skipped with a line that says why. */
export function starknetToolsOrSkip(context: Context): StarknetTools {
  const tools = findStarknetTools();
  if (typeof tools === "object") return tools;
  console.log(`      skipped: ${tools}`);
  return context.skip();
}

/** Runs one of the tools to its end. */
export async function runTool(
  tools: StarknetTools,
  tool: StarknetTool,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ToolResult> {
  return await new Promise((done, reject) => {
    const child = spawn(tool, args, {
      cwd: options.cwd,
      env: { ...tools.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject);
    child.on("close", (code) => {
      done({ code, output });
    });
  });
}

function look(): StarknetTools | string {
  const named = process.env["HDP_STARKNET_TOOLCHAIN"];
  const folder =
    named !== undefined && existsSync(join(named, "bin", "scarb")) ? named : unpacked();
  const env = environment(folder);
  const versions = new Map<string, string>();
  for (const tool of NEEDED) {
    const { status, error, stdout } = spawnSync(tool, ["--version"], { env, encoding: "utf8" });
    const version =
      error === undefined && status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
    if (version !== undefined) versions.set(tool, version);
  }
  const missing = NEEDED.filter((tool) => !versions.has(tool));
  if (missing.length > 0) {
    return `no ${missing.join(", ")} on the PATH, in HDP_STARKNET_TOOLCHAIN or in ${shared}.`;
  }
  const library = folder === undefined ? undefined : join(folder, "snforge_std");
  return {
    where: folder ?? "the PATH",
    env,
    versions: {
      scarb: versions.get("scarb") ?? "",
      snforge: versions.get("snforge") ?? "",
      sncast: versions.get("sncast") ?? "",
      "universal-sierra-compiler": versions.get("universal-sierra-compiler") ?? "",
      "starknet-devnet": versions.get("starknet-devnet") ?? "",
    },
    snforgeStd: library !== undefined && existsSync(library) ? library : undefined,
  };
}

/** Where `activate` has put the tools of ../shared/toolchain; unpacking takes half a minute the first time. */
function unpacked(): string | undefined {
  const activate = join(shared, "activate");
  if (!existsSync(activate) || process.platform !== "linux" || process.arch !== "x64")
    return undefined;
  // Test files run in several processes, and only one may unpack.
  const lock = join(tmpdir(), "hdp-starknet-toolchain.lock");
  const script = `exec 9>"${lock}"; flock 9 2>/dev/null; source "$0" && printf %s "$HDP_STARKNET_TOOLCHAIN"`;
  return execFileSync("bash", ["-c", script, activate], { encoding: "utf8" });
}

function environment(folder: string | undefined): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !["NODE_OPTIONS", "FORCE_COLOR"].includes(name),
  );
  const env: Record<string, string> = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    NO_COLOR: "1",
  };
  if (folder === undefined) return env;
  // What the folder has needs no registry.
  const path = `${join(folder, "bin")}${delimiter}${env["PATH"] ?? ""}`;
  return { ...env, PATH: path, HDP_STARKNET_TOOLCHAIN: folder, SCARB_OFFLINE: "true" };
}
