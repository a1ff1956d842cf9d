import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { CliResult } from "./hardhat-cli.js";

/** Hardhat, loaded, in a process that runs one command at a time. */
interface WarmProcess {
  readonly child: ChildProcess;
  /** When each configuration that was read had been written: a process reads a file once. */
  readonly read: Map<string, number>;
  busy: boolean;
}

/** How many processes wait for their next command; the one that waited longest ends when there are more. */
const WAITING = 2;

/** Variables that every run reads anew. All others may have been read for good when Hardhat or a configuration was loaded. */
const READ_BY_RUNS = new Set(["CI", "GITHUB_ACTIONS", "SCARB", "HDP_TEST_NODE", "FIXTURE_KEY"]);

const processes = new Map<string, WarmProcess>();

/**
 * Runs a command in a process where Hardhat is loaded already: one for each environment to load it in, and a new one
 * where a configuration changed. Undefined when that process is busy with another command.
 */
export async function warmHardhat(
  args: readonly string[],
  { cwd, env, input }: { cwd: string; env: Record<string, string>; input: string },
): Promise<CliResult | undefined> {
  const loadedWith = Object.entries(env).filter(([name]) => !READ_BY_RUNS.has(name));
  const key = JSON.stringify(loadedWith.sort());
  const { file, written } = configurationOf(args, cwd);
  const known = processes.get(key);
  if (known?.busy === true) return undefined;
  const stale = known !== undefined && (known.read.get(file) ?? written) !== written;
  if (stale) known.child.disconnect();
  const warm = known === undefined || stale ? start(env) : known;
  warm.read.set(file, written);
  processes.delete(key);
  processes.set(key, warm);
  endOldest();
  warm.busy = true;
  hold(warm.child, true);
  try {
    warm.child.send({ args, input, cwd, env });
    const [answer] = (await Promise.race([once(warm.child, "message"), ended(warm.child)])) as [
      Answer,
    ];
    if (answer.result === undefined)
      throw new Error(`hardhat ${args.join(" ")} did not end: ${answer.failure ?? ""}`);
    return answer.result;
  } catch (error) {
    processes.delete(key);
    warm.child.kill();
    throw error;
  } finally {
    warm.busy = false;
    hold(warm.child, false);
  }
}

interface Answer {
  readonly result?: CliResult;
  readonly failure?: string;
}

async function ended(child: ChildProcess): Promise<[Answer]> {
  const [code] = (await once(child, "exit")) as [number | null];
  return [{ failure: `its process ended with ${String(code)}` }];
}

function start(env: Record<string, string>): WarmProcess {
  const child = fork(join(import.meta.dirname, "warm-hardhat.mjs"), {
    env,
    execArgv: [],
    stdio: "inherit",
  });
  child.setMaxListeners(0);
  return { child, read: new Map(), busy: false };
}

/** Whether the test run waits for a process. */
function hold(child: ChildProcess, wait: boolean): void {
  child[wait ? "ref" : "unref"]();
  (child.channel as { ref(): void; unref(): void } | null)?.[wait ? "ref" : "unref"]();
}

function endOldest(): void {
  for (const [key, { child, busy }] of processes) {
    if (processes.size <= WAITING) return;
    if (busy) continue;
    processes.delete(key);
    child.disconnect();
  }
}

/** The configuration that a command reads, and when it was written. */
function configurationOf(args: readonly string[], cwd: string): { file: string; written: number } {
  const named = args.includes("--config") ? args[args.indexOf("--config") + 1] : undefined;
  const file = resolve(cwd, named ?? "hardhat.config.ts");
  return { file, written: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
}
