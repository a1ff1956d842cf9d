import type { Hex } from "viem";

import { Limiter } from "../base/limiter.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { HeaderCache } from "../chain/header-cache.js";
import { ProvenChainReader } from "../chain/proven-chain-reader.js";
import type { OpenedRecording } from "../chain/recording/recorded-chain.js";
import type { ChainIdentifier } from "../request/chains.js";
import { readProvider } from "./node-provider.js";
import type { Session } from "./session.js";

/** Where the chains that tasks name are read from in a session: fixtures that are replayed, else networks. */
export class ChainSources {
  readonly #session: Session;
  readonly #providers = new Map<Session, Promise<Eip1193Provider>>();
  readonly #replayed = new Map<ChainIdentifier, ChainReader>();

  public constructor(session: Session) {
    this.#session = session;
  }

  /** The provider of the network that stands for a chain: the connected one unless `hdp.sources` or `hdp.chains` names another. */
  public async providerFor(chain: ChainIdentifier): Promise<Eip1193Provider> {
    return await this.#providerOf(await this.#sourceOf(chain));
  }

  async #providerOf(session: Session): Promise<Eip1193Provider> {
    const opened = this.#providers.get(session) ?? readProvider(session.connection);
    this.#providers.set(session, opened);
    opened.catch(() => this.#providers.delete(session));
    return await opened;
  }

  /** The block that the network's configuration trusts, if it names one. */
  public async checkpointFor(chain: ChainIdentifier): Promise<Hex | undefined> {
    return (await this.#sourceOf(chain)).connection.networkConfig.hdp.local.checkpoint;
  }

  /** Another node of the chain, the network that the source's configuration names, if it names one. */
  public async secondFor(chain: ChainIdentifier): Promise<Eip1193Provider | undefined> {
    const source = await this.#sourceOf(chain);
    const { secondNode } = source.connection.networkConfig.hdp.local;
    // A name for all networks is also that of the second node itself.
    if (secondNode === undefined || secondNode === source.networkName) return undefined;
    return await this.#providerOf(await source.on(secondNode));
  }

  async #sourceOf(chain: ChainIdentifier): Promise<Session> {
    const { sources, chains } = this.#session.config;
    return await this.#session.on(sources[chain] ?? chains[chain] ?? this.#session.networkName);
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
  public readers(signal?: AbortSignal): (chain: ChainIdentifier) => Promise<ChainReader> {
    const { local, timeouts } = this.#session.config;
    const { prove, concurrency } = local;
    const limiter = new Limiter(concurrency);
    const opened = new Map<ChainIdentifier, Promise<ChainReader>>();
    const open = async (chain: ChainIdentifier): Promise<ChainReader> => {
      const replayed = this.replayed(chain);
      if (replayed !== undefined) return replayed;
      const [provider, checkpoint, second] = await Promise.all([
        this.providerFor(chain),
        this.checkpointFor(chain),
        this.secondFor(chain),
      ]);
      const [deadline, headers] = [timeouts.rpc, HeaderCache.of(provider)];
      return new ProvenChainReader(provider, { prove, limiter, signal, checkpoint, second, deadline, headers });
    };
    return async (chain) => {
      const reader = opened.get(chain) ?? open(chain);
      opened.set(chain, reader);
      return await reader;
    };
  }
}
