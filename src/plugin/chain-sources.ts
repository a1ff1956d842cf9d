import { isLoopback } from "../base/loopback.js";
import type { Eip1193Provider } from "../base/rpc.js";
import {
  readerOpener,
  requireChain,
  type ReadersOptions,
  type RunReaders,
} from "../chain/readers.js";
import type { OpenedRecording } from "../chain/recording/recorded-chain.js";
import type { RecordedReference } from "../chain/recording/recording.js";
import { hdpError } from "../errors/hdp-error.js";
import { type ChainIdentifier, identifyChain, numericChainId } from "../request/chains.js";
import type { Anchor } from "../request/task-result.js";
import type { Session } from "./session.js";

/** Sources of the chains that tasks name in a session: fixtures that are replayed, else networks. */
export class ChainSources {
  public readonly options: ReadersOptions;
  public readonly readersFor: (signal?: AbortSignal) => RunReaders;
  readonly #session: Session;
  /** Fixtures that are being replayed, the latest last. */
  #fixtures: readonly OpenedRecording[] = [];
  readonly #references = new Map<ChainIdentifier, readonly RecordedReference[]>();

  public constructor(session: Session) {
    this.#session = session;
    const { prove, concurrency } = session.config.local;
    this.options = {
      providerFor: async (chain) => await this.providerFor(chain),
      // While a fixture is replayed, no chain is read from a network.
      readerFor: (chain) => this.#findFixture(chain)?.readerOf(chain),
      starknet: async (chainId, node) => {
        const chain = identifyChain(chainId);
        return (chain && this.#findFixture(chain)?.starknetOf(chain)) ?? (await node());
      },
      checkpointFor: async (chain) => (await this.#connectSource(chain)).config.local.checkpoint,
      secondFor: async (chain) => await this.#secondFor(chain),
      sourceFor: async (chain) => {
        const source = await this.#connectSource(chain);
        return { chain, network: source.networkName, chainId: await source.chainId() };
      },
      prove,
      concurrency,
      timeout: session.config.timeouts.rpc,
    };
    this.readersFor = readerOpener(this.options);
  }

  /**
   * Returns the provider of the network that stands for a chain: the connected one unless `hdp.sources` or `hdp.chains`
   * names another. Chains in this process, and chains without an identifier, stand for any.
   * @throws HdpError HDP-4605 where the network is another known chain
   */
  public async providerFor(chain: ChainIdentifier): Promise<Eip1193Provider> {
    const source = await this.#connectSource(chain);
    if (!source.isSimulated) {
      const id = await source.chainId();
      const path = this.#session.configPath(`sources.${chain}`);
      requireChain(chain, id, `network "${source.networkName}"`, path);
    }
    return source.provider;
  }

  /** Returns whether the chain still has the block that proofs rested on. */
  public async holds({ kind, number, hash, source }: Anchor): Promise<boolean> {
    // No chain can lose the blocks of a recording.
    if (kind === "recording") return true;
    if (source === undefined) return false;
    const now = (await this.#session.on(source.network)).blockHash(number);
    return (await now.catch(() => undefined)) === hash;
  }

  /** Keeps what a block that was named by place or date is. */
  public remember(reference: RecordedReference, chain: ChainIdentifier): void {
    const others = this.listReferences(chain).filter((one) => !isSameReference(one, reference));
    this.#references.set(chain, [...others, reference]);
  }

  /** Returns what blocks of a chain were that were named by place or date, the latest last. */
  public listReferences(chain: ChainIdentifier): readonly RecordedReference[] {
    return this.#references.get(chain) ?? [];
  }

  /** Returns what such blocks of a chain were when the fixture was recorded; undefined where none is replayed. */
  public recordedReferences(chain: ChainIdentifier): readonly RecordedReference[] | undefined {
    return this.#findFixture(chain)?.referencesOf(chain);
  }

  /** Reads all chains from a fixture until the returned function is called. Fixtures replayed later take precedence. */
  public replay(opened: OpenedRecording): () => void {
    this.#fixtures = [...this.#fixtures, opened];
    return () => void (this.#fixtures = this.#fixtures.filter((one) => one !== opened));
  }

  /** Returns the latest fixture that has a chain; else the latest, whose reader throws that it lacks the chain. */
  #findFixture(chain: ChainIdentifier): OpenedRecording | undefined {
    return this.#fixtures.findLast(({ chains }) => chains.has(chain)) ?? this.#fixtures.at(-1);
  }

  /** Returns the network that the source's configuration names as another node of the chain. */
  async #secondFor(chain: ChainIdentifier): Promise<Eip1193Provider | undefined> {
    const source = await this.#connectSource(chain);
    const { secondNode } = source.config.local;
    // A global `secondNode` also applies to the second node's own network.
    if (secondNode === undefined || secondNode === source.networkName) return undefined;
    return (await source.on(secondNode)).provider;
  }

  /**
   * Returns whether the project reads a chain itself: `hdp.sources` or `hdp.chains` names a network for it, or the connected
   * chain has its id. That a development chain may stand for it counts only where the configuration says so, or where the
   * service is one on this machine: it computes over the development chain that the connection is to.
   */
  async #hasSource(chain: ChainIdentifier): Promise<boolean> {
    const { sources, chains } = this.#session.config;
    if ((sources[chain] ?? chains[chain]) !== undefined) return true;
    if ((await this.#session.chainId()) === numericChainId(chain)) return true;
    return await this.isServedHere();
  }

  /** Returns whether a service of this machine stands for the published one, over a development chain of a node. */
  public async isServedHere(): Promise<boolean> {
    const session = this.#session;
    const { dataProcessor } = session.config;
    if (typeof dataProcessor !== "object" || session.isSimulated) return false;
    if (!(await session.isDevelopment())) return false;
    const { DATA_PROCESSOR, readAddress } = await import("./services.js");
    const path = `${session.configPath("dataProcessor")}.url`;
    return isLoopback(new URL(await readAddress(dataProcessor.url, path, DATA_PROCESSOR)).hostname);
  }

  /** Returns the readers of a run over chains that have a source. A reader of another chain rejects with HDP-2004. */
  public sourcedReadersFor(signal?: AbortSignal): RunReaders {
    const { readerFor, ...readers } = this.readersFor(signal);
    const sourced: RunReaders["readerFor"] = async (chain) => {
      if (await this.#hasSource(chain)) return await readerFor(chain);
      const example = `hdp: { sources: { ${chain}: "<network>" } }`;
      const values = { what: "node", where: ` for ${chain}`, example };
      throw hdpError("HDP-2004", values, { path: `hdp.sources.${chain}` });
    };
    return { ...readers, readerFor: sourced };
  }

  async #connectSource(chain: ChainIdentifier): Promise<Session> {
    const { sources, chains } = this.#session.config;
    return await this.#session.on(sources[chain] ?? chains[chain] ?? this.#session.networkName);
  }
}

/** Returns whether two references name a block alike. */
export function isSameReference({ text, isEnd }: ReferenceName, other: ReferenceName): boolean {
  return text === other.text && isEnd === other.isEnd;
}

interface ReferenceName {
  readonly text: string;
  readonly isEnd: boolean;
}
