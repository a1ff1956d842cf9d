import type { Hex } from "viem";

import { SECRETS } from "../../errors/secrets.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { TaskResult, TaskWord } from "../../request/task-result.js";
import { type ExecutionStore, KNOWN_STARKNET_STORES } from "../../store/execution-store.js";
import type { StarknetAccountParts } from "../../store/starknet/starknet-account.js";
import { finalizeTasksOnStarknet } from "../../store/starknet/finalize-on-starknet.js";
import {
  findOwnStarknetMock,
  isStarknetMock,
  ownStarknetMock,
  starknetTransactionBlock,
  starknetChain,
} from "../../store/starknet/mock.js";
import { openStarknetExecutionStore } from "../../store/starknet/starknet-execution-store.js";
import type { Finalization } from "../../submission/backend/finalizer.js";
import type { DestinationChain } from "../../submission/submissions.js";
import { type HdpConfig, SNCAST_ACCOUNTS, type StarknetConfig } from "../config/config.js";
import { parseDestination } from "../../request/chain-names.js";
import { type ResultStore, storedResults } from "./result-store.js";

const PRIVATE_KEY_VARIABLE = "HDP_STARKNET_PRIVATE_KEY";
const DEPLOY = "npx hardhat hdp starknet deploy-mock";

/** Choice of a command; missing parts come from `starknet` in the configuration. */
export interface MockAccountChoice {
  readonly rpcUrl: string | undefined;
  readonly account: string | undefined;
  readonly destination: string | undefined;
}

function missing(what: string, path: string): HdpError {
  const configured =
    "hdp: { starknet: { STARKNET_SEPOLIA: { rpcUrl, account: { address, privateKey } } } }";
  const example = `--rpc-url http://127.0.0.1:5050 --account 0x…, with the key in ${PRIVATE_KEY_VARIABLE}; or ${configured}`;
  return hdpError("HDP-6016", { what, example }, { path });
}

