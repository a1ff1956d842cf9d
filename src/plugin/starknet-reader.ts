import { limitedSignal } from "../base/clock.js";
import { HdpError } from "../errors/hdp-error.js";
import { shownJson } from "../base/json.js";
import { readTextStream, UnreadableError } from "../base/files.js";
import { createStarknetRpcReader, type StarknetReader } from "../chain/starknet-chain-reader.js";
import { chainIdentifierOf, findChainIdentifier } from "../request/chains.js";
import type { HdpConfig } from "./config/config-types.js";

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

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
      const limit = limitedSignal(timeouts.rpc, undefined);
      try {
        const answer = async (): Promise<string> => {
          const reply = await send(url, { method: "POST", headers, body, signal: limit.signal });
          return reply.body === null ? "" : await readTextStream(reply.body, MOST_ANSWER_BYTES);
        };
        return await resultOf(chain, method, answer, limit.expired);
      } finally {
        limit.release();
      }
    });
    readers.set(chainId, reader);
    return reader;
  };
}

/** Errors do not repeat the address: it may hold a key. */
async function resultOf(
  chain: string,
  method: string,
  ask: () => Promise<string>,
  isLate: () => boolean,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(await ask());
  } catch (error) {
    const isTimeout = isLate() || (error instanceof Error && error.name === "TimeoutError");
    if (error instanceof UnreadableError) throw refused(chain, method, `its answer: ${error.message}`);
    throw refused(chain, method, isTimeout ? "no answer in time" : "no answer in JSON");
  }
  if (typeof answer === "object" && answer !== null && "result" in answer) return answer.result;
  const { error } = typeof answer === "object" && answer !== null && "error" in answer ? answer : { error: answer };
  throw refused(chain, method, shownJson(error).slice(0, 200));
}

function refused(chain: string, method: string, reason: string): HdpError {
  return new HdpError({
    code: "HDP-4414",
    path: `hdp.starknet.${chain}.rpcUrl`,
    message: `the Starknet node refused ${method}: ${reason}`,
    hints: ["Check the address, and that the node has the block the module reads."],
  });
}
