import { type Address, getAddress } from "viem";

import { HdpError } from "../../base/errors.js";
import type { DestinationChain } from "../../journal/journaled-data-processor.js";
import type { Finalization } from "../../processor/finalizer.js";
import type { TaskWord } from "../../request/lifecycle.js";
import { deployExecutionStoreMock, isMockStore } from "../../store/deploy-mock.js";
import { type ExecutionStore, openExecutionStore, storeAddress } from "../../store/execution-store.js";
import { knownStore } from "../../store/known-stores.js";
import { requireAuthentication } from "../../store/prove-batch.js";
import type { Session } from "../session.js";
import { codeHashAt, type DeployedStore, rememberedStore, rememberStore } from "./remembered-stores.js";
import type { ResultStore } from "./result-store.js";

/** An execution store in use on a connection. */
export interface StoreHandle {
  readonly address: Address;
  /** Whether this package deployed it: results can then be finalized by hand. */
  readonly mock: boolean;
}

export interface DeployStoreOptions {
  /** Deploy also where real value may be: on a chain that is no development chain. Default false. */
  readonly onLiveChain?: boolean | undefined;
  /** Accept proven results only. Default: whether `hdp.local.finalize` is "proven". */
  readonly authentic?: boolean | undefined;
}

/**
 * The execution stores of one connection: the configured one, or on development chains mocks deployed here.
 *
 * What was deployed is remembered, newest last, but believed only while the chain has that very code at that address:
 * after a revert to an earlier snapshot the latest store that still exists is used, or a new one is deployed.
 */
export class EvmStores implements ResultStore {
  readonly #session: Session;
  readonly #deployed: DeployedStore[] = [];
  readonly #opened = new Map<Address, ExecutionStore>();
  #deploying: Promise<StoreHandle> | undefined;

  public constructor(session: Session) {
    this.#session = session;
  }

  /** The chain the stores are on. */
  public get provider(): Session["provider"] {
    return this.#session.provider;
  }

