import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { HdpError } from "../base/errors.js";
import type { Finalization } from "../processor/finalizer.js";
import type { TaskWord } from "../request/lifecycle.js";
import { deployExecutionStoreMock } from "../store/deploy-mock.js";
import { type ExecutionStore, openExecutionStore } from "../store/execution-store.js";
import { knownStore } from "../store/known-stores.js";
import { requireAuthentication } from "../store/prove-batch.js";
import type { DestinationStore } from "./destination-store.js";
import { chainId, isDevelopment, isSimulated } from "./development.js";
import type { DeployStoreOptions, StoreHandle } from "./types.js";

interface DeployedStore {
  readonly address: Address;
  readonly code: Hex;
}

/**
 * The execution stores of one connection: the configured one, or on development chains mocks deployed here.
 *
 * What was deployed is remembered, newest last, but believed only while the chain has that very code at that address:
 * after a revert to an earlier snapshot the latest store that still exists is used, or a new one is deployed.
 */
export class ConnectionStores implements DestinationStore {
  readonly #connection: NetworkConnection<string>;
  readonly #deployed: DeployedStore[] = [];
  #deploying: Promise<StoreHandle> | undefined;

  private constructor(connection: NetworkConnection<string>) {
    this.#connection = connection;
  }

  static readonly #all = new WeakMap<NetworkConnection<string>, ConnectionStores>();

  /** The stores of a connection, one object a connection, also when reached from another connection. */
  public static of(connection: NetworkConnection<string>): ConnectionStores {
    const known = this.#all.get(connection);
    if (known !== undefined) return known;
    const stores = new ConnectionStores(connection);
    this.#all.set(connection, stores);
    return stores;
  }

  /** The chain the stores are on. */
  public get provider(): NetworkConnection<string>["provider"] {
    return this.#connection.provider;
  }

  /** The store in use, deploying a mock on a development chain that has none. */
  public async current(): Promise<StoreHandle> {
    return (await this.existing()) ?? (await this.#deployOnce());
  }

  /** The store in use, without deploying: undefined on a development chain that has none yet. */
  public async existing(): Promise<StoreHandle | undefined> {
    const alive = await this.#alive();
    if (alive !== undefined) return { address: alive.address, mock: true };
    const { address } = this.#connection.networkConfig.hdp.executionStore;
    if (address !== undefined) return { address: address as Address, mock: false };
    if (await isDevelopment(this.#connection)) return undefined;
    const id = await chainId(this.#connection);
    const known = knownStore(id);
    if (known !== undefined) return { address: known.address, mock: false };
    throw new HdpError({
      code: "HDP-6010",
      path: `networks.${this.#connection.networkName}.hdp.executionStore.address`,
      message: `no execution store is known for chain ${id.toString()}.`,
      hints: [
        "Set the address in hardhat.config.ts, or give --store.",
        "A mock store for trials: npx hardhat hdp:deploy-store",
      ],
    });
  }

  /** Opens the store for reading. On a shared development node nothing is deployed just to be read. */
  public async openForReading(address?: string): Promise<ExecutionStore> {
    const { provider, networkName } = this.#connection;
    const store = address ?? (isSimulated(this.#connection) ? await this.current() : await this.existing());
    if (store === undefined) {
      throw new HdpError({
        code: "HDP-6011",
        message: `no execution store is known on network "${networkName}".`,
        hints: ["Give --store <address>, or set hdp.executionStore.address for the network in hardhat.config.ts."],
      });
    }
    return await openExecutionStore({
      provider,
      address: typeof store === "string" ? store : store.address,
      kind: this.#connection.networkConfig.hdp.executionStore.kind,
    });
  }

  /** Stores results in the store in use, with proofs or without as the network is configured. */
  public async finalize(results: readonly TaskWord[]): Promise<Finalization> {
    const { finalizeInStore } = await import("./store-sink.js");
    return await finalizeInStore(this, results, this.#connection.networkConfig.hdp.local.finalize);
  }

  /**
   * Deploys a mock and makes it the store in use. An authentic one accepts proven results only; that is the default
   * where results are configured to be proven.
   */
  public async deploy({ authentic }: DeployStoreOptions = {}): Promise<StoreHandle> {
    const { provider, networkConfig } = this.#connection;
    const from = await this.operator();
    const { address } = await deployExecutionStoreMock({ provider, from });
    if (authentic ?? networkConfig.hdp.local.finalize === "proven") {
      await requireAuthentication({ provider, store: address, from });
    }
    this.#deployed.push({ address, code: await this.#codeAt(address) });
    return { address, mock: true };
  }

  /**
   * The account that deploys stores and finalizes. In-process it is the last one, so that the nonces and balances of
   * the accounts that tests usually take first stay as they are without this plugin.
   */
  public async operator(): Promise<Address> {
    const accounts = (await this.#connection.provider.request({ method: "eth_accounts" })) as Address[];
    const operator = isSimulated(this.#connection) ? accounts.at(-1) : accounts[0];
    if (operator !== undefined) return operator;
    throw new HdpError({
      code: "HDP-6012",
      path: `networks.${this.#connection.networkName}.accounts`,
      message: `network "${this.#connection.networkName}" has no account to send transactions from.`,
      hints: ["Add an account to the network in hardhat.config.ts."],
    });
  }

  async #deployOnce(): Promise<StoreHandle> {
    this.#deploying ??= this.deploy().finally(() => {
      this.#deploying = undefined;
    });
    return await this.#deploying;
  }

  async #alive(): Promise<DeployedStore | undefined> {
    for (const store of [...this.#deployed].reverse()) {
      if ((await this.#codeAt(store.address)) === store.code) return store;
    }
    return undefined;
  }

  async #codeAt(address: Address): Promise<Hex> {
    return (await this.#connection.provider.request({ method: "eth_getCode", params: [address, "latest"] })) as Hex;
  }
}
