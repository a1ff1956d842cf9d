import { spawn } from "node:child_process";
import { join } from "node:path";

import { warmHardhat } from "./warm-hardhat.js";

export const root = join(import.meta.dirname, "..", "..");
export const fixtureProject = join(root, "test", "fixture-project");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs Hardhat in the fixture project as `npx hardhat …` does. The toolkit's own commands run in a process where Hardhat
 * is loaded already (a second of processor time less for each); all others, such as `test`, in one of their own.
 */
export async function hardhat(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const { cwd = fixtureProject, env, input = "" } = options;
  const own = args.find((one) => !one.startsWith("-"));
  const warm =
    own === "hdp" || own?.startsWith("hdp:") === true
      ? await warmHardhat(args, { cwd, env: environment(env), input })
      : undefined;
  return warm ?? (await hardhatProcess(args, options));
}

/** Runs Hardhat in a process of its own, as `npx hardhat …` does without npx's own quarter of a second. */
export async function hardhatProcess(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  return await command(process.execPath, [cli, ...args], { cwd: fixtureProject, ...options });
}

/** Runs a command to its end. */
export async function command(
  file: string,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd ?? root,
      env: environment(options.env),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
    // A program may end before it reads anything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** A user's environment: what the test runner's own process is run with must not reach the user's command. */
function environment(more: CliOptions["env"] = {}): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || ["NODE_OPTIONS", "CI", "FORCE_COLOR", "HH_TEST"].includes(name)
      ? []
      : [[name, value]],
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: "1", ...more };
}
