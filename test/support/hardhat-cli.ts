import { spawn } from "node:child_process";
import { join } from "node:path";

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

/** Runs Hardhat in the fixture project as `npx hardhat …` does, without npx's own quarter of a second. */
export async function hardhat(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  return await command(process.execPath, [cli, ...args], { cwd: fixtureProject, ...options });
}

/** Runs a command to its end. */
export async function command(file: string, args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  // What the test runner's own process is run with must not reach the user's command.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !["NODE_OPTIONS", "CI", "FORCE_COLOR", "HH_TEST"].includes(name)),
  );
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd ?? root,
      env: { ...inherited, NO_COLOR: "1", ...options.env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
    child.stdin.end(options.input ?? "");
  });
}
