import type { Address } from "viem";
import { size } from "viem/utils";

import { grouped } from "../../base/text.js";
import { codeAt } from "../../chain/node-rpc.js";
import { undefinedFor } from "../../errors/hdp-error.js";
import { isOperator, requiresAuthentication } from "../../store/finalize.js";
import type { ConnectedNetwork } from "../connected-network.js";
import { chosenProcessor } from "../processor-choice.js";
import type { EvmStores, StoreInUse } from "../stores/evm-stores.js";
import { type Check, type Found, green, red, yellow } from "./finding.js";

/** What the checks of an execution store ask. */
export interface StoreIo {
  /** Returns the store in use, without deploying one; undefined where the first use deploys a mock. */
  readonly existing: () => Promise<StoreInUse | undefined>;
  /** Returns the kind of the store in use. @throws HdpError HDP-3002, HDP-3003 where there is no store */
  readonly kind: () => Promise<string>;
  readonly published: () => Promise<Address | undefined>;
  readonly isDevelopment: () => Promise<boolean>;
  readonly operator: () => Promise<Address | undefined>;
  readonly isOperator: (store: Address, account: Address) => Promise<boolean>;
  /** Whether a service finalizes, and no account of the network. */
  readonly isOfService: () => Promise<boolean>;
  readonly codeBytes: (store: Address) => Promise<number>;
  /** Whether a mock accepts proven results only. */
  readonly requiresProof: (store: Address) => Promise<boolean>;
}

/** The checks of the store that results are read from, in order. */
export const STORE_CHECKS: readonly Check<StoreIo>[] = [
  { name: "contract", isNeeded: true, run: contract },
  { name: "origin", run: origin },
  { name: "roles", run: roles },
  { name: "code", run: code },
];

/** Returns what the checks ask of the stores of a network. */
export function storeIo(network: ConnectedNetwork, stores: EvmStores): StoreIo {
  const { provider } = network;
  return {
    existing: async () => await stores.existing(),
    kind: async () => (await stores.openForReading()).kind,
    published: async () => await stores.published(),
    isDevelopment: async () => await network.isDevelopment(),
    operator: async () => await stores.operator().catch(undefinedFor("HDP-3010")),
    isOperator: async (store, account) => await isOperator(provider, store, account),
    isOfService: async () => {
      const isDevelopment = async (): Promise<boolean> => await network.isDevelopment();
      return typeof (await chosenProcessor(network.config, isDevelopment)) === "object";
    },
    codeBytes: async (store) => size(await codeAt(provider, store)),
    requiresProof: async (store) => await requiresAuthentication(provider, store),
  };
}

async function contract({ existing, kind }: StoreIo): Promise<Found> {
  const store = await existing();
  if (store === undefined) return green("none yet: the first use deploys a mock");
  return green(`${await kind()} at ${store.address}`);
}

async function origin({ existing, published, isDevelopment }: StoreIo): Promise<Found | undefined> {
  const store = await existing();
  if (store === undefined) return undefined;
  const known = await published();
  if (!store.mock) return green(store.address === known ? "the published store" : "not a mock");
  if (await isDevelopment()) return green("a mock");
  const instead = known === undefined ? "a published store" : `the published store ${known}`;
  return yellow(
    "a mock on a live chain: its operators can finalize any value without a proof",
    `Only for trials: contracts that hold value read ${instead}.`,
  );
}

async function roles(io: StoreIo): Promise<Found | undefined> {
  const { existing, operator, isOperator: is, isOfService } = io;
  const store = await existing();
  if (store?.mock !== true) return undefined;
  if (await isOfService()) return green("the service finalizes: no account of this network has to");
  const account = await operator();
  const use = "hdp: { executionStore: { operator } }";
  if (account === undefined)
    return yellow("the network has no account that could finalize", `Name one: ${use}.`);
  if (await is(store.address, account)) return green(`${account} may finalize`);
  return red(
    `${account} may not finalize: it is not an operator`,
    `Name one that is (${use}), or let one add it: addOperators of hardhat-hdp/store.`,
  );
}

async function code({ existing, codeBytes, requiresProof }: StoreIo): Promise<Found | undefined> {
  const store = await existing();
  if (store === undefined) return undefined;
  const bytes = `${grouped(await codeBytes(store.address))} bytes`;
  return green(
    (await requiresProof(store.address)) ? `${bytes}; takes proven results only` : bytes,
  );
}
