import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { findStarknetTools } from "./starknet-tools.js";

const tools = findStarknetTools();
/** geth lies beside the Starknet tools. */
export const gethEnv = typeof tools === "string" ? process.env : tools.env;

export function hasGeth(): boolean {
  return spawnSync("geth", ["version"], { env: gethEnv }).status === 0;
}

/** What `geth dumpgenesis` writes. */
export interface Genesis {
  readonly config: Readonly<Record<string, unknown>>;
  readonly alloc: object;
}

export interface Geth {
  readonly url: string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * A geth on a chain of its own with a block a transaction and one unlocked account, on the newest fork it knows.
 *
 * @param edit makes its genesis of the one of `--dev`
 */
export async function startGeth(edit?: (genesis: Genesis) => object): Promise<Geth> {
  const folder = mkdtempSync(join(tmpdir(), "hdp-geth-"));
  const plain = join(folder, "plain");
  let running = await run(plain);
  if (edit !== undefined) {
    await running.stop();
    const genesis = JSON.parse(geth("dumpgenesis", "--datadir", plain)) as Genesis;
    const [file, own] = [join(folder, "genesis.json"), join(folder, "own")];
    writeFileSync(file, JSON.stringify(edit(genesis)));
    geth("init", "--state.scheme", "hash", "--datadir", own, file);
    cpSync(join(plain, "keystore"), join(own, "keystore"), { recursive: true });
    running = await run(own);
  }
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function geth(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("geth", args, { encoding: "utf8", env: gethEnv });
  if (status !== 0) throw new Error(`geth ${args[0] ?? ""}: ${stderr}`);
  return stdout;
}

async function run(datadir: string): Promise<Geth> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ["--dev", "--dev.period", "0", "--datadir", datadir, "--gcmode", "archive"];
  args.push("--state.scheme", "hash");
  args.push("--http", "--http.port", String(port), "--http.api", "eth,net,web3,debug,dev");
  args.push(
    "--ipcdisable",
    "--nodiscover",
    "--port",
    "0",
    "--authrpc.port",
    String(await freePort()),
  );
  const child = spawn("geth", args, { stdio: "ignore", env: gethEnv });
  const ended = once(child, "exit");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const headers = { "content-type": "application/json" };
  while (
    !(await fetch(url, { method: "POST", headers, body }).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`geth ended with ${child.exitCode}`);
    await sleep(100);
  }
  return {
    url,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}
