import { HdpError } from "../base/errors.js";
import { createStarknetRpcReader, type StarknetReader } from "../chain/starknet-chain-reader.js";
import { chainIdentifierOf, findChainIdentifier } from "../request/chains.js";
import type { HdpConfig } from "./config/config-types.js";

/** Answers readers of Starknet chains by `hdp.starknet.<chain>.rpcUrl`; undefined for a chain that is not configured. */
export function starknetReaders(
  { starknet, timeouts }: Pick<HdpConfig, "starknet" | "timeouts">,
  send: typeof fetch = fetch,
): (chainId: bigint) => Promise<StarknetReader | undefined> {
  const readers = new Map<bigint, StarknetReader>();
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
      const signal = AbortSignal.timeout(timeouts.request);
      return await resultOf(chain, method, async () => await send(url, { method: "POST", headers, body, signal }));
    });
    readers.set(chainId, reader);
    return reader;
  };
}

/** Errors do not repeat the address: it may hold a key. */
async function resultOf(chain: string, method: string, ask: () => Promise<Response>): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await (await ask()).json();
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    throw refused(chain, method, isTimeout ? "no answer in time" : "no answer in JSON");
  }
  if (typeof answer === "object" && answer !== null && "result" in answer) return answer.result;
  const { error } = typeof answer === "object" && answer !== null && "error" in answer ? answer : { error: answer };
  throw refused(chain, method, JSON.stringify(error).slice(0, 200));
}

function refused(chain: string, method: string, reason: string): HdpError {
  return new HdpError({
    code: "HDP-4414",
    path: `hdp.starknet.${chain}.rpcUrl`,
    message: `the Starknet node refused ${method}: ${reason}`,
    hints: ["Check the address, and that the node has the block the module reads."],
  });
}
