import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import type { ChainReader } from "../chain/chain-reader.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { OpenedRecording } from "../chain/recording/recorded-chain.js";
import { ProvenChainReader } from "../chain/proven-chain-reader.js";
import type { ChainIdentifier } from "../request/chains.js";
import { providerFor } from "./provider-for.js";

/** Where the chains that tasks name are read from on a connection: fixtures that are replayed, else networks. */
export class ChainSources {
  readonly #connection: NetworkConnection<string>;
  readonly #replayed = new Map<ChainIdentifier, ChainReader>();

  private constructor(connection: NetworkConnection<string>) {
    this.#connection = connection;
  }

  static readonly #all = new WeakMap<NetworkConnection<string>, ChainSources>();

  /** One object a connection. */
  public static of(connection: NetworkConnection<string>): ChainSources {
    const known = this.#all.get(connection);
    if (known !== undefined) return known;
    const sources = new ChainSources(connection);
    this.#all.set(connection, sources);
    return sources;
  }

  /** The connected network, or the one that is configured for the chain. */
  public async providerFor(chain: ChainIdentifier, context: HookContext): Promise<Eip1193Provider> {
    return await providerFor(chain, this.#connection, context);
  }

  /** The fixture that stands for the chain, if one does. */
  public replayed(chain: ChainIdentifier): ChainReader | undefined {
    return this.#replayed.get(chain);
  }

  /** Lets a fixture stand for its chains, until the returned function is called or another one takes a chain over. */
  public replay({ readers }: OpenedRecording): () => void {
    for (const [chain, reader] of readers) this.#replayed.set(chain, reader);
    return () => {
      for (const [chain, reader] of readers) {
        if (this.#replayed.get(chain) === reader) this.#replayed.delete(chain);
      }
    };
  }

  /** Readers for one piece of work, one a chain. */
  public readers(context: HookContext, signal?: AbortSignal): (chain: ChainIdentifier) => Promise<ChainReader> {
    const { prove, concurrency } = this.#connection.networkConfig.hdp.local;
    const opened = new Map<ChainIdentifier, Promise<ChainReader>>();
    const open = async (chain: ChainIdentifier): Promise<ChainReader> =>
      this.replayed(chain) ??
      new ProvenChainReader(await this.providerFor(chain, context), { prove, concurrency, signal });
    return async (chain) => {
      const reader = opened.get(chain) ?? open(chain);
      opened.set(chain, reader);
      return await reader;
    };
  }
}
