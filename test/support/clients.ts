import type { Eip1193Provider } from "../../src/base/rpc.js";
import { startAnvil } from "./anvil.js";
import { findFoundry } from "./foundry.js";
import { hasGeth, startGeth } from "./geth.js";

export interface RunningClient {
  /** Undefined where the chain is in the process of the test. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

/** An Ethereum client as a parameter of a test. */
export interface Client {
  readonly name: string;
  /** Why it can't be run here; undefined where it can. */
  readonly missing: () => string | undefined;
  readonly start: () => Promise<RunningClient>;
  readonly mine: (provider: Eip1193Provider, blocks: number) => Promise<void>;
}

const evmMine: Client["mine"] = async (provider, blocks) => {
  for (let mined = 0; mined < blocks; mined += 1) await provider.request({ method: "evm_mine" });
};

export const CLIENTS: readonly Client[] = [
  {
    name: "the chain in the process",
    missing: () => undefined,
    start: async () =>
      await Promise.resolve({ url: undefined, stop: async () => await Promise.resolve() }),
    mine: evmMine,
  },
  {
    name: "anvil",
    missing: () => {
      const found = findFoundry("anvil");
      return typeof found === "string" ? found : undefined;
    },
    start: async () => await startAnvil(),
    mine: evmMine,
  },
  {
    name: "geth --dev",
    missing: () => (hasGeth() ? undefined : "no geth on this machine"),
    start: async () => await startGeth(),
    mine: async (provider, blocks) => {
      for (let sent = 0; sent < blocks; sent += 1)
        await send(provider, { to: `0x${"aa".repeat(20)}`, value: "0x1" });
    },
  },
];

interface Mined {
  readonly blockNumber: bigint;
  readonly contractAddress: `0x${string}`;
}

/** Sends a transaction from the node's first account, with which a node that mines for transactions mines a block. */
export async function send(provider: Eip1193Provider, transaction: object): Promise<Mined> {
  const [from] = (await provider.request({ method: "eth_accounts" })) as readonly string[];
  const hash = await provider.request({
    method: "eth_sendTransaction",
    params: [{ from, ...transaction }],
  });
  for (;;) {
    // geth fails while it indexes its first transactions.
    const receipt = await provider
      .request({ method: "eth_getTransactionReceipt", params: [hash] })
      .catch(() => null);
    if (receipt === null || receipt === undefined) continue;
    const { blockNumber, contractAddress } = receipt as Record<string, string>;
    return {
      blockNumber: BigInt(blockNumber ?? ""),
      contractAddress: (contractAddress ?? "0x") as `0x${string}`,
    };
  }
}
