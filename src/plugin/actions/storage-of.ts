import type { Hex } from "viem";

import { lowerCase, requireAddress } from "../../base/hex.js";
import { jsonText } from "../../base/json.js";
import { notAllowed } from "../../errors/hdp-error.js";
import { askNode, type Eip1193Provider } from "../../base/rpc.js";
import { asInteger } from "../../chain/node-rpc.js";
import { DEFAULT_CHAIN } from "../../request/builder.js";
import type { StorageProperty } from "../../request/sampled-property.js";
import { ChainSources } from "../chain-sources.js";
import type { Scope } from "../session.js";
import { parseChain } from "../../request/chain-names.js";
import { slotIn, type StorageKey } from "../storage/layout.js";
import { readLayout } from "../storage/read-layout.js";
import { findTokenBalance } from "../storage/token-balance.js";

/** Options of `hdp.erc20Balance`. */
export interface TokenBalanceOptions {
  /** Chain identifier or alias of the token's chain. Default: the chain of a datalake that names none. */
  readonly chain?: string | undefined;
  /** Block at which the slot is compared with `balanceOf`. Default: the latest. */
  readonly block?: bigint | number | undefined;
}

export type { StorageKey } from "../storage/layout.js";

/** The member of `hdp` that finds storage slots. */
export interface StorageActions {
  /**
   * Returns the storage slot of a contract's variable, from the compiler's storage layout. `keys` are keys of mappings,
   * names of struct members and indices of arrays. Use it with `storage(address, slot)`.
   *
   * @throws HdpError HDP-6125 without a layout, HDP-6126 for a value without a slot of its own
   * @example storage(vault.address, await hdp.storageOf("Vault", "accounts", holder, "balance"))
   */
  readonly storageOf: (
    contract: string,
    variable: string,
    ...keys: readonly StorageKey[]
  ) => Promise<Hex>;
  /**
   * Returns the property of a holder's balance of an ERC-20 token, to sample with `blockSampled`. Finds the slot, and
   * compares what it holds with the token's `balanceOf` at one block. Knows the layouts of OpenZeppelin, Solmate, Solady
   * and Vyper, behind proxies too; finds others where the node makes access lists.
   *
   * @throws HdpError HDP-6127 where no slot is found, HDP-6128 where the slot holds something else than the balance
   * @example blockSampled({ from, to, property: await hdp.erc20Balance(token.address, holder) }).min()
   */
  readonly erc20Balance: (
    token: string,
    holder: string,
    options?: TokenBalanceOptions,
  ) => Promise<StorageProperty>;
}

/** Returns the actions over a connection and its project. */
export function storageActions({ project, session }: Scope): StorageActions {
  return {
    storageOf: async (contract, variable, ...keys) => {
      requireText(contract, "contract");
      requireText(variable, "variable");
      const { contractName, layout } = await readLayout(project.artifacts, contract);
      return slotIn(layout, `${contractName}.${variable}`, variable, keys);
    },
    erc20Balance: async (token, holder, { chain = DEFAULT_CHAIN, block } = {}) => {
      const provider = await (
        await session()
      )
        .part(ChainSources)
        .providerFor(parseChain(chain, "chain"));
      return await findTokenBalance({
        provider,
        token: lowerCase(requireAddress(token, "token")),
        holder: lowerCase(requireAddress(holder, "holder")),
        block: block === undefined ? await latestBlock(provider) : BigInt(block),
      });
    },
  };
}

/** @throws HdpError HDP-6003 for a value that is no text, which JavaScript may give */
function requireText(value: unknown, path: string): void {
  if (typeof value === "string") return;
  const allowed = 'await hdp.storageOf("Vault", "accounts", holder, "balance")';
  throw notAllowed(jsonText(value), `the name of a ${path}`, { path, allowed });
}

async function latestBlock(provider: Eip1193Provider): Promise<bigint> {
  return asInteger(await askNode(provider, "eth_blockNumber"), "eth_blockNumber", "result");
}
