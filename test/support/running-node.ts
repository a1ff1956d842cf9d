import { spawn } from "node:child_process";
import { join } from "node:path";

import { fixtureProject, root } from "./hardhat-cli.js";

export interface RunningNode {
  readonly output: string;
  readonly chain: string;
  readonly server: string;
  /** As Ctrl-C does. Resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

/** Ports of the chain and of the server; by default any that are free. */
export type Ports = readonly [chain: number, server: number];

/** `hdp:node` in the fixture project. */
export async function runNode(
  args: readonly string[],
  [chainPort, serverPort]: Ports = [0, 0],
): Promise<RunningNode> {
  const ports = [
    "--hostname",
    "127.0.0.1",
    "--port",
    String(chainPort),
    "--hdp-port",
    String(serverPort),
  ];
  return await runServer(["hdp:node", ...ports, ...args], fixtureProject);
}

/** A command that serves until it is interrupted. @param project whose Hardhat runs it. Default: this repository's */
export async function runServer(
  args: readonly string[],
  cwd: string,
  project = root,
): Promise<RunningNode> {
  const cli = join(project, "node_modules", "hardhat", "dist", "src", "cli.js");
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", HH_TEST: "", NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/Ctrl-C ends (both|it)|Started HTTP/.test(output)) resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    void ended.then((code) => {
      reject(new Error(`${String(args[0])} ended with ${code ?? "a signal"}: ${output}`));
    });
  });
  const address = (name: string): string =>
    new RegExp(`${name}\\s+(http://127\\.0\\.0\\.1:\\d+)`).exec(output)?.[1] ?? "";
  return {
    get output() {
      return output;
    },
    chain: address("Chain"),
    server: address("Data processor"),
    interrupt: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}
