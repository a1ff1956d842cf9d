import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { z } from "zod";

import type { StarknetTools } from "./starknet-tools.js";

const accounts = z.array(z.object({ address: z.string(), private_key: z.string() }));

export interface DevnetAccount {
  readonly address: string;
  readonly privateKey: string;
}

/** A starknet-devnet of this process: on a free port, ended by its process id. */
export class StarknetDevnet {
  readonly #child: ChildProcess;

  private constructor(
    child: ChildProcess,
    public readonly rpcUrl: string,
  ) {
    this.#child = child;
  }

  /** Starts one and waits until it answers. Accounts follow from the seed, which is 1. */
  public static async start(
    tools: StarknetTools,
    args: readonly string[] = [],
  ): Promise<StarknetDevnet> {
    const port = await freePort();
    const child = spawn("starknet-devnet", ["--seed", "1", "--port", port.toString(), ...args], {
      env: tools.env,
      stdio: "ignore",
    });
    const devnet = new StarknetDevnet(child, `http://127.0.0.1:${port.toString()}`);
    // Under a second as a rule, and a minute on a machine that does much else.
    for (let tries = 0; tries < 2400; tries++) {
      if (child.exitCode !== null)
        throw new Error(`starknet-devnet ended with ${child.exitCode.toString()}.`);
      if (await devnet.#isAlive()) return devnet;
      await sleep(50);
    }
    await devnet.end();
    throw new Error("starknet-devnet does not answer.");
  }

  public async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }

  /** A method of the devnet, or of Starknet's JSON-RPC. */
  public async call(method: string, params: unknown = {}): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.rpcUrl, { method: "POST", headers, body });
    const answer = z
      .object({ result: z.unknown(), error: z.unknown() })
      .parse(await response.json());
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  }

  /** One of the funded accounts. */
  public async account(position = 0): Promise<DevnetAccount> {
    const one = accounts.parse(await this.call("devnet_getPredeployedAccounts"))[position];
    if (one === undefined) throw new Error("The devnet has no such account.");
    return { address: one.address, privateKey: one.private_key };
  }

  async #isAlive(): Promise<boolean> {
    return await fetch(`${this.rpcUrl}/is_alive`).then(
      (response) => response.ok,
      () => false,
    );
  }
}

/** A port that nobody listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}
