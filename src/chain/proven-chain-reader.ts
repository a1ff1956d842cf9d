import type { Address, Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import { plural } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { Anchor, AnchorSource } from "../request/task-result.js";
import { AccountProofs, verifyCode } from "./state-proof.js";
import { BlockBodyReader, HEADER, headerItems, provenHeader } from "./blocks.js";
import type { AccountState, ChainReader, ProveMode, Read } from "./chain-reader.js";
import type { RpcClientOptions, RpcObject } from "./node-rpc.js";
import {
  asData,
  asInteger,
  bigIntOf,
  data,
  quantity,
  RpcClient,
  rpcObject,
  UnsupportedReadError,
} from "./node-rpc.js";

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

type Head = Pick<Anchor, "number" | "hash">;

/** Minimum number of cached values: twice the read-ahead suffices for tasks that read a range in parallel. */
const MIN_WINDOW = 64;

/**
 * Reads a chain through an EIP-1193 provider and checks it: headers against the block hash, accounts and slots against the
 * state root, transactions and receipts against their roots. It caches some values: create one for each run.
 */
export class ProvenChainReader implements ChainReader {
  public readonly readAhead: number;
  readonly #rpc: RpcClient;
  readonly #checks: boolean;
  readonly #options: ProvenChainReaderOptions;
  readonly #second: RpcClient | undefined;
  readonly #links = new HeaderLinks();
  readonly #bodies: BlockBodyReader;
  readonly #proofs: AccountProofs | undefined;
  /** The latest block when reading began. */
  #head: Promise<Head> | undefined;
  #pinned: Promise<Head | undefined> | undefined;
  #lowest: bigint | undefined;
  #highest: bigint | undefined;
  readonly #headers: BoundedCache<bigint, Read<readonly Hex[]>>;
  readonly #accounts: BoundedCache<string, Read<AccountState>>;
  readonly #slots: BoundedCache<string, Read<bigint>>;

  public constructor(provider: Eip1193Provider, options: ProvenChainReaderOptions = {}) {
    const { second, prove = "when-possible" } = options;
    this.#rpc = new RpcClient(provider, options);
    this.readAhead = this.#rpc.readAhead;
    const window = Math.max(MIN_WINDOW, 2 * this.readAhead);
    this.#headers = new BoundedCache(window);
    this.#accounts = new BoundedCache(window);
    this.#slots = new BoundedCache(window);
    this.#checks = prove !== "never";
    if (this.#checks) this.#proofs = new AccountProofs(this.#rpc, prove === "require");
    this.#options = options;
    if (second !== undefined && this.#checks) this.#second = new RpcClient(second, options);
    this.#bodies = new BlockBodyReader(this.#rpc, this.#checks, async (block) => {
      const json = await this.#readNoted(block, true);
      if (this.#checks) this.#proven(block, json);
      return json;
    });
  }

  public header(block: bigint): Promise<Read<readonly Hex[]>> {
    return this.#headers.get(block, async () => {
      const json = await this.#readNoted(block, false);
      return {
        value: this.#checks ? this.#proven(block, json) : headerItems(json),
        proven: this.#checks,
      };
    });
  }

  /** Returns the latest block; undefined if the node does not answer, which the next call reports. */
  public async latestBlock(): Promise<bigint | undefined> {
    return (await this.#pinHead())?.number ?? (await this.#latestNumber().catch(() => undefined));
  }

  public account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return this.#accounts.get(`${block}:${address}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([
          this.header(block),
          this.#proofs?.account(block, address),
        ]);
        const value = prove?.(stateRoot(header));
        if (value !== undefined) return { value, proven: true };
        return { value: await this.#plainAccount(block, address), proven: false };
      }),
    );
  }

  public storage(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>> {
    return this.#slots.get(`${block}:${address}:${slot}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([
          this.header(block),
          this.#proofs?.slot(block, address, slot),
        ]);
        const value = prove?.(stateRoot(header));
        if (value !== undefined) return { value, proven: true };
        const word = await this.#rpc.call("eth_getStorageAt", [address, slot, quantity(block)]);
        return {
          value: BigInt(asData(word, `block ${block}`, `storage of ${address}`, 32)),
          proven: false,
        };
      }),
    );
  }

  /** Reads state of a block. @throws HdpError HDP-4208 if the node lacks the state, or a required proof of it */
  async #ofState<T>(block: bigint, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      if (!(cause instanceof UnsupportedReadError) || !cause.isOfState) throw cause;
      const head = await this.latestBlock();
      if (head !== undefined && block > head) throw noSuchBlock(block, head);
      const behind =
        head === undefined
          ? ""
          : `, ${plural(Number(head - block), "block")} behind its head ${head},`;
      const chain = this.#options.source?.chain ?? "<chain>";
      throw hdpError("HDP-4208", { block, behind, words: cause.words, chain }, { cause });
    }
  }

  public async code(block: bigint, address: Address): Promise<Read<Hex>> {
    const reading = this.account(block, address);
    const calling = this.#ofState(block, () =>
      this.#rpc.call("eth_getCode", [address, quantity(block)]),
    );
    const [{ value: account, proven }, answer] = await Promise.all([reading, calling]);
    const code = asData(answer, `block ${block}`, `code of ${address}`);
    if (proven) verifyCode(block, address, account, code);
    return { value: code, proven };
  }

  public transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#bodies.transaction(block, index);
  }

  public receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return this.#bodies.receipt(block, index);
  }

  public transactionCount(block: bigint): Promise<number> {
    return this.#bodies.transactionCount(block);
  }

  public async anchor(): Promise<Anchor | undefined> {
    if (this.#head === undefined) return undefined;
    const { number, hash } = await this.#head;
    const now = await this.#hashAt(this.#rpc, number);
    if (now !== hash) throw reorganised(number, hash, now);
    const agreed: Anchor =
      this.#second === undefined
        ? { kind: "node", number, hash }
        : await this.#agreed({ number, hash });
    const { checkpoint, source } = this.#options;
    const anchor = checkpoint === undefined ? agreed : await this.#linkTo(checkpoint);
    return source === undefined ? anchor : { ...anchor, source };
  }

  /** Reads a block for a task, after the head is pinned. A second node must have the block too. */
  async #readNoted(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    await this.#pinHead();
    if (this.#lowest === undefined || block < this.#lowest) this.#lowest = block;
    if (this.#highest === undefined || block > this.#highest) this.#highest = block;
    const reading = this.#readBlock(block, withTransactions);
    if (this.#second === undefined) return await reading;
    const [json, second] = await Promise.all([reading, this.#hashAt(this.#second, block)]);
    const hash = data(json, "hash", 32);
    if (second !== hash) throw nodesDiffer(block, hash, second);
    return json;
  }

  /** Returns the hash of a block; undefined without the node, or if the node does not have the block. */
  async #hashAt(node: RpcClient | undefined, block: bigint): Promise<Hex | undefined> {
    const answer = await node?.call("eth_getBlockByNumber", [quantity(block), false]);
    if (answer === null || answer === undefined) return undefined;
    return data(
      rpcObject(answer, `block ${block}${node === this.#second ? " of the second node" : ""}`),
      "hash",
      32,
    );
  }

  /** Returns the latest block of both nodes: the head, or the last block read if the second node is behind. */
  async #agreed({ number, hash }: Head): Promise<Anchor> {
    const second = await this.#hashAt(this.#second, number);
    if (second === hash) return { kind: "nodes", number, hash };
    const highest = this.#highest ?? number;
    const read = this.#links.hashOf(highest);
    if (second !== undefined || read === undefined) throw nodesDiffer(number, hash, second);
    return { kind: "nodes", number: highest, hash: read };
  }

  async #readBlock(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", [
      quantity(block),
      withTransactions,
    ]);
    if (answer === null || answer === undefined)
      throw noSuchBlock(block, await this.#latestNumber());
    return rpcObject(answer, `block ${block}`);
  }

  /** Returns a header after verifying its hash and its links to the headers read before. */
  #proven(block: bigint, json: RpcObject): readonly Hex[] {
    const { hash, items } = provenHeader(block, json);
    this.#links.add(block, hash, items[HEADER.parentHash] ?? "0x");
    return items;
  }

  /** Reads the node's head, which must still be on the chain at the end. {@link anchor} throws its failure. */
  async #pinHead(): Promise<Head | undefined> {
    if (this.#checks) this.#head ??= this.#readHead();
    return await (this.#pinned ??= this.#head?.catch(() => undefined));
  }

  async #readHead(): Promise<Head> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", ["latest", false]);
    const json = rpcObject(answer, "the latest block");
    const number = bigIntOf(json, "number");
    this.#proven(number, json);
    return { number, hash: data(json, "hash", 32) };
  }

  /** Reads the headers between the blocks read and the checkpoint: each must be the parent of the next. */
  async #linkTo(checkpoint: Hex): Promise<Anchor> {
    const answer = await this.#rpc.call("eth_getBlockByHash", [checkpoint, false]);
    const off = (reason: string): HdpError => hdpError("HDP-4206", { checkpoint, reason });
    if (answer === null || answer === undefined) throw off("the node does not know this block");
    const json = rpcObject(answer, `block ${checkpoint}`);
    const number = bigIntOf(json, "number");
    if (data(json, "hash", 32) !== checkpoint) throw off("the node gave another block for it");
    const highest = this.#highest ?? number;
    if (highest > number) throw off(`it is block ${number}, and block ${highest} was read`);
    this.#proven(number, json);
    const lowest = this.#lowest ?? number;
    const between = number - lowest + 1n - BigInt(this.#links.present(lowest, number));
    if (between > MAX_WALK)
      throw off(`${between} headers lie between the blocks that were read and block ${number}`);
    const missing = this.#links.missing(lowest, number);
    for (let at = 0; at < missing.length; at += WALK_STEP) {
      const step = missing.slice(at, at + WALK_STEP);
      await Promise.all(
        step.map(async (block) => this.#proven(block, await this.#readBlock(block, false))),
      );
    }
    return { kind: "checkpoint", number, hash: checkpoint };
  }

  async #plainAccount(block: bigint, address: Address): Promise<AccountState> {
    const at = [address, quantity(block)];
    const calls = ["eth_getTransactionCount", "eth_getBalance"].map((method) =>
      this.#rpc.call(method, at),
    );
    const [nonce, balance] = await Promise.all(calls);
    const what = `account ${address} in block ${block}`;
    // Only eth_getProof returns the two hashes: reading a hash fails, reading other fields does not.
    const unknown = (field: string): HdpError =>
      hdpError("HDP-4204", {
        subject: `${field} of ${address}`,
        block,
        reason: "only eth_getProof gives it",
      });
    return {
      nonce: asInteger(nonce, what, "nonce"),
      balance: asInteger(balance, what, "balance"),
      get storageRoot(): Hex {
        throw unknown("storage_root");
      },
      get codeHash(): Hex {
        throw unknown("code_hash");
      },
    };
  }

  async #latestNumber(): Promise<bigint> {
    return asInteger(await this.#rpc.call("eth_blockNumber", []), "eth_blockNumber", "number");
  }
}

/** Returns the error of two nodes with different blocks of one number, of which either may be wrong. */
function nodesDiffer(block: bigint, first: Hex, second = "no such block"): HdpError {
  return hdpError("HDP-4207", { block, first, second });
}

/** Returns HDP-4101; `path` is the place of the range's end in the request, if known. */
export function noSuchBlock(block: bigint, latest: bigint, path?: string): HdpError {
  return hdpError("HDP-4101", { block, chain: "the chain", head: latest }, { path });
}

function stateRoot({ value: items }: Read<readonly Hex[]>): Hex {
  return items[HEADER.stateRoot] ?? "0x";
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

  public hashOf(number: bigint): Hex | undefined {
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

function unlinked(block: bigint, parent: Hex, below: Hex): HdpError {
  const reason = `it is ${parent}, but block ${block - 1n} hashes to ${below}`;
  const explanation = /^0x0+$/.test(parent)
    ? `Block ${block} was skipped by one hardhat_mine of 8 or more (mine of Hardhat's network helpers), and has no parent: mine with hdp.mine(blocks), or at most 7 a call.`
    : "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.";
  return hdpError("HDP-4201", { block, field: "parentHash", reason, explanation });
}
