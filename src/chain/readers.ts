import type { Hex } from "viem";

import { memoized } from "../base/collections.js";
import { boundedReads, type BoundOptions } from "../base/node-reads.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { hdpError } from "../errors/hdp-error.js";
import { type ChainIdentifier, identifyChain, numericChainId } from "../request/chains.js";
import type { Anchor, AnchorSource } from "../request/task-result.js";
import type { ChainReader, ProveMode, StarknetReader } from "./chain-reader.js";
import { ProvenChainReader } from "./proven-chain-reader.js";

type OfChain<T> = (chain: ChainIdentifier) => T | undefined | Promise<T | undefined>;

/** Returns the reader of a Starknet chain by its id: the given reader of a node, or a replacement. */
export type StarknetSource = (
  chainId: bigint,
  node: () => Promise<StarknetReader | undefined>,
) => Promise<StarknetReader | undefined>;

/** Where the readers of each chain get their data. */
export interface ReadersOptions extends BoundOptions {
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  /** Returns a reader that replaces the provider of a chain, such as recorded data. */
  readonly readerFor?: OfChain<ChainReader> | undefined;
  /** Returns readers that replace the nodes of Starknet chains. */
  readonly starknet?: StarknetSource | undefined;
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Returns the hash of a block of the chain: every block read must be this block or an ancestor. */
  readonly checkpointFor?: OfChain<Hex> | undefined;
  /** Returns a second node of the chain, which must have every block read under the same hash. */
  readonly secondFor?: OfChain<Eip1193Provider> | undefined;
  /** Returns the network from which a chain is read, for anchors. */
  readonly sourceFor?: OfChain<AnchorSource> | undefined;
}

/**
 * Throws unless a network has the id of the chain that it is read as. Unknown ids pass: development chains have any.
 */
export function requireChain(
  chain: ChainIdentifier,
  foundId: bigint,
  network = "network",
  path?: string,
): void {
  const found = identifyChain(foundId);
  if (found === undefined || found === chain) return;
  throw hdpError(
    "HDP-4605",
    { chain, id: numericChainId(chain), network, found, foundId },
    { path },
  );
}

/** The block that the proofs of each chain rest on. */
export type Anchors = ReadonlyMap<ChainIdentifier, Anchor | undefined>;

/** What the tasks of a run read chains with. */
export interface TaskReaders {
  readonly readerFor: (chain: ChainIdentifier) => Promise<ChainReader>;
  /** Starknet readers for modules. Default: the configured node. */
  readonly starknet?: StarknetSource | undefined;
}

/** The readers of one run: one for each chain, shared by its tasks. */
export interface RunReaders extends TaskReaders {
  /** Returns the trust anchor of each chain, after the last read; `undefined` for recorded data. */
  readonly anchors: () => Promise<Anchors>;
}

/** Returns a function that opens the readers of a run. Runs share the limit on a node's reads. */
export function readerOpener(options: ReadersOptions): (signal?: AbortSignal) => RunReaders {
  const { providerFor, readerFor, prove, checkpointFor, secondFor, sourceFor } = options;
  const boundedOf = memoized((provider: Eip1193Provider) => boundedReads(provider, options));
  return (signal) =>
    runReaders(async (chain) => {
      const reader = await readerFor?.(chain);
      if (reader !== undefined) return reader;
      const [provider, checkpoint, other, source] = await Promise.all([
        providerFor(chain),
        checkpointFor?.(chain),
        secondFor?.(chain),
        sourceFor?.(chain),
      ]);
      const second = other && boundedOf(other);
      return new ProvenChainReader(boundedOf(provider), {
        prove,
        signal,
        checkpoint,
        second,
        source,
      });
    }, options.starknet);
}

/** Returns readers that are opened on first use. */
export function runReaders(open: RunReaders["readerFor"], starknet?: StarknetSource): RunReaders {
  const readers = new Map<ChainIdentifier, Promise<ChainReader>>();
  return {
    starknet,
    readerFor: (chain) => {
      const reader = readers.get(chain) ?? open(chain);
      readers.set(chain, reader);
      return reader;
    },
    anchors: async () => {
      const anchors = [...readers].map(
        async ([chain, reader]) => [chain, await (await reader).anchor?.()] as const,
      );
      return new Map(await Promise.all(anchors));
    },
  };
}
