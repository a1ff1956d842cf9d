import type { Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import type { DestinationChain } from "../../journal/journaled-data-processor.js";
import type { Finalization } from "../../submission/backend/finalizer.js";
import type { TaskWord } from "../../request/lifecycle.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { ExecutionStore } from "../../store/execution-store.js";
import { knownStarknetStore } from "../../store/known-stores.js";
import type { StarknetAccountOptions } from "../../store/starknet/account.js";
import { findOwnStarknetMock, isStarknetMock, ownStarknetMock, starknetChain } from "../../store/starknet/devnet.js";
import { finalizeTasksOnStarknet } from "../../store/starknet/finalize-on-starknet.js";
import { openStarknetExecutionStore } from "../../store/starknet/starknet-execution-store.js";
import type { StarknetConfig } from "../config/config-types.js";
import { configuredAccount } from "../starknet-mock.js";
import type { ResultStore } from "./result-store.js";

/** The stores of a session on Starknet, one for a chain: what one deployed is known to all who ask. */
export class StarknetStores {
  readonly #stores = new Map<ChainIdentifier, StarknetStore>();

  public on(destination: ChainIdentifier, config: StarknetConfig): ResultStore {
    const store = this.#stores.get(destination) ?? new StarknetStore(destination, config);
    this.#stores.set(destination, store);
    return store;
  }
}

/**
 * The execution store of one Starknet chain. Without a configured address it is the published store; with an account,
 * which only a devnet has, the account's own mock, which is deployed when the first result is to be kept and found again
 * by later processes.
 */
class StarknetStore implements ResultStore {
  readonly #destination: ChainIdentifier;
  readonly #config: StarknetConfig;
  #deployed: Promise<Hex> | undefined;

  public constructor(destination: ChainIdentifier, config: StarknetConfig) {
    this.#destination = destination;
    this.#config = config;
  }

  public async chain(): Promise<DestinationChain> {
    return await starknetChain(await this.#config.rpcUrl.getUrl());
  }

  public async openForReading(address?: string): Promise<ExecutionStore> {
    const { rpcUrl, entrypoint } = this.#config;
    const store = address ?? (await this.#existing());
    if (store === undefined) throw this.#noStore();
    return await openStarknetExecutionStore({ rpcUrl: await rpcUrl.getUrl(), address: store, entrypoint });
  }

  public async isMock({ address }: ExecutionStore): Promise<boolean> {
    return await isStarknetMock(await this.#config.rpcUrl.getUrl(), address);
  }

  public async requireWritable(): Promise<void> {
    await this.#account();
    const { startsAnew } = await this.chain();
    const existing = await this.#existing();
    if (existing === undefined) {
      if (!startsAnew) throw this.#liveChain();
      return;
    }
    // Says that there is no contract, or none of the kind, where that is so.
    const store = await this.openForReading();
    if (!(await this.isMock(store))) throw this.#noMock(store.address);
  }

  public async finalize(results: readonly TaskWord[]): Promise<Finalization> {
    const account = await this.#account();
    const store = (await this.#existing()) ?? (await this.#deployOnce(account));
    return await finalizeTasksOnStarknet({ ...account, address: store, results });
  }

  async #existing(): Promise<string | undefined> {
    const { executionStore, account } = this.#config;
    if (executionStore !== undefined) return executionStore;
    if (account === undefined) return knownStarknetStore(this.#destination);
    if (this.#deployed !== undefined) return await this.#deployed;
    return await findOwnStarknetMock({ rpcUrl: await this.#config.rpcUrl.getUrl(), accountAddress: account.address });
  }

  /** One deployment for all who wait; one that failed is tried again by the next. */
  async #deployOnce(account: StarknetAccountOptions): Promise<Hex> {
    this.#deployed ??= ownStarknetMock(account);
    try {
      return await this.#deployed;
    } catch (error) {
      this.#deployed = undefined;
      throw error;
    }
  }

  async #account(): Promise<StarknetAccountOptions> {
    const { rpcUrl, account } = this.#config;
    if (account === undefined) {
      throw new HdpError({
        code: "HDP-8010",
        path: `hdp.starknet.${this.#destination}.account`,
        message: `the local data processor has no account to finalize with on ${this.#destination}.`,
        hints: [
          'Give one of a devnet: account: { address: "0x…", privateKey: configVariable("STARKNET_PRIVATE_KEY") }.',
          "To keep results in the local mock on development networks instead, configure starknet under the networks",
          "that deliver there: networks.<name>.hdp.starknet.",
        ],
      });
    }
    return { rpcUrl: await rpcUrl.getUrl(), ...configuredAccount(account) };
  }

  /** A mock is deployed by itself only where it costs nothing. */
  #liveChain(): HdpError {
    return new HdpError({
      code: "HDP-8023",
      path: `hdp.starknet.${this.#destination}.executionStore`,
      message: `no execution store is known on ${this.#destination}, whose node is no devnet: no mock is deployed there by itself.`,
      hints: [
        "Deploy one, which costs fees: npx hardhat hdp:starknet:deploy-mock, and set its address.",
        "Nothing was sent.",
      ],
    });
  }

  #noMock(store: string): HdpError {
    return new HdpError({
      code: "HDP-8024",
      path: `hdp.starknet.${this.#destination}.executionStore`,
      message: `the execution store ${store} on ${this.#destination} is no mock: it takes proven results of the service only.`,
      hints: [
        "Configure the service as the network's dataProcessor, or deploy a mock: npx hardhat hdp:starknet:deploy-mock.",
        "Nothing was sent.",
      ],
    });
  }

  #noStore(): HdpError {
    const path = `hdp.starknet.${this.#destination}.executionStore`;
    return new HdpError({
      code: "HDP-8011",
      path,
      message: `no execution store is known on ${this.#destination}, and none was deployed yet.`,
      hints: ["Run a task, which deploys a mock, or deploy one with npx hardhat hdp:starknet:deploy-mock and set it."],
    });
  }
}
