import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import type { Eip1193Provider } from "../../src/base/rpc.js";

export interface RpcServer {
  readonly url: string;
  /** The longest chain of requests so far of which each began when the one before was answered. */
  readonly trips: () => number;
  close(): Promise<void>;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface ServeOptions {
  /** How long every request waits, as if the node were far away. */
  readonly delayMs?: number;
  /** Whether the node says, as nodes of live chains do, that it has no methods of development nodes. */
  readonly isLive?: boolean;
}

/** A chain inside this process as a node on a free port, for commands that run in processes of their own. */
export async function serve(
  provider: Eip1193Provider,
  { delayMs = 0, isLive }: ServeOptions = {},
): Promise<RpcServer> {
  const answer = async ({ id, method, params }: Call): Promise<object> => {
    if (isLive === true && /^(?:hardhat|anvil)_/.test(method)) {
      return {
        jsonrpc: "2.0",
        id,
        error: { code: -32601, message: `the method ${method} does not exist` },
      };
    }
    try {
      return {
        jsonrpc: "2.0",
        id,
        result: await provider.request({ method, ...(params && { params }) }),
      };
    } catch (error) {
      const { code = -32000, data } = error as { code?: number; data?: unknown };
      return { jsonrpc: "2.0", id, error: { code, message: (error as Error).message, data } };
    }
  };
  let trips = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const trip = trips + 1;
      const body = JSON.parse(await text(request)) as Call | Call[];
      if (delayMs > 0) await sleep(delayMs);
      const reply = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body);
      trips = Math.max(trips, trip);
      response.setHeader("content-type", "application/json").end(JSON.stringify(reply));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    trips: () => trips,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
