import { Limiter } from "../base/limiter.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { ProvenChainReader } from "../chain/proven-chain-reader.js";
import type { OpenedRecording } from "../chain/recording/recorded-chain.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Session } from "./session.js";

/** Where the chains that tasks name are read from in a session: fixtures that are replayed, else networks. */
export class ChainSources {
  readonly #session: Session;
  readonly #replayed = new Map<ChainIdentifier, ChainReader>();

  public constructor(session: Session) {
    this.#session = session;
  }

  /** The provider of the network that stands for a chain: the connected one unless `hdp.sources` or `hdp.chains` names another. */
  public async providerFor(chain: ChainIdentifier): Promise<Eip1193Provider> {
    const { sources, chains } = this.#session.config;
    return (await this.#session.on(sources[chain] ?? chains[chain] ?? this.#session.networkName)).provider;
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
    const { prove, concurrency } = this.#session.config.local;
    const limiter = new Limiter(concurrency);
    const opened = new Map<ChainIdentifier, Promise<ChainReader>>();
    const open = async (chain: ChainIdentifier): Promise<ChainReader> =>
      this.replayed(chain) ?? new ProvenChainReader(await this.providerFor(chain), { prove, limiter, signal });
    return async (chain) => {
      const reader = opened.get(chain) ?? open(chain);
      opened.set(chain, reader);
      return await reader;
    };
  }
}