/** Returns the chosen account. @throws HdpError HDP-6016 where the node, the account or its key is missing */
export async function accountFor(
  { account, destination, ...choice }: MockAccountChoice,
  { starknet }: HdpConfig,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StarknetAccountParts> {
  const chain = destination === undefined ? undefined : parseDestination(destination);
  const [only, ...others] = Object.values(starknet).filter(
    (section) => section.account !== undefined,
  );
  const onlyOne = others.length === 0 ? only : undefined;
  const section = chain === undefined ? onlyOne : starknet[chain];
  const rpcUrl = choice.rpcUrl ?? (await section?.rpcUrl.getUrl());
  if (rpcUrl === undefined) throw missing("Starknet node", "--rpc-url");
  if (account === undefined) {
    if (section?.account === undefined) throw missing("account", "--account");
    return await configuredAccount(section.account, rpcUrl, chain);
  }
  if (!account.startsWith("0x")) {
    return await configuredAccount({ name: account, accountsFile: SNCAST_ACCOUNTS }, rpcUrl, chain);
  }
  // A configured key belongs to the configured account, not to another named one.
  const key = environment[PRIVATE_KEY_VARIABLE];
  if (key === undefined) throw missing("key of the account", PRIVATE_KEY_VARIABLE);
  return { rpcUrl, accountAddress: account, privateKey: () => SECRETS.learn(key) };
}

/** Returns the account of the configuration. Keys are read to sign, those of a named account with the account. */
async function configuredAccount(
  account: NonNullable<StarknetConfig["account"]>,
  rpcUrl: string,
  chain: ChainIdentifier = "STARKNET_SEPOLIA",
): Promise<StarknetAccountParts> {
  if ("name" in account) {
    const { namedAccount } = await import("../../store/starknet/keystore.js");
    const network = chain === "STARKNET_MAINNET" ? "alpha-mainnet" : "alpha-sepolia";
    const found = await namedAccount(account.name, { rpcUrl, file: account.accountsFile, network });
    return {
      rpcUrl,
      accountAddress: found.address,
      privateKey: () => SECRETS.learn(found.privateKey),
    };
  }
  const { address, privateKey, signer, guardianKey } = account;
  return {
    rpcUrl,
    accountAddress: address,
    privateKey: async () => SECRETS.learn(await privateKey.get()),
    signer,
    guardianKey: guardianKey && (async () => SECRETS.learn(await guardianKey.get())),
  };
}

/** Returns the configured chains whose results go to the mock of an account from now on. */
export async function findMockChains(
  { rpcUrl, accountAddress }: StarknetAccountParts,
  { starknet }: HdpConfig,
): Promise<readonly string[]> {
  const chains: string[] = [];
  for (const [chain, { account, executionStore, rpcUrl: configured }] of Object.entries(starknet)) {
    if (account === undefined || executionStore !== undefined) continue;
    if ((await configured.getUrl()) !== rpcUrl) continue;
    const own = await configuredAccount(account, rpcUrl, parseDestination(chain));
    if (BigInt(own.accountAddress) === BigInt(accountAddress)) chains.push(chain);
  }
  return chains;
}

/** The stores of a session on Starknet, one for each chain, so that all callers find a deployed mock. */
export class StarknetStores {
  readonly #stores = new Map<ChainIdentifier, StarknetStore>();

  public on(destination: ChainIdentifier, config: StarknetConfig): ResultStore {
    const store = this.#stores.get(destination) ?? new StarknetStore(destination, config);
    this.#stores.set(destination, store);
    return store;
  }
}

/**
 * The execution store of one Starknet chain: the configured one; without an account, the published one; with an
 * account, a mock of its own, which is deployed on a devnet with the first result and found again by later processes.
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
    return await starknetChain(await this.#rpcUrl());
  }

  public async transactionBlock(transactionHash: Hex): Promise<bigint | undefined> {
    return await starknetTransactionBlock(await this.#rpcUrl(), transactionHash);
  }

  public async openForReading(address?: string): Promise<ExecutionStore> {
    const store = address ?? (await this.#existing());
    if (store === undefined) throw this.#unknownStore();
    const { entrypoint } = this.#config;
    return await openStarknetExecutionStore({
      rpcUrl: await this.#rpcUrl(),
      address: store,
      entrypoint,
    });
  }

  public async isMock({ address }: ExecutionStore): Promise<boolean> {
    return await isStarknetMock(await this.#rpcUrl(), address);
  }

  public async requireWritable(): Promise<void> {
    await this.#account();
    const { startsAnew } = await this.chain();
    if ((await this.#existing()) === undefined) {
      // A mock is deployed automatically only on a chain where deploying is free.
      if (!startsAnew) throw this.#unknownStore();
      return;
    }
    const store = await this.openForReading();
    if (await this.isMock(store)) return;
    const values = { store: store.address, chain: this.#destination, command: DEPLOY };
    throw hdpError("HDP-6024", values, this.#at("executionStore"));
  }

  public async finalize(results: readonly TaskWord[]): Promise<Finalization> {
    const account = await this.#account();
    const store = (await this.#existing()) ?? (await this.#deployOnce(account));
    return await finalizeTasksOnStarknet({ ...account, address: store, results });
  }

  public async finalizeChosen(results: readonly TaskWord[]): Promise<readonly TaskResult[]> {
    await this.requireWritable();
    return storedResults(results, await this.finalize(results));
  }

  async #rpcUrl(): Promise<string> {
    return await this.#config.rpcUrl.getUrl();
  }

  async #existing(): Promise<string | undefined> {
    const { executionStore, account } = this.#config;
    if (executionStore !== undefined) return executionStore;
    if (account === undefined) return KNOWN_STARKNET_STORES[this.#destination];
    if (this.#deployed !== undefined) return await this.#deployed;
    return await findOwnStarknetMock(await this.#account());
  }

  /**
   * Returns the account's mock, deploying the first one. Concurrent callers share a deployment. After a failure the next
   * caller tries again.
   */
  async #deployOnce(account: StarknetAccountParts): Promise<Hex> {
    this.#deployed ??= ownStarknetMock(account);
    try {
      return await this.#deployed;
    } catch (error) {
      this.#deployed = undefined;
      throw error;
    }
  }

  async #account(): Promise<StarknetAccountParts> {
    const { account } = this.#config;
    if (account === undefined)
      throw hdpError("HDP-8010", { chain: this.#destination }, this.#at("account"));
    return await configuredAccount(account, await this.#rpcUrl(), this.#destination);
  }

  #unknownStore(): Error {
    const values = { place: this.#destination, command: DEPLOY };
    const hints = ["On a devnet, the first task that is run deploys one. Nothing was sent."];
    return hdpError("HDP-6010", values, { ...this.#at("executionStore"), hints });
  }

  #at(setting: keyof StarknetConfig): { readonly path: string } {
    return { path: `hdp.starknet.${this.#destination}.${setting}` };
  }
}
