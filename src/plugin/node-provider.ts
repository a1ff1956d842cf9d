import type { NetworkConnection } from "hardhat/types/network";

import type { Eip1193Provider } from "../base/rpc.js";

/** Reads that change nothing and need no account: they may be asked of the node past Hardhat. */
const READS: ReadonlySet<string> = new Set([
  ...["eth_blockNumber", "eth_call", "eth_getBalance", "eth_getBlockByHash", "eth_getBlockByNumber", "eth_getCode"],
  ...["eth_getLogs", "eth_getProof", "eth_getStorageAt", "eth_getTransactionByHash", "eth_getTransactionReceipt"],
]);

/**
 * The provider of a connection. A node over HTTP may be silent or never stop answering: its calls have the deadline of
 * `hdp.timeouts.rpc`, and reads, which go over a transport of this package's own, a bound on the length of the answer.
 * A transaction that is being sent has the deadline of who sends it.
 */
export function nodeProvider(connection: NetworkConnection<string>): Eip1193Provider {
  const { provider, networkConfig } = connection;
  if (networkConfig.type !== "http") return provider;
  const deadline = networkConfig.hdp.timeouts.rpc;
  let reading: Promise<Eip1193Provider> | undefined;
  return {
    request: async ({ method, params = [] }) => {
      if (method === "eth_sendTransaction") {
        const hash: unknown = await provider.request({ method, params: [...params] });
        return hash;
      }
      const { callProvider } = await import("../base/rpc.js");
      if (!READS.has(method)) return await callProvider(provider, method, params, { deadline });
      reading ??= batchesOf(connection);
      reading.catch(() => (reading = undefined));
      return await callProvider(await reading, method, params, { deadline });
    },
  };
}

/** HTTP requests in flight at most. */
const BATCHES_AT_ONCE = 6;

/** An HTTP network is read in batches, which its Hardhat provider does not make; others by their provider. */
export async function readProvider(connection: NetworkConnection<string>): Promise<Eip1193Provider> {
  try {
    return await batchesOf(connection);
  } catch (error) {
    const { callFailure } = await import("../base/rpc.js");
    throw callFailure("eth_chainId", [], error);
  }
}

/** The same, with the failure of its first call as the node's: who asks says what it was about. */
async function batchesOf({ provider, networkConfig: network }: NetworkConnection<string>): Promise<Eip1193Provider> {
  if (network.type !== "http") return provider;
  const { callProvider } = await import("../base/rpc.js");
  const { asInteger } = await import("../chain/rpc-json.js");
  const { BatchProvider } = await import("../chain/batch-provider.js");
  const { local, timeouts } = network.hdp;
  const chainId = await callProvider(provider, "eth_chainId", [], { deadline: timeouts.rpc });
  if (network.chainId !== undefined && BigInt(network.chainId) !== asInteger(chainId, "eth_chainId", "result")) {
    // Hardhat compares them at any other call through its own provider, and says what is wrong.
    await callProvider(provider, "eth_blockNumber", [], { deadline: timeouts.rpc });
  }
  return new BatchProvider({
    url: await network.url.getUrl(),
    headers: network.httpHeaders,
    timeout: timeouts.rpc,
    width: Math.min(BATCHES_AT_ONCE, local.concurrency),
  });
}
