import type { Hex } from "viem";

import { dropOldest } from "../base/collections.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { HdpError } from "../errors/hdp-error.js";
import { headerMismatch } from "./chain-reader.js";

/** Links that are kept, the latest: reads of neighbours are not far apart. */
const KEPT = 32_768;

interface Link {
  readonly hash: Hex;
  readonly parent: Hex;
}

/** Looking up bigints takes several times as long as numbers, and shows. */
export function keyOf(number: bigint): number | bigint {
  return number <= Number.MAX_SAFE_INTEGER ? Number(number) : number;
}

/** Headers that were read in a run, by number. Neighbours must be parent and child. */
export class HeaderLinks {
  readonly #links = new Map<number | bigint, Link>();

  /** @throws HdpError HDP-4201 where the header does not fit one that was read before, HDP-4205 where it replaces it. */
  public add(number: bigint, hash: Hex, parent: Hex): void {
    const key = keyOf(number);
    const known = this.#links.get(key);
    if (known !== undefined) {
      if (known.hash !== hash) throw reorganised(number, known.hash, hash);
      return;
    }
    const below = this.#links.get(keyOf(number - 1n));
    if (below !== undefined && below.hash !== parent) throw unlinked(number, parent, below.hash);
    const above = this.#links.get(keyOf(number + 1n));
    if (above !== undefined && above.parent !== hash) throw unlinked(number + 1n, above.parent, hash);
    // One text for both, where there are two.
    this.#links.set(key, { hash, parent: below?.hash ?? parent });
    dropOldest(this.#links, KEPT);
  }

  /** The hash of a header that was read, if it is kept. */
  public hashOf(number: bigint): Hex | undefined {
    return this.#links.get(keyOf(number))?.hash;
  }

  /** Numbers from one to another, both included, whose headers are not there. */
  public missing(from: bigint, to: bigint): bigint[] {
    const missing: bigint[] = [];
    for (let number = from; number <= to; number += 1n) {
      if (!this.#links.has(keyOf(number))) missing.push(number);
    }
    return missing;
  }
}

/** A block that was read is not the chain's any more. */
export function reorganised(number: bigint, before: Hex, now: Hex | undefined): HdpError {
  const what = now === undefined ? "does not exist any more" : `is ${now} now`;
  return new HdpError({
    code: "HDP-4205",
    message: `the chain was reorganised while it was read: block ${number} was ${before} and ${what}`,
    hints: ["Run the task again. Nothing was finalized. Ranges that end well below the head are not affected."],
  });
}

/** The checkpoint is not what everything read can be linked to. */
export function offCheckpoint(checkpoint: Hex, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4206",
    message: `checkpoint ${checkpoint}: ${sentence}`,
    hints: ["Set hdp.local.checkpoint to the hash of a block at or after the last one that tasks read, or remove it."],
  });
}

/** Two nodes have different blocks under one number: one of them is wrong, and which is not known. */
export function nodesDiffer(number: bigint, first: Hex, second: Hex | undefined): HdpError {
  const what = second === undefined ? "has no such block" : `has ${second}`;
  return new HdpError({
    code: "HDP-4207",
    message: `block ${number} is ${first}, but the second node ${what}`,
    hints: [
      "Nothing was finalized. One of the nodes is behind, on another chain, or wrong: ask a third.",
      "The second node is the network that hdp.local.secondNode names.",
    ],
  });
}

function unlinked(number: bigint, parent: Hex, below: Hex): HdpError {
  return headerMismatch(number, "parentHash", `it is ${parent}, but block ${number - 1n} hashes to ${below}`, [
    "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.",
  ]);
}

/** A header whose hash was computed from its items. */
export interface KnownHeader {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parent: Hex;
  /** In the order of the header's RLP list. */
  readonly items: readonly Hex[];
}

interface Kept {
  readonly header: KnownHeader;
  /** How many came before it. */
  readonly turn: number;
}

