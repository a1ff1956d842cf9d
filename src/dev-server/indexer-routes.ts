import { undefinedFor } from "../errors/hdp-error.js";
import type { Eip1193Provider } from "../base/rpc.js";
import {
  CHAIN_IDENTIFIERS,
  type ChainIdentifier,
  numericChainId,
  isStarknet,
} from "../request/chains.js";
import { RESULT_CHAINS } from "../request/satellites.js";
import { blockRangesSchema } from "../service/indexer.js";
import { jsonReply, publishedRoutes, type Reply, type Route } from "./route.js";

type ProviderFor = (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;

/** Returns the route of the indexer: here all blocks of the chains with a node are in accumulators of every destination. */
export function indexerRoutes(providerFor: ProviderFor): readonly Route[] {
  return publishedRoutes({
    "GET /block-ranges/get-all-ranges-accumulated-per-chain": {
      summary: "What accumulators hold, by source chain and by the chain that has them",
      reply: blockRangesSchema,
      handle: async () => await ranges(providerFor),
    },
  });
}

async function ranges(providerFor: ProviderFor): Promise<Reply> {
  const sources = CHAIN_IDENTIFIERS.filter((chain) => !isStarknet(chain));
  const rows = await Promise.all(
    sources.map(async (source) => {
      const head = await readHead(source, providerFor).catch(undefinedFor());
      return head === undefined
        ? []
        : [[numericChainId(source).toString(), heldUpTo(head)] as const];
    }),
  );
  return jsonReply(Object.fromEntries(rows.flat()));
}

async function readHead(chain: ChainIdentifier, providerFor: ProviderFor): Promise<number> {
  const provider = await providerFor(chain);
  return Number(await provider.request({ method: "eth_blockNumber" }));
}

function heldUpTo(head: number): object {
  const held = { keccak: [], poseidon: [[0, head]] };
  return Object.fromEntries(RESULT_CHAINS.map((chain) => [numericChainId(chain).toString(), held]));
}
