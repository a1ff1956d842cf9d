import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { isLoopback } from "../base/loopback.js";
import {
  askNode,
  type Eip1193Provider,
  isAnswer,
  isHardhatError,
  providerSentence,
} from "../base/rpc.js";
import { asData, asInteger, data, listField, quantity, rpcObject } from "../chain/node-rpc.js";
import { HdpError, isHdpError } from "../errors/hdp-error.js";
import { identifyChain } from "../request/chains.js";
import type { HdpConfig } from "./config/config.js";
import { nodeProvider } from "./node-provider.js";
import { ownCalls } from "./own-calls.js";

const GETH_DEV_CHAIN_ID = 1337n;
/** Milliseconds that an answer is kept which an action needs many times, at a round trip each. */
const KEPT = 1_000;

/** An answer that is asked for once a second at most. */
class KeptAnswer<T> {
  #last: { readonly answer: Promise<T>; readonly until: number } | undefined;

  public constructor(private readonly ask: () => Promise<T>) {}

  public async get(): Promise<T> {
    const now = performance.now();
    if (this.#last !== undefined && now < this.#last.until) return await this.#last.answer;
    const answer = this.ask();
    this.#last = { answer, until: now + KEPT };
    try {
      return await answer;
    } catch (error) {
      // The next call asks again.
      this.#last = undefined;
      throw error;
    }
  }
}

/** A network with its configuration. */
export interface ConfiguredNetwork {
  readonly networkName: string;
  readonly config: HdpConfig;
}

/** The network of a connection: its configuration, its node and what the node says of its chain. */
export class ConnectedNetwork implements ConfiguredNetwork {
  #provider: Eip1193Provider | undefined;
  readonly #chainId = new KeptAnswer(async () => await this.#askChainId());
  readonly #firstBlock = new KeptAnswer(async () => await this.blockHash(0n));
  readonly #development = new Map<bigint, Promise<boolean>>();
  readonly #hooks: HookContext["hooks"];

  public constructor(
    public readonly connection: NetworkConnection<string>,
    hooks: HookContext["hooks"],
  ) {
    this.#hooks = hooks;
  }

  public get config(): HdpConfig {
    return this.connection.networkConfig.hdp;
  }

  public get networkName(): string {
    return this.connection.networkName;
  }

  public get provider(): Eip1193Provider {
    return (this.#provider ??= ownCalls(nodeProvider(this.connection, this.#hooks)));
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
    return isFixed && identifyChain(id) === undefined;
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
    return await this.#chainId.get();
  }

  async #askChainId(): Promise<bigint> {
    return asInteger(await this.#ask("eth_chainId"), "eth_chainId", "result");
  }

  /**
   * Returns the hash of the first block, which tells chains of one id apart. A chain in this process, which a test may
   * reset, is asked each time.
   * @throws HdpError HDP-4103, HDP-4102
   */
  public async firstBlock(): Promise<Hex> {
    return this.isSimulated ? await this.blockHash(0n) : await this.#firstBlock.get();
  }

  /** Returns the hash of the first block; undefined without an answer. */
  public async genesisHash(): Promise<Hex | undefined> {
    return await this.firstBlock().catch(() => undefined);
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
    const result: unknown = await this.#ask("eth_accounts").catch((error: unknown) => {
      throw this.#ofAccounts(error);
    });
    return listField(rpcObject({ result }, "eth_accounts"), "result").map((one) =>
      asData(one, "eth_accounts", "result", 20),
    );
  }

  /** Returns the error of accounts that the configuration has and Hardhat could not make, whatever the node does. */
  #ofAccounts(error: unknown): unknown {
    const { networkName, connection } = this;
    const { accounts } = connection.networkConfig;
    const isConfigured =
      accounts !== "remote" && !(Array.isArray(accounts) && accounts.length === 0);
    if (!isConfigured || !isHdpError(error, "HDP-4103")) return error;
    const { cause } = error;
    const isOfNode = isAnswer(cause) || (cause instanceof Error && "errorCode" in cause);
    if (isOfNode) return error;
    return new HdpError({
      code: "HDP-4103",
      message: `Hardhat cannot make the accounts of network "${networkName}": ${providerSentence(cause)}`,
      path: `networks.${networkName}.accounts`,
      hints: ["A private key is 0x and 64 hexadecimal digits. Nothing was sent."],
      cause,
    });
  }

  /** Returns the path of a section of this network's configuration, for messages. */
  public configPath(section: string): string {
    return `networks.${this.networkName}.hdp.${section}`;
  }
}
