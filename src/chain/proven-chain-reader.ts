import type { Address, Hex } from "viem";

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { Anchor, AnchorSource } from "../request/task-result.js";
import type {
  AccountState,
  BlockLink,
  ChainReader,
  LinkedRead,
  ProveMode,
  Read,
  SlotRead,
} from "./chain-reader.js";
import type { RpcClientOptions, RpcObject } from "./node-rpc.js";
import { bigIntField, data, RpcClient, rpcObject } from "./node-rpc.js";
import { nodesDiffer, verifiedHeader, VerifiedReads } from "./verified-reads.js";

/** What a reader proves, and what its proofs have to rest on. */
export interface ProvenChainReaderOptions extends RpcClientOptions {
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Hash of a block: every block read must be this block or an ancestor. */
  readonly checkpoint?: Hex | undefined;
  /** A second node of the chain, which must have every block read under the same hash. */
  readonly second?: Eip1193Provider | undefined;
  /** The network that the anchor names. */
  readonly source?: AnchorSource | undefined;
}

/** Maximum number of headers read to link blocks to a checkpoint. */
const MAX_WALK = 20_000;
const WALK_STEP = 500;

/**
 * Reads a chain through an EIP-1193 provider and checks it: headers against the block hash, accounts and slots against the
 * state root, transactions and receipts against their roots. All blocks that it reads must be of one chain, on which its
 * anchor rests. It caches some values: create one for each run.
 */
export class ProvenChainReader implements ChainReader {
  public readonly readAhead: number;
  readonly #rpc: RpcClient;
  readonly #reads: VerifiedReads;
  readonly #options: ProvenChainReaderOptions;
  readonly #hasSecond: boolean;
  readonly #links = new HeaderLinks();
  #hasHead = false;
  /** The lowest and the highest block that was asked for. */
  #lowest: bigint | undefined;
  #highest: bigint | undefined;

  public constructor(provider: Eip1193Provider, options: ProvenChainReaderOptions = {}) {
    const { second: other, prove = "when-possible", source } = options;
    this.#options = options;
    this.#rpc = new RpcClient(provider, options);
    this.readAhead = this.#rpc.readAhead;
    this.#hasSecond = other !== undefined && prove !== "never";
    const second = this.#hasSecond && other ? new RpcClient(other, options) : undefined;
    this.#reads = new VerifiedReads({ rpc: this.#rpc, second, prove, source });
  }

  /** Reads of the chain that leave no trace in the anchor. This reader finds what was read there. */
  public get ahead(): ChainReader {
    return this.#reads;
  }

  public async header(block: bigint): Promise<Read<readonly Hex[]>> {
    return await this.#counted(block, this.#reads.header(block));
  }