/** About 16,000 headers. */
const MOST_BYTES = 32 * 1024 * 1024;
/** What a header takes beside the characters of its items, and each item beside its own. */
const HEADER_BYTES = 300;
const ITEM_BYTES = 24;
/** One header is read again for so many below it: what a reorganisation costs in vain is one read for each of these. */
const BUCKET = 1024n;
/** Headers that a run has linked and holds on to. */
const MOST_LINKED = 4096;

export interface HeaderCacheLimits {
  /** Bytes that the headers may take, about. Default 32 MiB. */
  readonly mostBytes?: number;
  /** Headers that hang from one that is read again. Default 1,024. */
  readonly bucket?: bigint;
}

/**
 * Headers that earlier runs read of a node, the last one under each number. That one was the chain's is no reason to
 * believe that it still is: {@link LinkedHeaders} looks whether it is.
 */
export class HeaderCache {
  public readonly bucket: bigint;
  readonly #mostBytes: number;
  readonly #headers = new Map<number | bigint, Kept>();
  /** The same by their turns: of a map that had many entries before its first one, that one is slow to find. */
  readonly #turns = new Map<number, Kept>();
  #oldest = 0;
  #next = 0;
  #bytes = 0;

  public constructor({ mostBytes = MOST_BYTES, bucket = BUCKET }: HeaderCacheLimits = {}) {
    this.#mostBytes = mostBytes;
    this.bucket = bucket;
  }

  static readonly #all = new WeakMap<Eip1193Provider, HeaderCache>();

  /** The cache of a node: one for each provider, given up with it. */
  public static of(provider: Eip1193Provider): HeaderCache {
    const known = this.#all.get(provider);
    if (known !== undefined) return known;
    const made = new HeaderCache();
    this.#all.set(provider, made);
    return made;
  }

  public get(number: bigint): KnownHeader | undefined {
    return this.#headers.get(keyOf(number))?.header;
  }

  /** Bytes that the headers take, about. */
  public get bytes(): number {
    return this.#bytes;
  }

  /** In the place of another one under its number; the oldest make room. */
  public put(header: KnownHeader): void {
    const key = keyOf(header.number);
    const known = this.#headers.get(key)?.header;
    if (known?.hash === header.hash) return;
    if (known !== undefined) this.drop(known);
    const kept = { header, turn: this.#next };
    this.#headers.set(key, kept);
    this.#turns.set(this.#next, kept);
    this.#next += 1;
    this.#bytes += bytesOf(header);
    while (this.#bytes > this.#mostBytes) this.#dropOldest();
  }

  #dropOldest(): void {
    const kept = this.#turns.get(this.#oldest);
    this.#oldest += 1;
    if (kept !== undefined) this.#remove(kept);
  }

  /** That header, not another one that has come into its place. */
  public drop(header: KnownHeader): void {
    const kept = this.#headers.get(keyOf(header.number));
    if (kept?.header === header) this.#remove(kept);
  }

  #remove({ header, turn }: Kept): void {
    this.#headers.delete(keyOf(header.number));
    this.#turns.delete(turn);
    this.#bytes -= bytesOf(header);
  }
}

/** What a run needs of its own reading to tell which headers of a cache are the chain's. */
export interface RunReads {
  /** The hash that the node has told in this run for a number, checked, if it was asked for it. */
  hashOf(number: bigint): Hex | undefined;
  /** Asks the node for the header in this run and checks its hash. */
  read(number: bigint): Promise<void>;
}

/**
 * The headers of a cache that are the chain's in one run: those from which parent hashes lead, without a gap, up to a
 * header that the node gave in this run. Hashes name their headers, so what such a chain holds is what the node would
 * give, however often the chain was reorganised or reverted before the run. What changes during the run is found as
 * without the cache: by the head that is compared at the end, and by neighbours that do not fit.
 */
