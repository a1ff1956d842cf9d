import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { readersOf, type ReadersOptions, type RunReaders } from "../chain/readers.js";
import type { OpenedRecording } from "../chain/recording/recorded-chain.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Session } from "./session.js";

/** Where the chains that tasks name are read from in a session: fixtures that are replayed, else networks. */
export class ChainSources {
  public readonly options: ReadersOptions;
  public readonly readersFor: (signal?: AbortSignal) => RunReaders;
  readonly #session: Session;
  readonly #replayed = new Map<ChainIdentifier, ChainReader>();

  public constructor(session: Session) {
    this.#session = session;
    const { prove, concurrency } = session.config.local;
    this.options = {
      providerFor: async (chain) => await this.providerFor(chain),
      readerFor: (chain) => this.#replayed.get(chain),
      checkpointFor: async (chain) => (await this.#sourceOf(chain)).config.local.checkpoint,
      secondFor: async (chain) => await this.#secondFor(chain),
      prove,
      concurrency,
      timeout: session.config.timeouts.rpc,
    };
    this.readersFor = readersOf(this.options);
  }

  /** The provider of the network that stands for a chain: the connected one unless `hdp.sources` or `hdp.chains` names another. */
  public async providerFor(chain: ChainIdentifier): Promise<Eip1193Provider> {
    return (await this.#sourceOf(chain)).provider;
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

  /** The network that the source's configuration names as another node of the chain. */
  async #secondFor(chain: ChainIdentifier): Promise<Eip1193Provider | undefined> {
    const source = await this.#sourceOf(chain);
    const { secondNode } = source.config.local;
    // A name for all networks is also that of the second node itself.
    if (secondNode === undefined || secondNode === source.networkName) return undefined;
    return (await source.on(secondNode)).provider;
  }

  async #sourceOf(chain: ChainIdentifier): Promise<Session> {
    const { sources, chains } = this.#session.config;
    return await this.#session.on(sources[chain] ?? chains[chain] ?? this.#session.networkName);
  }
}
