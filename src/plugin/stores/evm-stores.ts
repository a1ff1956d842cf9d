import type { Address, Hex } from "viem";

import { requireAddress } from "../../base/hex.js";
import { bigIntField, codeAt, rpcObject } from "../../chain/node-rpc.js";
import { askNode } from "../../base/rpc.js";
import { hdpError, notAllowed, suggested, undefinedFor } from "../../errors/hdp-error.js";
import type { TaskResult, TaskWord } from "../../request/task-result.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  isMockStore,
  requiresAuthentication,
} from "../../store/finalize.js";
import type { ExecutionStore, MockKind, StoreKind } from "../../store/execution-store.js";
import { KNOWN_STORES } from "../../store/execution-store.js";
import { type Finalization, finalizeResults } from "../../submission/backend/finalizer.js";
import type { DestinationChain } from "../../submission/submissions.js";
import { unknownStore } from "../chain-before.js";
import type { Session } from "../session.js";
import { warn } from "../warn.js";
import {
  deployAlone,
  hashOfCode,
  projectSubmissions,
  rememberedStore,
  rememberStore,
} from "../project-database.js";
import { rememberDeployed } from "./deployed-here.js";
import { mockOfIgnition } from "./ignition-deployments.js";
import { notMock, openStore, type ResultStore, storedResults } from "./result-store.js";
import { showMockInTraces } from "./shipped-artifacts.js";

/** The execution store that a connection uses. */
export interface StoreInUse {
  readonly address: Address;
  /** Whether it is a mock: any result can then be finalized. */
  readonly mock: boolean;
}

/** Options of `hdp.deployExecutionStore`. */
export interface DeployStoreOptions {
  /**
   * Kind that the mock stands for: contracts read it by the function names of that kind only. Default:
   * `hdp.executionStore.kind`, or the kind of the chain's published store, or "satellite". "satellite-develop" proves
   * like the satellite's development branch.
   */
  readonly kind?: MockKind | undefined;
  /** Deployer, owner, operator. Default: `hdp.executionStore.operator`, in-process the last account, else the first. */
  readonly operator?: Address | undefined;
  /** More accounts that may finalize. Add later ones with `addOperators` of `hardhat-hdp/store`. */
  readonly operators?: readonly Address[] | undefined;
  /** Deploy also on a chain that is not a development chain, where transactions may cost real value. Default false. */
  readonly onLiveChain?: boolean | undefined;
  /** Accept proven results only. Default: true if `hdp.local.finalize` is "proven". */
  readonly authentic?: boolean | undefined;
}

/** A store that was deployed in this process. Comparing codes takes a hundredth of the time of hashing them. */
type StoreOfThisProcess = Readonly<{ address: Address; operator: Address; code: Hex }>;

/** A store in use, with its operator where it is known in this process. */
interface WritableStoreInUse extends StoreInUse {
  readonly operator?: Address;
}

/**
 * The execution stores of one connection: the configured one, or on development chains mocks deployed by this project.
 * Deployed stores are kept, newest last, and used while the chain has their code: after a revert to an earlier
 * snapshot, the latest that still exists is used, or a new one is deployed.
 */
export class EvmStores implements ResultStore {
  readonly #session: Session;
  #deployed: readonly StoreOfThisProcess[] = [];
  readonly #opened = new Map<Address, ExecutionStore>();
  #deploying: Promise<StoreInUse> | undefined;
  #compared = false;
  /** Whether stack traces get the mock's sources, which takes some 30 ms. */
  public hasTraces = true;

  public constructor(session: Session) {
    this.#session = session;
  }

  public get provider(): Session["provider"] {
    return this.#session.provider;
  }

  public async chain(): Promise<DestinationChain> {
    const [genesis, startsAnew] = await Promise.all([
      this.#session.genesisHash(),
      this.#session.isDevelopment(),
    ]);
    return { genesis, startsAnew };
  }

  public async head(): Promise<bigint> {
    return await this.#session.head();
  }

