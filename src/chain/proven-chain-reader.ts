import type { Address, Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import { plural } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { Anchor, AnchorSource } from "../request/lifecycle.js";
import { AccountProofs, verifyCode } from "./state-proof.js";
import { BlockBodyReader } from "./block-body-reader.js";
import { HEADER, headerItems, provenHeader } from "./block-encoding.js";
import type { AccountState, ChainReader, ProveMode, Read } from "./chain-reader.js";
import { type HeaderCache, HeaderLinks, LinkedHeaders, reorganised } from "./header-cache.js";
import {
  asData,
  asInteger,
  bigIntOf,
  data,
  quantity,
  RpcClient,
  type RpcClientOptions,
  rpcObject,
  type RpcObject,
  UnsupportedReadError,
} from "./node-rpc.js";

export interface ProvenChainReaderOptions extends RpcClientOptions {
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Hash of a block that everything read must be an ancestor of, or that block itself. */
  readonly checkpoint?: Hex | undefined;
  /** Another node of the chain, which must have every block that is read under the same hash. */
  readonly second?: Eip1193Provider | undefined;
  /** Named by the anchor. */
  readonly source?: AnchorSource | undefined;
  /** Headers that earlier readers checked, used while the chain's; not with a second node, nor without proofs. */
  readonly headers?: HeaderCache | undefined;
}

type Head = Pick<Anchor, "number" | "hash">;

/** Headers that are read to link the blocks that were read to a checkpoint. */
const MAX_WALK = 20_000;
const WALK_STEP = 500;

/** Minimum of values that are kept: twice the read-ahead serves tasks that walk a range together. */
const MIN_WINDOW = 64;

/**
 * Reads a chain through an EIP-1193 provider and checks it: headers against the block hash, accounts and slots against the
 * state root, transactions and receipts against their roots. It keeps a bounded window of values: make one for each run.
 */
export class ProvenChainReader implements ChainReader {
  public readonly readAhead: number;
  readonly #rpc: RpcClient;
  readonly #checks: boolean;
  readonly #checkpoint: Hex | undefined;
  readonly #second: RpcClient | undefined;
  readonly #source: Pick<Anchor, "source">;
  readonly #links = new HeaderLinks();
  readonly #linked: LinkedHeaders | undefined;
  readonly #bodies: BlockBodyReader;
  readonly #proofs: AccountProofs;
  #head: Promise<Head> | undefined;
  /** After the head was read; `head` is undefined where the node did not give it. */
  #pinned: { readonly head: Head | undefined } | undefined;
  #lowest: bigint | undefined;
  #highest: bigint | undefined;
  readonly #headers: BoundedCache<bigint, Read<readonly Hex[]>>;
  readonly #accounts: BoundedCache<string, Read<AccountState>>;
  readonly #slots: BoundedCache<string, Read<bigint>>;

  public constructor(provider: Eip1193Provider, options: ProvenChainReaderOptions = {}) {
    const { second, headers, prove = "when-possible" } = options;
    this.#rpc = new RpcClient(provider, options);
    this.readAhead = this.#rpc.readAhead;
    const window = Math.max(MIN_WINDOW, 2 * this.readAhead);
    this.#headers = new BoundedCache(window);
    this.#accounts = new BoundedCache(window);
    this.#slots = new BoundedCache(window);
    this.#checks = prove !== "never";
    this.#proofs = new AccountProofs(this.#rpc, prove);
    this.#checkpoint = options.checkpoint;
    this.#source = options.source === undefined ? {} : { source: options.source };
    if (second !== undefined && this.#checks) this.#second = new RpcClient(second, options);
    if (headers !== undefined && second === undefined && this.#checks) {
      this.#linked = new LinkedHeaders(headers, this.#links, async (block) =>
        this.#proven(block, await this.#readBlock(block, false)),
      );
    }
    this.#bodies = new BlockBodyReader(this.#rpc, prove, {
      read: async (block) => await this.#readNoted(block, true),
      verify: (block, json) => {
        this.#proven(block, json);
      },
    });
  }

  public header(block: bigint): Promise<Read<readonly Hex[]>> {
    return this.#headers.get(block, this.#readHeader);
  }

  // A task reads tens of thousands: each await counts.
  readonly #readHeader = async (block: bigint): Promise<Read<readonly Hex[]>> => {
    if (this.#linked?.has(block) === true) {
      const known = await this.#knownHeader(block, this.#linked);
      if (known !== undefined) return known;
    }
    if (this.#second !== undefined) return this.#checkedHeader(block, await this.#readNoted(block, false));
    if (this.#pinned === undefined) await this.#pinHead();
    this.#note(block);
    const answer = await this.#rpc.call("eth_getBlockByNumber", [quantity(block), false]);
    if (answer === null || answer === undefined) throw noSuchBlock(block, await this.#latestNumber());
    return this.#checkedHeader(block, rpcObject(answer, `block ${block}`));
  };

  /** A header of an earlier run that is linked to one of this run, and takes part like those that were read. */
  async #knownHeader(block: bigint, linked: LinkedHeaders): Promise<Read<readonly Hex[]> | undefined> {
    const head = await this.#pinHead();
    const known = head === undefined ? undefined : await linked.header(block, head.number);
    if (known === undefined) return undefined;
    this.#note(block);
    this.#links.add(block, known.hash, known.parent);
    return { value: known.items, proven: true };
  }

  /** Undefined where the node does not answer: the next call says why. */
  public async latestBlock(): Promise<bigint | undefined> {
    const head = await this.#pinHead();
    return head?.number ?? (await this.#latestNumber().catch(() => undefined));
  }

  public account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return this.#accounts.get(`${block}:${address}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([this.header(block), this.#proofs.account(block, address)]);
        const value = prove?.(stateRoot(header));
        if (value !== undefined) return { value, proven: true };
        return { value: await this.#plainAccount(block, address), proven: false };
      }),
    );
  }

  public storage(block: bigint, address: Address, slot: Hex): Promise<Read<bigint>> {
    return this.#slots.get(`${block}:${address}:${slot}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([this.header(block), this.#proofs.slot(block, address, slot)]);
        const value = prove?.(stateRoot(header));
        if (value !== undefined) return { value, proven: true };
        const word = await this.#rpc.call("eth_getStorageAt", [address, slot, quantity(block)]);
        return { value: BigInt(asData(word, `block ${block}`, `storage of ${address}`, 32)), proven: false };
      }),
    );
  }

  /** Reads state of a block. @throws HdpError HDP-4208 where the node has none, or proves none that has to be proven */
  async #ofState<T>(block: bigint, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (cause) {
      if (!(cause instanceof UnsupportedReadError) || !cause.isOfState) throw cause;
      const head = await this.latestBlock();
      if (head !== undefined && block > head) throw noSuchBlock(block, head);
      const behind = head === undefined ? "" : `, ${plural(Number(head - block), "block")} behind its head ${head},`;
      const chain = this.#source.source?.chain ?? "<chain>";
      throw hdpError("HDP-4208", { block, behind, words: cause.words, chain }, { cause });
    }
  }

  public async code(block: bigint, address: Address): Promise<Read<Hex>> {
    const [{ value: account, proven }, answer] = await Promise.all([
      this.account(block, address),
      this.#ofState(block, () => this.#rpc.call("eth_getCode", [address, quantity(block)])),
    ]);
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
    const agreed = this.#second === undefined ? undefined : await this.#agreed({ number, hash });
    if (this.#checkpoint === undefined) return { ...(agreed ?? { kind: "node", number, hash }), ...this.#source };
    return { kind: "checkpoint", ...(await this.#linkTo(this.#checkpoint)), ...this.#source };
  }

  /** Reads a block that a task needs, after the head is pinned. A second node must have it too. */
  async #readNoted(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    if (this.#pinned === undefined) await this.#pinHead();
    this.#note(block);
    const [json, second] = await Promise.all([
      this.#readBlock(block, withTransactions),
      this.#hashAt(this.#second, block),
    ]);
    const hash = data(json, "hash", 32);
    if (this.#second !== undefined && second !== hash) throw nodesDiffer(block, hash, second);
    return json;
  }

  /** Undefined where the node has no such block, or there is no such node. */
  async #hashAt(node: RpcClient | undefined, block: bigint): Promise<Hex | undefined> {
    const answer = await node?.call("eth_getBlockByNumber", [quantity(block), false]);
    if (answer === null || answer === undefined) return undefined;
    return data(rpcObject(answer, `block ${block}${node === this.#second ? " of the second node" : ""}`), "hash", 32);
  }

  /** The latest block that both nodes have: the head, or the last block that was read where the second node is behind. */
  async #agreed({ number, hash }: Head): Promise<Anchor> {
    const second = await this.#hashAt(this.#second, number);
    if (second === hash) return { kind: "nodes", number, hash };
    const highest = this.#highest ?? number;
    const read = this.#links.hashOf(highest);
    if (second !== undefined || read === undefined) throw nodesDiffer(number, hash, second);
    return { kind: "nodes", number: highest, hash: read };
  }

  async #readBlock(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", [quantity(block), withTransactions]);
    if (answer === null || answer === undefined) throw noSuchBlock(block, await this.#latestNumber());
    return rpcObject(answer, `block ${block}`);
  }

  #checkedHeader(block: bigint, json: RpcObject): Read<readonly Hex[]> {
    if (this.#checks) return { value: this.#proven(block, json), proven: true };
    return { value: headerItems(json), proven: false };
  }

  /** A header whose hash is right, and that fits the headers read before. */
  #proven(block: bigint, json: RpcObject): readonly Hex[] {
    const { hash, items } = provenHeader(block, json);
    const parent = items[HEADER.parentHash] ?? "0x";
    this.#links.add(block, hash, parent);
    this.#linked?.keep({ number: block, hash, parent, items });
    return items;
  }

  #note(block: bigint): void {
    if (this.#lowest === undefined || block < this.#lowest) this.#lowest = block;
    if (this.#highest === undefined || block > this.#highest) this.#highest = block;
  }

  /** Reads the node's head, which must still be there at the end. Its failure is thrown by {@link anchor}. */
  async #pinHead(): Promise<Head | undefined> {
    if (this.#pinned === undefined) {
      if (this.#checks) this.#head ??= this.#readHead();
      this.#pinned = { head: await this.#head?.catch(() => undefined) };
    }
    return this.#pinned.head;
  }

  async #readHead(): Promise<Head> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", ["latest", false]);
    const json = rpcObject(answer, "the latest block");
    const number = bigIntOf(json, "number");
    this.#proven(number, json);
    return { number, hash: data(json, "hash", 32) };
  }

  /** Reads the headers between what was read and the checkpoint: each must be the parent of the next. */
  async #linkTo(checkpoint: Hex): Promise<Head> {
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
    if (between > MAX_WALK) throw off(`${between} headers lie between the blocks that were read and block ${number}`);
    const missing = this.#links.missing(lowest, number);
    for (let at = 0; at < missing.length; at += WALK_STEP) {
      const step = missing.slice(at, at + WALK_STEP);
      await Promise.all(step.map(async (block) => this.#proven(block, await this.#readBlock(block, false))));
    }
    return { number, hash: checkpoint };
  }

  async #plainAccount(block: bigint, address: Address): Promise<AccountState> {
    const at = [address, quantity(block)];
    const [nonce, balance] = await Promise.all([
      this.#rpc.call("eth_getTransactionCount", at),
      this.#rpc.call("eth_getBalance", at),
    ]);
    const what = `account ${address} in block ${block}`;
    // Only eth_getProof gives the two hashes: reading one of them is the error, not reading the rest.
    const unknown = (field: string): HdpError =>
      hdpError("HDP-4204", { subject: `${field} of ${address}`, block, reason: "only eth_getProof gives it" });
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
    const number = await this.#rpc.call("eth_blockNumber", []);
    return bigIntOf(rpcObject({ number }, "eth_blockNumber"), "number");
  }
}

/** Two nodes have different blocks under one number: which of them is wrong is not known. */
function nodesDiffer(block: bigint, first: Hex, second = "no such block"): HdpError {
  return hdpError("HDP-4207", { block, first, second });
}

/** HDP-4101; `path` is the place of the range's end in the request, where it is known. */
export function noSuchBlock(block: bigint, latest: bigint, path?: string): HdpError {
  return hdpError("HDP-4101", { block, chain: "the chain", head: latest }, { path });
}

function stateRoot({ value: items }: Read<readonly Hex[]>): Hex {
  return items[HEADER.stateRoot] ?? "0x";
}
