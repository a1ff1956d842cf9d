import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { hdpError, notAllowed } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import { isLoopback } from "../base/loopback.js";
import { askNode, type Eip1193Provider, isAnswer, isHardhatError } from "../base/rpc.js";
import { nearest } from "../base/text.js";
import { asData, asInteger, data, list, quantity, rpcObject } from "../chain/node-rpc.js";
import {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  type ChainIdentifier,
  chainIdentifierOf,
  findChainIdentifier,
} from "../request/chains.js";
import { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import type { ConnectedProcessor } from "./connected-processor.js";
import type { HdpConfig } from "./config/config.js";
import { nodeProvider } from "./node-provider.js";
import { ownCalls } from "./own-calls.js";

/** Returns a destination chain by its name or alias. @throws HdpError HDP-6003 */
export function parseDestination(name: string): ChainIdentifier {
  return parseChain(name, "destination");
}

/** Returns a chain by its name or alias. @param path the option, for errors @throws HdpError HDP-6003 */
export function parseChain(name: string, path: string): ChainIdentifier {
  const chain = findChainIdentifier(name);
  if (chain !== undefined) return chain;
  const all: string[] = [...CHAIN_IDENTIFIERS, ...CHAIN_ALIASES];
  const context = { path, near: nearest(name, all), allowed: all.join(", ") };
  throw notAllowed(name, "a chain identifier", context);
}

const GETH_DEV_CHAIN_ID = 1337n;

/** The part of a Hardhat runtime environment that all its connections share. */
export type Project = Pick<HookContext, "artifacts" | "config" | "hooks" | "network">;

/** Scope in which the functions of `hdp` work. Only functions that need a connection ask for the session. */
export interface Scope {
  readonly project: Project;
  readonly session: () => Promise<Session>;
}

type SelectProcessor = (session: Session) => Promise<ConnectedProcessor>;

/** One connection with its project, and all state that is kept for the connection. */
export class Session implements Scope {
  /** Faults of the local data processor; undefined until {@link faults} is used. */
  public injected: FaultQueue | undefined;
  readonly #parts: object[] = [];
  #processor: Promise<ConnectedProcessor> | undefined;
  #provider: Eip1193Provider | undefined;
  readonly #development = new Map<bigint, Promise<boolean>>();
  readonly #select: SelectProcessor;
  static readonly #all = new WeakMap<NetworkConnection<string>, Session>();

  public constructor(
    public readonly project: Project,
    public readonly connection: NetworkConnection<string>,
    select: SelectProcessor,
  ) {
    this.#select = select;
    Session.#all.set(connection, this);
  }

  /** Returns the session of a connection, the same one for every caller. */
  public static of(connection: NetworkConnection<string>): Session {
    const session = this.#all.get(connection);
    if (session === undefined)
      throw new TypeError(`no session was begun for network "${connection.networkName}"`);
    return session;
  }

  /** Returns the session of a connection; undefined while the connection is being made. */
  public static find(connection: NetworkConnection<string>): Session | undefined {
    return this.#all.get(connection);
  }

  public readonly session = async (): Promise<Session> => await Promise.resolve(this);

  /** Returns the session of the connection that tasks and scripts share on a network; for its own name this session. */
  public async on(networkName: string): Promise<Session> {
    return networkName === this.networkName
      ? this
      : Session.of(await this.project.network.getOrCreate(networkName));
  }

  /** Returns this session's instance of a class, created on the first call. */
  public part<T extends object>(Part: new (session: Session) => T): T {
    const known = this.#parts.find((part): part is T => part instanceof Part);
    if (known !== undefined) return known;
    const made = new Part(this);
    this.#parts.push(made);
    return made;
  }

  /** Returns the data processor, selected once. @throws HdpError HDP-2001 for none, HDP-6060 for faults in a service */
  public async processor(): Promise<ConnectedProcessor> {
    // A node that did not answer is asked again by the next call.
    this.#processor ??= this.#select(this).catch((error: unknown) => {
      this.#processor = undefined;
      throw error;
    });
    const processor = await this.#processor;
    const { kind, description } = processor.info;
    if (kind === "remote" && this.injected !== undefined && this.injected.waiting.length > 0) {
      const what = "faults were injected into the local data processor";
      throw hdpError("HDP-6060", { what, network: this.networkName, description });
    }
    return processor;
  }

  public get faults(): FaultQueue {
    return (this.injected ??= new FaultQueue());
  }

  public get config(): HdpConfig {
    return this.connection.networkConfig.hdp;
  }

  public get root(): string {
    return this.project.config.paths.root;
  }

  public get networkName(): string {
    return this.connection.networkName;
  }

  public get provider(): Eip1193Provider {
    return (this.#provider ??= ownCalls(nodeProvider(this.connection, this.project.hooks)));
  }

  public get isSimulated(): boolean {
    return this.connection.networkConfig.type === "edr-simulated";
  }

  /**
   * Returns whether the chain is a development chain: inside this process, by configuration, or on a node that reports
   * itself as one and may be believed. Hardhat's and anvil answer `hardhat_metadata`; `geth --dev` has its own chain id
   * and first block. Answers are kept by chain id.
   */
  public async isDevelopment(): Promise<boolean> {
    const { development } = this.config;
    if (this.isSimulated) return true;
    if (development !== undefined) return development;
    const id = await this.chainId();
    if (!(await this.#mayBeDevelopment(id))) return false;
    const known = this.#development.get(id);
    if (known !== undefined) return await known;
    const asked = this.#saysDevelopment(id);
    this.#development.set(id, asked);
    return await asked;
  }

  /**
   * Returns whether a node's word that it is a development node counts. On this machine it does; elsewhere only where no
   * key of the user signs, or for a fixed chain, of which no signature is valid on a published chain.
   */
  async #mayBeDevelopment(id: bigint): Promise<boolean> {
    const { networkConfig } = this.connection;
    if (networkConfig.type !== "http") return true;
    if (isLoopback(new URL(await networkConfig.url.getUrl()).hostname)) return true;
    const isFixed = networkConfig.accounts === "remote" || networkConfig.chainId !== undefined;
    return isFixed && chainIdentifierOf(id) === undefined;
  }

  async #saysDevelopment(id: bigint): Promise<boolean> {
    const asked = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
      await this.provider.request({ method, params }).catch((error: unknown) => {
        // Providers refuse unknown methods in many ways; a node that did not answer is asked again by the next call.
        if (!isAnswer(error)) this.#development.delete(id);
        if (isHardhatError(error)) throw error;
      });
    if (isRecord(await asked("hardhat_metadata"))) return true;
    if (id !== GETH_DEV_CHAIN_ID || !String(await asked("web3_clientVersion")).startsWith("Geth/"))
      return false;
    const genesis = await asked("eth_getBlockByNumber", "0x0", false);
    return isRecord(genesis) && genesis["difficulty"] === "0x0" && genesis["timestamp"] === "0x0";
  }

  /** Returns the id that the chain reports; a network's name proves nothing. @throws HdpError HDP-4103, HDP-4102 */
  public async chainId(): Promise<bigint> {
    return asInteger(await this.#ask("eth_chainId"), "eth_chainId", "result");
  }

  /** Returns the hash of the first block, which tells chains of one id apart; undefined without an answer. */
  public async genesisHash(): Promise<Hex | undefined> {
    return await this.blockHash(0n).catch(() => undefined);
  }

  /** Returns the hash of a block. @throws HdpError HDP-4103, HDP-4102 without an answer, or such a block */
  public async blockHash(block: bigint): Promise<Hex> {
    const found = await this.#ask("eth_getBlockByNumber", [quantity(block), false]);
    return data(rpcObject(found, `block ${block}`), "hash", 32);
  }

  /** Returns the number of the latest block. @throws HdpError HDP-4103, HDP-4102 */
  public async head(): Promise<bigint> {
    return asInteger(await this.#ask("eth_blockNumber"), "eth_blockNumber", "result");
  }

  async #ask(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return await askNode(this.provider, method, params);
  }

  /** Returns the addresses of the accounts that the network sends from. @throws HdpError HDP-4103, HDP-4102 */
  public async accounts(): Promise<Address[]> {
    const result: unknown = await this.#ask("eth_accounts");
    return list(rpcObject({ result }, "eth_accounts"), "result").map((one) =>
      asData(one, "eth_accounts", "result", 20),
    );
  }

  /** Returns the path of a section of this network's configuration, for messages. */
  public configPath(section: string): string {
    return `networks.${this.networkName}.hdp.${section}`;
  }
}
