import type { Hex } from "viem";

import { dropOldest } from "../base/collections.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** Returns the key of a block: maps look up numbers several times as fast as bigints. */
function keyOf(number: bigint): number | bigint {
  return number <= Number.MAX_SAFE_INTEGER ? Number(number) : number;
}

/** Headers read in a run, by number, parent and child. All are kept, since a node could replace a dropped one. */
export class HeaderLinks {
  readonly #links = new Map<number | bigint, Pick<KnownHeader, "hash" | "parent">>();

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
    // Neighbours share the text of a hash.
    this.#links.set(key, { hash, parent: below?.hash ?? parent });
  }

  public hashOf(number: bigint): Hex | undefined {
    return this.#links.get(keyOf(number))?.hash;
  }

  /** Returns how many headers of an inclusive range were read. */
  public present(from: bigint, to: bigint): number {
    let present = 0;
    for (const number of this.#links.keys()) if (number >= from && number <= to) present += 1;
    return present;
  }

  /** Returns the numbers of an inclusive range whose headers were not read. */
  public missing(from: bigint, to: bigint): bigint[] {
    const missing: bigint[] = [];
    for (let number = from; number <= to; number += 1n) {
      if (!this.#links.has(keyOf(number))) missing.push(number);
    }
    return missing;
  }
}

/** Returns HDP-4205: a block that was read is no longer on the chain. */
export function reorganised(block: bigint, before: Hex, after: Hex | undefined): HdpError {
  const now = after === undefined ? "does not exist any more" : `is ${after} now`;
  return hdpError("HDP-4205", { block, before, now });
}

function unlinked(block: bigint, parent: Hex, below: Hex): HdpError {
  const reason = `it is ${parent}, but block ${block - 1n} hashes to ${below}`;
  const explanation = /^0x0+$/.test(parent)
    ? `Block ${block} was skipped by one hardhat_mine of 8 or more (mine of Hardhat's network helpers), and has no parent: mine with hdp.mine(blocks), or at most 7 a call.`
    : "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.";
  return hdpError("HDP-4201", { block, field: "parentHash", reason, explanation });
}

/** A header whose hash was computed from its items. */
export interface KnownHeader {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parent: Hex;
  /** In the order of the header's RLP list. */
  readonly items: readonly Hex[];
}

/** About 16,000 headers. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Memory of a header, and of an item, in addition to the characters of the items. */
const HEADER_BYTES = 300;
const ITEM_BYTES = 24;
/** Number of headers verified by one read of the top header; a reorganisation wastes one read for each bucket. */
const BUCKET = 1024n;
/** Maximum number of linked headers that a run keeps. */
const MAX_LINKED = 4096;

/** Headers that earlier runs read from a node, by number. {@link LinkedHeaders} detects those reorganised away. */
export class HeaderCache {
  readonly #headers = new Map<number | bigint, KnownHeader>();
  #bytes = 0;

  /** @param bucket number of headers linked to one that is read again */
  public constructor(
    public readonly maxBytes = MAX_BYTES,
    public readonly bucket = BUCKET,
  ) {}

  static readonly #all = new WeakMap<Eip1193Provider, HeaderCache>();

  /** Returns the cache of a node: one for each provider, garbage-collected with it. */
  public static of(provider: Eip1193Provider): HeaderCache {
    const cache = this.#all.get(provider) ?? new HeaderCache();
    this.#all.set(provider, cache);
    return cache;
  }

  public get(number: bigint): KnownHeader | undefined {
    return this.#headers.get(keyOf(number));
  }

  public get bytes(): number {
    return this.#bytes;
  }

  /** Adds a header, replacing another with its number, and drops the oldest ones if the cache is full. */
  public put(header: KnownHeader): void {
    const known = this.get(header.number);
    if (known?.hash === header.hash) return;
    if (known !== undefined) this.drop(known);
    this.#headers.set(keyOf(header.number), header);
    this.#bytes += bytesOf(header);
    if (this.#bytes > this.maxBytes) this.#makeRoom();
  }

  /** Drops a tenth at once: finding the first entry of a map is slow while many were deleted before it. */
  #makeRoom(): void {
    for (const header of this.#headers.values()) {
      if (this.#bytes <= 0.9 * this.maxBytes) return;
      this.drop(header);
    }
  }

  /** Drops a header, unless another one has replaced it. */
  public drop(header: KnownHeader): void {
    const key = keyOf(header.number);
    if (this.#headers.get(key) !== header) return;
    this.#headers.delete(key);
    this.#bytes -= bytesOf(header);
  }
}

function bytesOf({ items }: KnownHeader): number {
  let bytes = HEADER_BYTES;
  for (const item of items) bytes += item.length + ITEM_BYTES;
  return bytes;
}

/**
 * The cached headers that belong to the chain in one run: those linked by parent hashes, without a gap, to a header
 * that the node returned in this run. Hashes identify headers, so the node would return the same ones, however often the
 * chain was reorganised before the run. A change during the run is detected by the head, which is compared at the end, and by
 * neighbours that are not linked.
 */
export class LinkedHeaders {
  readonly #cache: HeaderCache;
  readonly #links: Pick<HeaderLinks, "hashOf">;
  readonly #read: (number: bigint) => Promise<unknown>;
  readonly #linked = new Map<bigint, KnownHeader>();
  readonly #linking = new Map<bigint, Promise<void>>();

  /** @param read reads a header from the node, checks it and adds it to `links`, the headers read in this run */
  public constructor(
    cache: HeaderCache,
    links: Pick<HeaderLinks, "hashOf">,
    read: (number: bigint) => Promise<unknown>,
  ) {
    this.#cache = cache;
    this.#links = links;
    this.#read = read;
  }

  /** Returns whether {@link header} may return the header. */
  public has(number: bigint): boolean {
    return this.#linked.has(number) || this.#cache.get(number) !== undefined;
  }

  public keep(header: KnownHeader): void {
    this.#cache.put(header);
  }

  /** Returns a cached header; `undefined` if it has to be read. Ignores cached headers above the run's `head`. */
  public async header(number: bigint, head: bigint): Promise<KnownHeader | undefined> {
    const linked = this.#linked.get(number);
    if (linked !== undefined) return linked;
    await (this.#linking.get(number) ?? this.#link(number, this.#segment(number, head)));
    return this.#linked.get(number);
  }

  /** Returns the cached headers of the bucket that parent hashes link to the wanted one, the highest first. */
  #segment(number: bigint, head: bigint): KnownHeader[] {
    const { bucket } = this.#cache;
    const first = (number / bucket) * bucket;
    const last = first + bucket - 1n;
    let top = this.#cache.get(number);
    while (top !== undefined && top.number < last && top.number < head) {
      const above = this.#cache.get(top.number + 1n);
      if (above?.parent !== top.hash) break;
      top = above;
    }
    const segment: KnownHeader[] = [];
    for (let at = top; at !== undefined && at.number >= first;) {
      segment.push(at);
      const below = this.#cache.get(at.number - 1n);
      at = below?.hash === at.parent ? below : undefined;
    }
    return segment;
  }

  async #link(number: bigint, segment: readonly KnownHeader[]): Promise<void> {
    const [top] = segment;
    // Reading the top of a segment only for itself saves no read.
    if (top === undefined || (top.number === number && this.#links.hashOf(number) === undefined)) return;
    const linking = this.#verify(top, segment);
    for (const header of segment) this.#linking.set(header.number, linking);
    await linking;
    for (const header of segment) this.#linking.delete(header.number);
  }

  /** Reads the top header again. If it is still on the chain, so are its ancestors; otherwise all are dropped. */
  async #verify(top: KnownHeader, segment: readonly KnownHeader[]): Promise<void> {
    // Ignores a failure: the caller did not request this header, and reads the requested ones instead.
    if (this.#links.hashOf(top.number) === undefined) await this.#read(top.number).catch(() => undefined);
    const isCurrent = this.#links.hashOf(top.number) === top.hash;
    for (const header of segment) {
      if (isCurrent) this.#linked.set(header.number, header);
      else this.#cache.drop(header);
    }
    if (isCurrent) dropOldest(this.#linked, MAX_LINKED);
  }
}
