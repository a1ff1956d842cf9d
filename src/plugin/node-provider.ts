import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { isRecord } from "../base/collections.js";
import { httpReads } from "../base/http-reads.js";
import { nodeError } from "../base/node-errors.js";
import { type BoundedProvider, boundedReads } from "../base/node-reads.js";
import { systemClock } from "../base/clock.js";
import { learnAddress, SECRETS } from "../errors/secrets.js";
import { callProvider, NoAnswerError } from "../base/rpc.js";

/** Calls that change nothing and need no account, so they may be repeated and batched. */
const READS: ReadonlySet<string> = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getBlockTransactionCountByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getProof",
  "eth_getStorageAt",
  "eth_getTransactionByBlockNumberAndIndex",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
]);

/** Maximum number of concurrent HTTP requests. */
const MAX_BATCHES = 6;
const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

type Network = NetworkConnection<string>["networkConfig"];
type HttpNetwork = Extract<Network, { readonly type: "http" }>;

/**
 * Returns the provider of a connection. It limits concurrent reads and ends them after `hdp.timeouts.rpc`. Reads of a
 * node over HTTP pass the request hooks of all plugins and are then batched, with a limit on the length of answers.
 * Other calls go through Hardhat's provider, over HTTP with the same timeout unless they send a transaction.
 */
export function nodeProvider(
  connection: NetworkConnection<string>,
  hooks: HookContext["hooks"],
): BoundedProvider {
  const { provider, networkConfig: network } = connection;
  const timeout = network.hdp.timeouts.rpc;
  const isHttp = network.type === "http";
  const reads = isHttp
    ? hookedReads(connection, network, hooks)
    : boundedReads(provider, { concurrency: network.hdp.local.concurrency, timeout });
  // Runs before the first call: Hardhat's own errors may quote the node, and the node its address.
  let learned: Promise<unknown> | undefined;
  return {
    readAhead: reads.readAhead,
    request: async ({ method, params = [] }) => {
      await (learned ??= learnNode(network));
      if (READS.has(method)) return await reads.request({ method, params });
      if (isHttp && method !== "eth_sendTransaction")
        return await callProvider(provider, method, params, { timeout });
      const answer: unknown = await provider.request({ method, params: [...params] });
      return answer;
    },
  };
}

/** Learns the keys with which a network's node is read: of an HTTP network, or of the node that is forked. */
export async function learnNode(network: Network | undefined): Promise<void> {
  const { url, httpHeaders = {} } = (network?.type === "http" ? network : network?.forking) ?? {};
  for (const value of Object.values(httpHeaders)) {
    const key = value.trim().split(/\s+/).at(-1) ?? "";
    const pair = /^basic /i.test(value) ? Buffer.from(key, "base64").toString() : "";
    for (const one of [key, pair, pair.slice(pair.indexOf(":") + 1)]) SECRETS.learn(one);
  }
  await url?.getUrl().then(learnAddress, () => undefined);
}

/** Returns batched reads behind the request hooks, which see, change and answer each call as for Hardhat's provider. */
function hookedReads(
  connection: NetworkConnection<string>,
  { url, httpHeaders: headers, hdp: { timeouts, local } }: HttpNetwork,
  hooks: HookContext["hooks"],
): BoundedProvider {
  const width = Math.min(MAX_BATCHES, local.concurrency);
  const reads = httpReads({
    url: async () => await url.getUrl(),
    headers,
    timeout: timeouts.rpc,
    width,
  });
  let id = 0;
  return {
    readAhead: reads.readAhead,
    request: async ({ method, params = [] }) => {
      const given = withSender(method, params);
      const request: JsonRpcRequest = { jsonrpc: "2.0", id: ++id, method, params: given };
      const response = await untilSent(method, timeouts.rpc, async (sent) => {
        const send = async (_: unknown, __: unknown, last: JsonRpcRequest) => {
          sent();
          return await readAnswer(reads, last);
        };
        return await hooks.runHandlerChain("network", "onRequest", [connection, request], send);
      });
      if ("error" in response) throw nodeError(response.error.message, response.error);
      return response.result;
    },
  };
}

/**
 * Runs the hooks of a call. Rejects where none of them has sent it after `timeout` milliseconds: a hook may wait for a
 * silent node, as Hardhat's own does, which asks for the chain id before the first call.
 */
async function untilSent<T>(
  method: string,
  timeout: number,
  run: (sent: () => void) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const cancel = systemClock.after(timeout, () => reject(new NoAnswerError(method, timeout)));
  run(cancel).then(resolve, reject).finally(cancel);
  return await promise;
}

/** Reads a call's answer, or the error that the node answered with. Rethrows failures of the connection. */
async function readAnswer(
  reads: BoundedProvider,
  { id, method, params }: JsonRpcRequest,
): Promise<JsonRpcResponse> {
  try {
    const result = await reads.request({ method, params: Array.isArray(params) ? params : [] });
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    const { code, message, data, statusCode } = isRecord(error) ? error : {};
    if (typeof code !== "number" || statusCode !== undefined) throw error;
    return { jsonrpc: "2.0", id, error: { code, message: String(message), data } };
  }
}

/** Adds the zero address to calls without a sender: Hardhat would ask the node for its accounts. */
function withSender(method: string, params: readonly unknown[]): unknown[] {
  const [call, ...others] = params;
  if (method !== "eth_call" || !isRecord(call) || call["from"] !== undefined) return [...params];
  return [{ ...call, from: ZERO_ADDRESS }, ...others];
}
