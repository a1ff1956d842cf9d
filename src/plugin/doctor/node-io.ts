import { httpSend, MAX_CALLS } from "../../base/http-reads.js";
import { isOfBatch } from "../../base/node-errors.js";
import type { Send } from "../../base/node-reads.js";
import type { Eip1193Provider } from "../../base/rpc.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { ChainSources } from "../chain-sources.js";
import type { HdpConfig } from "../config/config.js";
import type { ConnectedNetwork } from "../connected-network.js";

/** What the checks of a node ask. */
export interface NodeIo {
  readonly networkName: string;
  readonly provider: Eip1193Provider;
  readonly config: HdpConfig;
  readonly isSimulated: boolean;
  readonly isDevelopment: () => Promise<boolean>;
  readonly chainId: () => Promise<bigint>;
  readonly head: () => Promise<bigint>;
  readonly accounts: () => Promise<readonly `0x${string}`[]>;
  /** Throws where the network that stands for a chain is another one. */
  readonly requireSource: (chain: ChainIdentifier) => Promise<void>;
  /** Returns the number of calls that the node takes in one batch, at most 100; undefined where it is not over HTTP. */
  readonly batchLimit: () => Promise<number | undefined>;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Returns what the checks ask of a network's node. */
export function nodeIo(network: ConnectedNetwork, sources: ChainSources): NodeIo {
  const { networkName, provider, config, isSimulated, connection } = network;
  const { networkConfig } = connection;
  return {
    networkName,
    provider,
    config,
    isSimulated,
    isDevelopment: async () => await network.isDevelopment(),
    chainId: async () => await network.chainId(),
    head: async () => await network.head(),
    accounts: async () => await network.accounts(),
    requireSource: async (chain) => {
      await sources.providerFor(chain);
    },
    batchLimit: async () => {
      if (networkConfig.type !== "http") return undefined;
      const { url, httpHeaders: headers, hdp } = networkConfig;
      const timeout = hdp.timeouts.rpc;
      return await batchLimit(httpSend({ url: async () => await url.getUrl(), headers, timeout }));
    },
    now: Date.now,
  };
}

/** Returns the most calls in one batch that a node answers: at most as many as are sent, at least 1. */
export async function batchLimit(send: Send): Promise<number> {
  if (await takes(send, MAX_CALLS)) return MAX_CALLS;
  return await findLast(1, MAX_CALLS, async (calls) => await takes(send, calls));
}

async function takes(send: Send, calls: number): Promise<boolean> {
  const call = { method: "eth_chainId", params: [] };
  try {
    const outcomes = (await send(Array.from({ length: calls }, () => call)))();
    return outcomes.every((one) => "result" in one);
  } catch (error) {
    if (isOfBatch(error)) return false;
    throw error;
  }
}

/** Returns the last number for which `holds`, between one for which it does and a greater one for which it does not. */
export async function findLast(
  good: number,
  bad: number,
  holds: (number: number) => Promise<boolean>,
): Promise<number> {
  if (bad - good <= 1) return good;
  const middle = Math.floor((good + bad) / 2);
  return (await holds(middle))
    ? await findLast(middle, bad, holds)
    : await findLast(good, middle, holds);
}
