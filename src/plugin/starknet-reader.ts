import { isRecord } from "../base/collections.js";
import { shownJson } from "../base/json.js";
import { providerSentence } from "../base/rpc.js";
import { createStarknetRpcReader, type StarknetReader } from "../chain/starknet-chain-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { chainIdentifierOf, findChainIdentifier } from "../request/chains.js";
import { boundedFetch } from "../store/starknet/starknet-js.js";
import type { HdpConfig } from "./config/config-types.js";

/** Returns readers of Starknet chains by `hdp.starknet.<chain>.rpcUrl`; undefined for a chain that is not configured. */
export function starknetReaders(
  { starknet, timeouts }: Pick<HdpConfig, "starknet" | "timeouts">,
  send: typeof fetch = fetch,
): (chainId: bigint) => Promise<StarknetReader | undefined> {
  const readers = new Map<bigint, StarknetReader>();
  const bounded = boundedFetch({ timeout: timeouts.rpc }, send);
  return async (chainId) => {
    const known = readers.get(chainId);
    if (known !== undefined) return known;
    const chain = chainIdentifierOf(chainId);
    const [, config] = Object.entries(starknet).find(([name]) => findChainIdentifier(name) === chain) ?? [];
    if (chain === undefined || config === undefined) return undefined;
    const url = await config.rpcUrl.getUrl();
    const reader = createStarknetRpcReader(async (method, params) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      const failed = (error: unknown): HdpError => {
        const hints = ["Check the address, and that the node has the block that the module reads."];
        const path = `hdp.starknet.${chain}.rpcUrl`;
        return hdpError("HDP-3006", { method, reason: providerSentence(error) }, { path, hints });
      };
      let answer: unknown;
      try {
        answer = await (await bounded(url, { method: "POST", headers, body })).json();
      } catch (error) {
        throw failed(error instanceof SyntaxError ? "the answer is not JSON" : error);
      }
      if (isRecord(answer) && "result" in answer) return answer["result"];
      throw failed(shownJson(isRecord(answer) && "error" in answer ? answer["error"] : answer));
    });
    readers.set(chainId, reader);
    return reader;
  };
}