  public async chain(): Promise<DestinationChain> {
    const [genesis, startsAnew] = await Promise.all([this.#session.genesisHash(), this.#session.isDevelopment()]);
    return { genesis, startsAnew };
  }

  /** The store in use, deploying a mock on a development chain that has none. */
  public async current(): Promise<StoreHandle> {
    return (await this.existing()) ?? (await this.#deployOnce());
  }

  /** The store in use, without deploying: undefined on a development chain that has none yet. */
  public async existing(): Promise<StoreHandle | undefined> {
    const alive = await this.#alive();
    if (alive !== undefined) return { address: alive.address, mock: true };
    const { address } = this.#session.config.executionStore;
    if (address !== undefined) {
      const configured = storeAddress(address);
      return { address: getAddress(configured), mock: await isMockStore(this.provider, configured) };
    }
    if (this.#session.isSimulated) return undefined;
    if (await this.#session.isDevelopment()) {
      const remembered = await rememberedStore(this.#session);
      return remembered && { address: remembered.address, mock: true };
    }
    const id = await this.#session.chainId();
    const known = knownStore(id);
    if (known !== undefined) return { address: known.address, mock: false };
    throw new HdpError({
      code: "HDP-6010",
      path: this.#session.configPath("executionStore.address"),
      message: `no execution store is known for chain ${id.toString()}.`,
      hints: [
        "Set the address in hardhat.config.ts, or give --store.",
        "A mock store for trials: npx hardhat hdp:deploy-store",
      ],
    });
  }

  /** Opens the store for reading. On a shared development node nothing is deployed just to be read. */
  public async openForReading(address?: string): Promise<ExecutionStore> {
    if (address !== undefined) return await this.#open(address);
    const store = this.#session.isSimulated ? await this.current() : await this.existing();
    if (store !== undefined) return await this.#openOnce(store);
    throw new HdpError({
      code: "HDP-6011",
      message: `no execution store is known on network "${this.#session.networkName}".`,
      hints: ["Give --store <address>, or set hdp.executionStore.address for the network in hardhat.config.ts."],
    });
  }

  /** A mock is known by its code whenever it is looked for, and what is no mock does not change its kind. */
  async #openOnce({ address, mock }: StoreHandle): Promise<ExecutionStore> {
    const known = this.#opened.get(address);
    if (known !== undefined) return known;
    const opened = await this.#open(address);
    if (mock || !(await this.#session.isDevelopment())) this.#opened.set(address, opened);
    return opened;
  }

  async #open(address: string): Promise<ExecutionStore> {
    const { provider, config } = this.#session;
    return await openExecutionStore({ provider, address, kind: config.executionStore.kind });
  }

  public async isMock({ address }: ExecutionStore): Promise<boolean> {
    return await isMockStore(this.provider, getAddress(address));
  }

  /** A mock to write to, or nothing yet on a development chain: only a mock takes results from an account. */
  public async requireWritable(): Promise<void> {
    const store = await this.existing();
    if (store === undefined || store.mock) return;
    // Says that there is no contract, or none of the kind, where that is so.
    await this.#open(store.address);
    throw new HdpError({
      code: "HDP-6024",
      path: this.#session.configPath("executionStore.address"),
      message: `the execution store ${store.address} on network "${this.#session.networkName}" is no mock: it takes proven results of the service only.`,
      hints: [
        "Configure the service as the network's dataProcessor, or deploy a mock: npx hardhat hdp:deploy-store.",
        "Nothing was sent.",
      ],
    });
  }

  /** Stores results in the store in use, with proofs or without as the network is configured. */
  public async finalize(results: readonly TaskWord[]): Promise<Finalization> {
    await this.requireWritable();
    const { address: store } = await this.current();
    const writable = { provider: this.provider, store, from: await this.operator() };
    const { finalizeResults } = await import("./finalize-results.js");
    return await finalizeResults(writable, results, this.#session.config.local.finalize);
  }

  /**
   * Deploys a mock and makes it the store in use. An authentic one accepts proven results only; that is the default
   * where results are configured to be proven.
   */
  public async deploy({ authentic, onLiveChain = false }: DeployStoreOptions = {}): Promise<StoreHandle> {
    if (!onLiveChain && !(await this.#session.isDevelopment())) throw await this.#liveChain();
    const { provider, config } = this.#session;
    const from = await this.operator();
    const deployed = await deployExecutionStoreMock({ provider, from });
    const address = getAddress(deployed.address);
    if (authentic ?? config.local.finalize === "proven") {
      await requireAuthentication({ provider, store: address, from });
    }
    this.#deployed.push({ address, codeHash: await codeHashAt(provider, address) });
    if (!this.#session.isSimulated && (await this.#session.isDevelopment())) await this.share();
    return { address, mock: true };
  }

  /** Lets other processes of the project find the store that was deployed last. */
  public async share(): Promise<void> {
    const store = await this.#alive();
    if (store !== undefined) await rememberStore(this.#session, store);
  }

  /**
   * The account that deploys stores and finalizes. In-process it is the last one, so that the nonces and balances of
   * the accounts that tests usually take first stay as they are without this plugin.
   */
  public async operator(): Promise<Address> {
    const accounts = (await this.#session.provider.request({ method: "eth_accounts" })) as Address[];
    const operator = this.#session.isSimulated ? accounts.at(-1) : accounts[0];
    if (operator !== undefined) return operator;
    throw new HdpError({
      code: "HDP-6012",
      path: `networks.${this.#session.networkName}.accounts`,
      message: `network "${this.#session.networkName}" has no account to send transactions from.`,
      hints: ["Add an account to the network in hardhat.config.ts."],
    });
  }

  async #liveChain(): Promise<HdpError> {
    const { networkName } = this.#session;
    return new HdpError({
      code: "HDP-6022",
      message: `network "${networkName}" is chain ${await this.#session.chainId()}, not a development chain: a mock execution store there costs gas, and anybody may mistake it for the real one.`,
      hints: [
        `To deploy it all the same: npx hardhat hdp:deploy-store --network ${networkName} --yes`,
        "or in code hdp.deployExecutionStore({ onLiveChain: true }). Nothing was sent.",
      ],
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
      if ((await codeHashAt(this.#session.provider, store.address)) === store.codeHash) return store;
    }
    return undefined;
  }
}
