import { isRecord } from "../base/collections.js";
import { shownJson } from "../base/json.js";
import { providerSentence } from "../base/rpc.js";
import type { StarknetReader } from "../chain/chain-reader.js";
import { createStarknetRpcReader, type StarknetRequest } from "../chain/starknet-chain-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { learnAddress } from "../errors/secrets.js";
import { type ChainIdentifier, chainIdentifierOf, findChainIdentifier } from "../request/chains.js";
import { boundedFetch } from "../store/starknet/starknet-js.js";
import type { HdpConfig } from "./config/config.js";

/** The part of a configuration that says where Starknet chains are read. */
export interface StarknetNodes {
  readonly starknet: HdpConfig["starknet"];
  readonly timeouts: { readonly rpc: number };
}

/** Returns readers of Starknet chains by `hdp.starknet.<chain>.rpcUrl`; undefined for a chain that is not configured. */
export function starknetReaders(
  { starknet, timeouts }: StarknetNodes,
  send: typeof fetch = fetch,
): (chainId: bigint) => Promise<StarknetReader | undefined> {
  const readers = new Map<bigint, StarknetReader>();
  const bounded = boundedFetch({ timeout: timeouts.rpc }, send);
  return async (chainId) => {
    const known = readers.get(chainId);
    if (known !== undefined) return known;
    const chain = chainIdentifierOf(chainId);
    const [, config] =
      Object.entries(starknet).find(([name]) => findChainIdentifier(name) === chain) ?? [];
    if (chain === undefined || config === undefined) return undefined;
    const url = learnAddress(await config.rpcUrl.getUrl());
    const reader = createStarknetRpcReader(nodeCall(bounded, url, chain));
    readers.set(chainId, reader);
    return reader;
  };
}

/** Returns a function that calls a node's JSON-RPC methods. @throws HdpError HDP-4103 */
function nodeCall(send: typeof fetch, url: string, chain: ChainIdentifier): StarknetRequest {
  return async (method, params) => {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    };
    let answer: unknown;
    try {
      answer = await (await send(url, request)).json();
    } catch (error) {
      const reason = error instanceof SyntaxError ? "the answer is not JSON" : error;
      throw nodeFailure(method, reason, chain);
    }
    if (isRecord(answer) && "result" in answer) return answer["result"];
    const said = isRecord(answer) && "error" in answer ? answer["error"] : answer;
    throw nodeFailure(method, shownJson(said), chain);
  };
}

function nodeFailure(call: string, reason: unknown, chain: ChainIdentifier): HdpError {
  const hints = ["Check the address, and that the node has the block that the module reads."];
  const values = { call, reason: providerSentence(reason), whose: undefined };
  return hdpError("HDP-4103", values, { path: `hdp.starknet.${chain}.rpcUrl`, hints });
}
