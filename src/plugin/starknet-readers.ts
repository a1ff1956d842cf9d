import { httpReads } from "../base/http-reads.js";
import type { BoundedProvider } from "../base/node-reads.js";
import { providerSentence } from "../base/rpc.js";
import type { StarknetReader } from "../chain/chain-reader.js";
import { createStarknetRpcReader } from "../chain/starknet-chain-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { learnAddress } from "../errors/secrets.js";
import { type ChainIdentifier, identifyChain, findChainIdentifier } from "../request/chains.js";
import type { HdpConfig } from "./config/config.js";

/** The part of a configuration that says where Starknet chains are read. */
export interface StarknetNodes {
  readonly starknet: HdpConfig["starknet"];
  readonly timeouts: { readonly rpc: number };
}

/**
 * Returns a function that opens a run's reader of a Starknet chain, by `hdp.starknet.<chain>.rpcUrl`; undefined for a chain
 * that is not configured. Runs share the limit on a node's reads.
 */
export function starknetReaders({
  starknet,
  timeouts,
}: StarknetNodes): (chainId: bigint) => Promise<StarknetReader | undefined> {
  const nodes = new Map<ChainIdentifier, BoundedProvider>();
  return async (chainId) => {
    const chain = identifyChain(chainId);
    const [, config] =
      Object.entries(starknet).find(([name]) => findChainIdentifier(name) === chain) ?? [];
    if (chain === undefined || config === undefined) return undefined;
    const url = learnAddress(await config.rpcUrl.getUrl());
    const node =
      nodes.get(chain) ??
      httpReads({
        url: async () => await Promise.resolve(url),
        timeout: timeouts.rpc,
        hasNamedParams: true,
      });
    nodes.set(chain, node);
    return createStarknetRpcReader(async (method, params) => {
      try {
        return await node.request({ method, params: [params] });
      } catch (error) {
        throw nodeFailure(method, error, chain);
      }
    });
  };
}

function nodeFailure(call: string, cause: unknown, chain: ChainIdentifier): HdpError {
  const hints = ["Check the address, and that the node has the block that the module reads."];
  const values = { call, reason: providerSentence(cause), whose: undefined };
  return hdpError("HDP-4103", values, { path: `hdp.starknet.${chain}.rpcUrl`, hints });
}