  public async account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return await this.#counted(block, this.#reads.account(block, address));
  }

  public async storage(block: bigint, address: Address, slot: Hex): Promise<SlotRead> {
    return await this.#counted(block, this.#reads.storage(block, address, slot));
  }

  public async code(block: bigint, address: Address): Promise<Read<Hex>> {
    return await this.#counted(block, this.#reads.code(block, address));
  }

  public async transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return await this.#counted(block, this.#reads.transaction(block, index));
  }

  public async receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return await this.#counted(block, this.#reads.receipt(block, index));
  }

  public async transactionCount(block: bigint): Promise<number> {
    return await this.#reads.transactionCount(block);
  }

  /** Returns the latest block; undefined if the node does not answer, which the next call reports. */
  public async latestBlock(): Promise<bigint | undefined> {
    return await this.#reads.latestBlock();
  }

  public async anchor(): Promise<Anchor | undefined> {
    const head = this.#reads.head();
    if (head === undefined) return undefined;
    const { number, hash } = await head;
    const now = await this.#reads.hashAt(number);
    if (now !== hash) throw reorganised(number, hash, now);
    const agreed: Anchor = this.#hasSecond
      ? await this.#agreed(number, hash)
      : { kind: "node", number, hash };
    const { checkpoint, source } = this.#options;
    const anchor = checkpoint === undefined ? agreed : await this.#linkTo(checkpoint);
    return source === undefined ? anchor : { ...anchor, source };
  }

  /** Returns a value after linking its block to those of the values before. */
  async #counted<T, R extends Read<T>>(
    block: bigint,
    reading: Promise<LinkedRead<T, R>>,
  ): Promise<Omit<LinkedRead<T, R>, "link">> {
    if (this.#lowest === undefined || block < this.#lowest) this.#lowest = block;
    if (this.#highest === undefined || block > this.#highest) this.#highest = block;
    const { link, ...read } = await reading;
    if (link !== undefined) await this.#count(link);
    return read;
  }

  async #count(link: BlockLink): Promise<void> {
    if (!this.#hasHead) {
      this.#hasHead = true;
      const head = await this.#reads.pinHead();
      if (head !== undefined) this.#links.add(head.number, head.hash, head.parent);
    }
    this.#links.add(link.number, link.hash, link.parent);
  }

  /** Returns the latest block of both nodes: the head, or the last block read if the second node is behind. */
  async #agreed(number: bigint, hash: Hex): Promise<Anchor> {
    const second = await this.#reads.secondHashAt(number);
    if (second === hash) return { kind: "nodes", number, hash };
    const highest = this.#highest ?? number;
    const read = this.#links.linkedHash(highest);
    if (second !== undefined || read === undefined) throw nodesDiffer(number, hash, second);
    return { kind: "nodes", number: highest, hash: read };
  }

  /** Reads the headers between the blocks read and the checkpoint: each must be the parent of the next. */
  async #linkTo(checkpoint: Hex): Promise<Anchor> {
    const answer = await this.#rpc.call("eth_getBlockByHash", [checkpoint, false]);
    const off = (reason: string): HdpError => hdpError("HDP-4206", { checkpoint, reason });
    if (answer === null || answer === undefined) throw off("the node does not know this block");
    const json = rpcObject(answer, `block ${checkpoint}`);
    const number = bigIntField(json, "number");
    if (data(json, "hash", 32) !== checkpoint) throw off("the node gave another block for it");
    const highest = this.#highest ?? number;
    if (highest > number) throw off(`it is block ${number}, and block ${highest} was read`);
    this.#link(number, json);
    const lowest = this.#lowest ?? number;
    const between = number - lowest + 1n - BigInt(this.#links.present(lowest, number));
    if (between > MAX_WALK)
      throw off(`${between} headers lie between the blocks that were read and block ${number}`);
    const missing = this.#links.missing(lowest, number);
    for (let at = 0; at < missing.length; at += WALK_STEP) {
      const step = missing.slice(at, at + WALK_STEP);
      await Promise.all(
        step.map(async (block) => this.#link(block, await this.#reads.readBlock(block, false))),
      );
    }
    return { kind: "checkpoint", number, hash: checkpoint };
  }

  #link(block: bigint, json: RpcObject): void {
    const { hash, parent } = verifiedHeader(block, json).link;
    this.#links.add(block, hash, parent);
  }
}

/** Headers read in a run, by number, parent and child. All are kept, since a node could replace a dropped one. */
export class HeaderLinks {
  readonly #links = new Map<bigint, { readonly hash: Hex; readonly parent: Hex }>();

  public add(number: bigint, hash: Hex, parent: Hex): void {
    const known = this.#links.get(number);
    if (known !== undefined) {
      if (known.hash !== hash) throw reorganised(number, known.hash, hash);
      return;
    }
    const below = this.#links.get(number - 1n);
    if (below !== undefined && below.hash !== parent) throw unlinked(number, parent, below.hash);
    const above = this.#links.get(number + 1n);
    if (above !== undefined && above.parent !== hash)
      throw unlinked(number + 1n, above.parent, hash);
    // Neighbours share the text of a hash.
    this.#links.set(number, { hash, parent: below?.hash ?? parent });
  }

  public linkedHash(number: bigint): Hex | undefined {
    return this.#links.get(number)?.hash;
  }

  /** Returns how many headers of an inclusive range were read. */
  public present(from: bigint, to: bigint): number {
    return [...this.#links.keys()].filter((number) => number >= from && number <= to).length;
  }

  /** Returns the numbers of an inclusive range whose headers were not read. */
  public missing(from: bigint, to: bigint): bigint[] {
    const missing: bigint[] = [];
    for (let number = from; number <= to; number += 1n) {
      if (!this.#links.has(number)) missing.push(number);
    }
    return missing;
  }
}

/** Returns HDP-4205: a block that was read is no longer on the chain. */
function reorganised(block: bigint, before: Hex, after: Hex | undefined): HdpError {
  const now = after === undefined ? "does not exist any more" : `is ${after} now`;
  return hdpError("HDP-4205", { block, before, now });
}

function unlinked(block: bigint, parent: Hex, hash: Hex): HdpError {
  if (/^0x0+$/.test(parent)) return hdpError("HDP-4210", { block });
  return hdpError("HDP-4209", { block, parent, below: block - 1n, hash });
}