  public async transactionBlock(transactionHash: Hex): Promise<bigint | undefined> {
    const receipt = await askNode(this.provider, "eth_getTransactionReceipt", [transactionHash]);
    return receipt === null
      ? undefined
      : bigIntField(rpcObject(receipt, "the receipt"), "blockNumber");
  }

  /** Returns the store in use, deploying a mock on a development chain that has none. */
  public async current(): Promise<StoreInUse> {
    const existing = await this.existing();
    if (existing !== undefined) return existing;
    this.#deploying ??= this.#deployFirst().finally(() => (this.#deploying = undefined));
    return await this.#deploying;
  }

  /** Returns the store in use without deploying; undefined on a development chain that has none yet. */
  public async existing(): Promise<StoreInUse | undefined> {
    const found = await this.#look();
    return found && { address: found.address, mock: found.mock };
  }

  async #look(): Promise<WritableStoreInUse | undefined> {
    const alive = await this.#alive();
    if (alive !== undefined)
      return { address: alive.address, mock: true, operator: alive.operator };
    const { address } = this.#session.config.executionStore;
    if (address !== undefined) return await this.#described(requireAddress(address));
    if (this.#session.isSimulated) return undefined;
    const remembered = await rememberedStore(this.#session);
    const published = await this.published();
    if (published === undefined && (await this.#session.isDevelopment()))
      return await this.#onNode(await this.#ofConfiguredKind(remembered));
    if (remembered !== undefined) return await this.#described(remembered);
    if (published !== undefined) return { address: published, mock: false };
    throw await unknownStore(this.#session);
  }

  /** Returns a remembered mock; undefined where the configuration names another kind, of which there is none yet. */
  async #ofConfiguredKind(remembered: Address | undefined): Promise<Address | undefined> {
    if (remembered === undefined || this.#session.config.executionStore.kind === "auto")
      return remembered;
    const opened = this.#openOnce({ address: remembered, mock: true });
    return await opened.then(() => remembered, undefinedFor("HDP-3003"));
  }

  async #described(address: Address): Promise<StoreInUse> {
    return { address, mock: await isMockStore(this.provider, address) };
  }

  /** Returns the mock of a development node: the remembered one, or else Ignition's. Where both exist, warns once. */
  async #onNode(remembered: Address | undefined): Promise<StoreInUse | undefined> {
    if (remembered !== undefined && this.#compared) return { address: remembered, mock: true };
    const ignition = await mockOfIgnition(this.#session, this.#session.project.config);
    const address = remembered ?? ignition;
    if (address === undefined) return undefined;
    if (ignition !== undefined && ignition !== address) {
      const { networkName: network } = this.#session;
      const command = suggested("hdp store use", [ignition], { network });
      warn(
        `network "${network}" has two mock execution stores: ${address} is in use, and contracts that Ignition deployed read ${ignition}. If yours are such contracts, use that one from now on: ${command}`,
      );
    }
    this.#compared = true;
    return { address, mock: true };
  }

  /** Returns the chain's published store. A development node with the chain's id has it only if it forks the chain. */
  public async published(): Promise<Address | undefined> {
    const address = KNOWN_STORES.get(await this.#session.chainId())?.address;
    if (address === undefined || !(await this.#session.isDevelopment())) return address;
    return (await codeAt(this.provider, address)) === "0x" ? undefined : address;
  }

  /** Opens the store for reading. Deploys nothing on a shared development node. */
  public async openForReading(address?: string): Promise<ExecutionStore> {
    if (address !== undefined) return await this.#open(address);
    const store = this.#session.isSimulated ? await this.current() : await this.existing();
    if (store !== undefined) return await this.#openOnce(store);
    throw await unknownStore(this.#session);
  }

  /** Opens a store once: each call recognizes a mock by its code, and another contract does not change its kind. */
  async #openOnce({ address, mock }: StoreInUse): Promise<ExecutionStore> {
    const known = this.#opened.get(address);
    if (known !== undefined) return known;
    const opened = await this.#open(address);
    if (mock || !(await this.#session.isDevelopment())) this.#opened.set(address, opened);
    return opened;
  }

  async #open(address: string): Promise<ExecutionStore> {
    return await openStore(this.#session, address);
  }

  public async isMock({ address }: ExecutionStore): Promise<boolean> {
    return await isMockStore(this.provider, address);
  }

  /** Throws unless the store is a mock, or yet to be deployed: only a mock accepts results from an account. */
  public async requireWritable(): Promise<void> {
    // Without a configured store, an in-process chain has only mocks.
    if (this.#session.isSimulated && this.#session.config.executionStore.address === undefined)
      return;
    // The record of what is sent names the first block, which is kept.
    await Promise.all([this.#writable(), this.#session.genesisHash()]);
  }

  async #writable(): Promise<WritableStoreInUse | undefined> {
    const store = await this.#look();
    if (store === undefined || store.mock) return store;
    // Throws if there is no contract at the address, or not a store.
    await this.#open(store.address);
    throw notMock(
      this.#session,
      store.address,
      this.#session.configPath("executionStore.address"),
      [
        "On a development node that forks its chain, hdp.finalize(task, value) writes a value into its storage.",
      ],
    );
  }

  /** Finalizes chosen values: in a mock without a proof, in a store of a fork by writing its storage. */
  public async finalizeChosen(results: readonly TaskWord[]): Promise<readonly TaskResult[]> {
    const { provider } = this;
    const existing = await this.existing();
    if (existing?.mock === false && (await this.#session.isDevelopment())) {
      const { writeResults } = await import("../../store/write-result.js");
      return await writeResults({ provider, store: existing.address, results });
    }
    const { address: store } = (await this.#writable()) ?? (await this.current());
    const from = await this.operator();
    const transaction = await finalizeTasks({ provider, store, from, results });
    return storedResults(results, { store, ...transaction });
  }

  public async finalize(results: readonly TaskWord[]): Promise<Finalization> {
    const { provider } = this;
    const isProven = this.#session.config.local.finalize === "proven";
    const newest = isProven ? undefined : this.#deployed.at(-1)?.address;
    // Asks the most likely store while checking whether that store is still there.
    const ofNewest = newest && requiresAuthentication(provider, newest);
    ofNewest?.catch(() => undefined);
    const writing: WritableStoreInUse = (await this.#writable()) ?? (await this.current());
    const { address: store, operator } = writing;
    const [from, mustProve] = await Promise.all([
      operator ?? this.operator(),
      isProven || (store === newest ? ofNewest : requiresAuthentication(provider, store)),
    ]);
    const mode = mustProve === true ? "proven" : "plain";
    return await finalizeResults({ provider, store, from }, results, mode);
  }

  /** Deploys a mock, which is the store in use from then on. @throws HdpError HDP-6022 on a live chain without `onLiveChain` */
  public async deploy(options: DeployStoreOptions = {}): Promise<StoreInUse> {
    const { kind, authentic, onLiveChain = false, operator, operators = [], ...others } = options;
    const { provider, config, networkName: network } = this.#session;
    const [value] = typeof options === "string" ? [options] : Object.keys(others);
    if (value !== undefined) {
      const allowed = "kind, operator, operators, onLiveChain, authentic";
      throw notAllowed(value, "an option of deployExecutionStore", { allowed });
    }
    if (!onLiveChain && !(await this.#session.isDevelopment())) {
      const command = suggested("hdp store deploy", [], { network, after: "--yes" });
      throw hdpError("HDP-6022", { network, id: await this.#session.chainId(), command });
    }
    const from = await this.usualOperator(operator);
    await this.#showInTraces();
    const { address } = await deployExecutionStoreMock({
      provider,
      from,
      kind: kind ?? (await this.mockKind()),
      operators: operators.map((account) => requireAddress(account, "operators")),
    });
    if (authentic ?? config.local.finalize === "proven") {
      const { requireAuthentication } = await import("../../store/prove-batch.js");
      await requireAuthentication({ provider, store: address, from });
    }
    const taken = await this.#take(address, from);
    // A chain's published store stays the one in use until a mock is chosen.
    if ((await this.published()) === undefined) await this.share();
    return taken;
  }

  public async mockKind(): Promise<StoreKind> {
    const { kind } = this.#session.config.executionStore;
    return kind === "auto"
      ? (KNOWN_STORES.get(await this.#session.chainId())?.kind ?? "satellite")
      : kind;
  }

  /** Makes a deployed mock the store in use. @throws HDP-3002 no contract, HDP-6024 no mock, HDP-1110 no address */
  public async use(store: string, operator?: Address): Promise<StoreInUse> {
    const address = requireAddress(store);
    await this.#open(address);
    if (!(await isMockStore(this.provider, address)))
      throw notMock(this.#session, address, "store");
    await this.#showInTraces();
    const taken = await this.#take(address, await this.usualOperator(operator));
    await this.share();
    return taken;
  }

  /**
   * Keeps a store as the one in use on its chain, for every process of the project.
   * @throws HDP-3002 no contract, HDP-1110 not an address, HDP-6024 no mock on a development chain, HDP-6026 no effect
   */
  public async keep(store: string): Promise<StoreInUse> {
    const { config, isSimulated, networkName: network } = this.#session;
    const address = requireAddress(store);
    const configured = config.executionStore.address;
    const isOther = configured !== undefined && requireAddress(configured) !== address;
    if (isOther || isSimulated) {
      const reason = isOther
        ? `${this.#session.configPath("executionStore.address")} names ${configured}, which overrides it`
        : "its chain ends with this command";
      throw hdpError("HDP-6026", { store: address, network, reason });
    }
    await this.#open(address);
    const mock = await isMockStore(this.provider, address);
    if (!mock && (await this.#session.isDevelopment()) && (await this.published()) === undefined) {
      throw notMock(this.#session, address, "address");
    }
    const codeHash = hashOfCode(await codeAt(this.provider, address));
    projectSubmissions(config.dataDir).mocks.remember(await this.#session.blockHash(0n), {
      address,
      codeHash,
    });
    return { address, mock };
  }

  async #showInTraces(): Promise<void> {
    if (this.hasTraces)
      await showMockInTraces(this.#session.connection.provider, this.#session.project.config);
  }

  async #take(address: Address, operator: Address): Promise<StoreInUse> {
    const code = await codeAt(this.provider, address);
    rememberDeployed(address, this);
    this.#deployed = [
      ...this.#deployed.filter((known) => known.address !== address),
      { address, code, operator },
    ];
    return { address, mock: true };
  }

  /** Lets other processes of the project find the latest deployed store, if a node serves the chain. */
  public async share(served = !this.#session.isSimulated): Promise<void> {
    const store = await this.#alive();
    if (served && store !== undefined)
      await rememberStore(this.#session, store.address, store.code);
  }

  /** Returns the account that finalizes: the one that deployed the store in use, as far as this process knows it. */
  public async operator(): Promise<Address> {
    return (await this.#alive())?.operator ?? (await this.usualOperator());
  }

  /**
   * Returns the account that deploys stores and finalizes. In-process it is the network's last one, so that tests find
   * the first accounts with the same nonces and balances as without this plugin.
   */
  public async usualOperator(given?: Address): Promise<Address> {
    if (given !== undefined) return requireAddress(given, "operator");
    const { config, isSimulated, networkName: network } = this.#session;
    const { operator: configured } = config.executionStore;
    if (configured !== undefined)
      return requireAddress(configured, this.#session.configPath("executionStore.operator"));
    const accounts = await this.#session.accounts();
    const operator = isSimulated ? accounts.at(-1) : accounts[0];
    if (operator !== undefined) return operator;
    throw hdpError(
      "HDP-3010",
      { network: `network "${network}"` },
      { path: `networks.${network}.accounts` },
    );
  }

  /** Deploys the chain's first store, or uses the one that another process is deploying. */
  async #deployFirst(): Promise<StoreInUse> {
    if (this.#session.isSimulated) return await this.deploy();
    return await deployAlone(
      this.#session,
      async () => (await this.existing()) ?? (await this.deploy()),
    );
  }

  async #alive(): Promise<StoreOfThisProcess | undefined> {
    for (const store of this.#deployed.toReversed()) {
      if ((await codeAt(this.provider, store.address)) === store.code) return store;
    }
    return undefined;
  }
}
