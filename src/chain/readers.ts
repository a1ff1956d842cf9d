import type { Hex } from "viem";

import { type BoundedProvider, boundedReads, type BoundOptions } from "../base/node-reads.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { hdpError } from "../errors/hdp-error.js";
import { type ChainIdentifier, chainIdentifierOf, chainIdOf } from "../request/chains.js";
import type { Anchor, AnchorSource } from "../request/lifecycle.js";
import type { ChainReader, ProveMode } from "./chain-reader.js";
import { HeaderCache } from "./header-cache.js";
import type { StarknetReader } from "./starknet-chain-reader.js";
import { ProvenChainReader } from "./proven-chain-reader.js";

/** Something of a chain, for chains that have it. */
type OfChain<T> = (chain: ChainIdentifier) => T | undefined | Promise<T | undefined>;

/** Returns the reader of a Starknet chain by its id: the given one of a node, or another in its place. */
export type StarknetSource = (
  chainId: bigint,
  node: () => Promise<StarknetReader | undefined>,
) => Promise<StarknetReader | undefined>;

export interface ReadersOptions extends BoundOptions {
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  /** Serves a chain in the provider's place, recorded data for instance. */
  readonly readerFor?: OfChain<ChainReader> | undefined;
  /** Serves Starknet chains in the place of a node. */
  readonly starknet?: StarknetSource | undefined;
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Hash of a block of the chain that everything read of it must be an ancestor of, or that block itself. */
  readonly checkpointFor?: OfChain<Hex> | undefined;
  /** Another node of the chain, which must have every block that is read under the same hash. */
  readonly secondFor?: OfChain<Eip1193Provider> | undefined;
  /** The network that a chain is read from, which anchors name. */
  readonly sourceFor?: OfChain<AnchorSource> | undefined;
}

export function requireChain(chain: ChainIdentifier, foundId: bigint, network = "network", path?: string): void {
  const found = chainIdentifierOf(foundId);
  if (found === undefined || found === chain) return;
  throw hdpError("HDP-4605", { chain, id: chainIdOf(chain), network, found, foundId }, { path });
}

/** The readers of one run: one a chain, shared by its tasks. */
export interface RunReaders {
  readonly readerFor: (chain: ChainIdentifier) => Promise<ChainReader>;
  /** Where modules read Starknet; the configured node by default. */
  readonly starknet?: StarknetSource | undefined;
  /** What the values read of each chain rest on, when the reading is over; `undefined` for recorded data. */
  readonly anchors: () => Promise<ReadonlyMap<ChainIdentifier, Anchor | undefined>>;
}

/** Returns a function that opens the readers of a run; runs share the bound on a node's reads, and headers. */
export function readersOf(options: ReadersOptions): (signal?: AbortSignal) => RunReaders {
  const { providerFor, readerFor, prove, checkpointFor, secondFor, sourceFor } = options;
  const known = new WeakMap<Eip1193Provider, BoundedProvider>();
  const boundedOf = (provider: Eip1193Provider): BoundedProvider => {
    const bounded = known.get(provider) ?? boundedReads(provider, options);
    known.set(provider, bounded);
    return bounded;
  };
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
      const headers = HeaderCache.of(provider);
      return new ProvenChainReader(boundedOf(provider), { prove, signal, checkpoint, second, source, headers });
    }, options.starknet);
}

/** Readers that are opened when they are first asked for. */
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
      const anchors = new Map<ChainIdentifier, Anchor | undefined>();
      for (const [chain, reader] of readers) anchors.set(chain, await (await reader).anchor?.());
      return anchors;
    },
  };
}