export class LinkedHeaders {
  readonly #cache: HeaderCache;
  readonly #run: RunReads;
  readonly #linked = new Map<bigint, KnownHeader>();
  readonly #linking = new Map<bigint, Promise<void>>();
  /** The tops of what is being linked, for who asks meanwhile for another header of the same chain. */
  readonly #tops = new Map<bigint, KnownHeader>();

  public constructor(cache: HeaderCache, run: RunReads) {
    this.#cache = cache;
    this.#run = run;
  }

  /** Whether it is worth asking for {@link header}. */
  public has(number: bigint): boolean {
    return this.#linked.has(number) || this.#cache.get(number) !== undefined;
  }

  /** For later runs: a header that was read and checked in this one. */
  public keep(header: KnownHeader): void {
    this.#cache.put(header);
  }

  /** `undefined` for a header that is to be read. `head`: the run's, above which nothing is taken from the cache. */
  public async header(number: bigint, head: bigint): Promise<KnownHeader | undefined> {
    const linked = this.#linked.get(number);
    if (linked !== undefined) return linked;
    const top = this.#top(number, head);
    if (top === undefined) return undefined;
    const linking = this.#linking.get(top.number) ?? this.#link(top).finally(() => this.#ended(top));
    this.#linking.set(top.number, linking);
    await linking;
    return this.#linked.get(number);
  }

  #ended(top: KnownHeader): void {
    this.#linking.delete(top.number);
    for (const [number, { number: last }] of this.#tops) {
      if (last === top.number) this.#tops.delete(number);
    }
  }

  /** The highest header of the bucket to which parent hashes lead from the cached one, if that is another one. */
  #top(number: bigint, head: bigint): KnownHeader | undefined {
    let at = this.#cache.get(number);
    if (at === undefined) return undefined;
    const { bucket } = this.#cache;
    const last = (number / bucket + 1n) * bucket - 1n;
    const below: bigint[] = [];
    let top = this.#tops.get(number);
    while (top === undefined && at.number < last && at.number < head) {
      const above = this.#cache.get(at.number + 1n);
      if (above?.parent !== at.hash) break;
      below.push(at.number);
      at = above;
      top = this.#tops.get(at.number);
    }
    top ??= at;
    for (const one of below) this.#tops.set(one, top);
    // A chain of one saves no read, unless this run reads it anyway.
    const alone = top.number === number && !this.#linking.has(number) && this.#run.hashOf(number) === undefined;
    return alone ? undefined : top;
  }

  /** Reads the top in this run, and takes over what hangs from it; what does not is not the chain's any more. */
  async #link(top: KnownHeader): Promise<void> {
    const { number } = top;
    // What is wrong with a header that nobody asked for is no reason to fail: those asked for are read instead.
    if (this.#run.hashOf(number) === undefined) await this.#run.read(number).catch(() => undefined);
    const hash = this.#run.hashOf(number);
    if (top.hash !== hash) this.#dropChain(top);
    const now = this.#cache.get(number);
    if (now === undefined || now.hash !== hash) return;
    for (const header of this.#chainDown(now)) {
      this.#linked.set(header.number, header);
      dropOldest(this.#linked, MOST_LINKED);
    }
  }

  #dropChain(top: KnownHeader): void {
    for (const header of [...this.#chainDown(top)]) this.#cache.drop(header);
  }

  /** The header and its cached ancestors of the same bucket, down to the first that is missing. */
  *#chainDown(top: KnownHeader): Generator<KnownHeader> {
    const lowest = (top.number / this.#cache.bucket) * this.#cache.bucket;
    let at: KnownHeader | undefined = top;
    while (at !== undefined && at.number >= lowest) {
      yield at;
      const below: KnownHeader | undefined = this.#cache.get(at.number - 1n);
      at = below?.hash === at.parent ? below : undefined;
    }
  }
}

function bytesOf({ items }: KnownHeader): number {
  let bytes = HEADER_BYTES;
  for (const item of items) bytes += item.length + ITEM_BYTES;
  return bytes;
}
