import type { Address, Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import { plural } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { AnchorSource } from "../request/task-result.js";
import { BlockBodyReader, HEADER, headerItems, provenHeader } from "./blocks.js";
import type {
  AccountState,
  BlockLink,
  ChainReader,
  LinkedRead,
  ProveMode,
  Read,
  SlotRead,
} from "./chain-reader.js";
import type { RpcClient, RpcObject } from "./node-rpc.js";
import {
  asData,
  asInteger,
  bigIntField,
  data,
  quantity,
  rpcObject,
  UnsupportedReadError,
} from "./node-rpc.js";
import { AccountProofs, verifyCode } from "./state-proof.js";

/** Where a chain is read, and how its values are checked. */
export interface VerifiedReadsOptions {
  readonly rpc: RpcClient;
  readonly second: RpcClient | undefined;
  readonly prove: ProveMode;
  readonly source: AnchorSource | undefined;
}

/** Number of values that are kept of each kind: those that a module's run reads ahead, or twice the read-ahead of tasks. */
const MIN_WINDOW = 2_048;
/** Number of codes and of transactions and receipts that are kept: each may have many kilobytes. */
const LARGE_WINDOW = 64;

/**
 * Reads a chain and checks each value against its block's hash. It keeps some values, and nothing else of a read: what is
 * read here may turn out not to be needed.
 */
export class VerifiedReads implements ChainReader {
  readonly #rpc: RpcClient;
  readonly #second: RpcClient | undefined;
  readonly #source: AnchorSource | undefined;
  readonly #checks: boolean;
  readonly #bodies: BlockBodyReader;
  readonly #proofs: AccountProofs | undefined;
  #head: Promise<LinkedHeader> | undefined;
  #pinned: Promise<LinkedHeader | undefined> | undefined;
  readonly #headers: BoundedCache<bigint, LinkedRead<readonly Hex[]>>;
  readonly #accounts: BoundedCache<string, LinkedRead<AccountState>>;
  readonly #slots: BoundedCache<string, LinkedRead<bigint, SlotRead>>;
  readonly #codes = new BoundedCache<string, LinkedRead<Hex>>(LARGE_WINDOW);
  readonly #elements = new BoundedCache<string, LinkedRead<Hex>>(LARGE_WINDOW);

  public constructor({ rpc, second, prove, source }: VerifiedReadsOptions) {
    this.#rpc = rpc;
    this.#second = second;
    this.#source = source;
    const window = Math.max(MIN_WINDOW, 2 * rpc.readAhead);
    this.#headers = new BoundedCache(window);
    this.#accounts = new BoundedCache(window);
    this.#slots = new BoundedCache(window);
    this.#checks = prove !== "never";
    if (this.#checks) this.#proofs = new AccountProofs(rpc, prove === "require");
    this.#bodies = new BlockBodyReader(rpc, this.#checks, async (block) => {
      const json = await this.#read(block, true);
      return { json, link: this.#checks ? verifiedHeader(block, json).link : undefined };
    });
  }

  public header(block: bigint): Promise<LinkedRead<readonly Hex[]>> {
    return this.#headers.get(block, async () => {
      const head = this.#second === undefined ? await this.#pin() : undefined;
      if (head?.link.number === block) return head;
      const json = await this.#read(block, false);
      return this.#checks
        ? verifiedHeader(block, json)
        : { value: headerItems(json), proven: false, link: undefined };
    });
  }

  public account(block: bigint, address: Address): Promise<LinkedRead<AccountState>> {
    return this.#accounts.get(`${block}:${address}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([
          this.header(block),
          this.#proofs?.account(block, address),
        ]);
        const { link } = header;
        const value = prove?.(stateRoot(header));
        if (value !== undefined) return { value, proven: true, link };
        return { value: await this.#plainAccount(block, address), proven: false, link };
      }),
    );
  }

  public storage(
    block: bigint,
    address: Address,
    slot: Hex,
  ): Promise<LinkedRead<bigint, SlotRead>> {
    return this.#slots.get(`${block}:${address}:${slot}`, () =>
      this.#ofState(block, async () => {
        const [header, prove] = await Promise.all([
          this.header(block),
          this.#proofs?.slot(block, address, slot),
        ]);
        const { link } = header;
        const proven = prove?.(stateRoot(header));
        if (proven !== undefined) return { ...proven, link };
        const word = await this.#rpc.call("eth_getStorageAt", [address, slot, quantity(block)]);
        const plain = BigInt(asData(word, `block ${block}`, `storage of ${address}`, 32));
        const read = { value: plain, proven: false, link };
        return plain === 0n ? { ...read, empty: "slot" } : read;
      }),
    );
  }

  public code(block: bigint, address: Address): Promise<LinkedRead<Hex>> {
    return this.#codes.get(`${block}:${address}`, async () => {
      const calling = this.#ofState(block, () =>
        this.#rpc.call("eth_getCode", [address, quantity(block)]),
      );
      const [account, answer] = await Promise.all([this.account(block, address), calling]);
      const code = asData(answer, `block ${block}`, `code of ${address}`);
      const { value, proven, link } = account;
      if (proven) verifyCode(block, address, value, code);
      return { value: code, proven, link };
    });
  }

  public transaction(block: bigint, index: number): Promise<LinkedRead<Hex>> {
    return this.#elements.get(`transaction:${block}:${index}`, () =>
      this.#bodies.transaction(block, index),
    );
  }

  public receipt(block: bigint, index: number): Promise<LinkedRead<Hex>> {
    return this.#elements.get(`receipt:${block}:${index}`, () =>
      this.#bodies.receipt(block, index),
    );
  }

  public transactionCount(block: bigint): Promise<number> {
    return this.#bodies.transactionCount(block);
  }

  /** Returns the latest block; undefined if the node does not answer, which the next call reports. */
  public async latestBlock(): Promise<bigint | undefined> {
    return (await this.pinHead())?.number ?? (await this.#latestNumber().catch(() => undefined));
  }

  /** Returns the latest block when reading began; undefined before, and where headers are not checked. Rejects if it failed. */
  public head(): Promise<BlockLink> | undefined {
    return this.#head?.then(({ link }) => link);
  }

  /** Returns the latest block when reading began; undefined if it could not be read. */
  public async pinHead(): Promise<BlockLink | undefined> {
    return (await this.#pin())?.link;
  }

  public async readBlock(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    const params = [quantity(block), withTransactions];
    const answer = await this.#rpc.call("eth_getBlockByNumber", params);
    if (answer === null || answer === undefined)
      throw noSuchBlock(block, await this.#latestNumber());
    return rpcObject(answer, `block ${block}`);
  }

  /** Returns the hash of a block; undefined if the node does not have the block. */
  public async hashAt(block: bigint): Promise<Hex | undefined> {
    return await hashAt(this.#rpc, block, `block ${block}`);
  }

  /** Returns the hash of a block by the second node; undefined without the node, or if it does not have the block. */
  public async secondHashAt(block: bigint): Promise<Hex | undefined> {
    if (this.#second === undefined) return undefined;
    return await hashAt(this.#second, block, `block ${block} of the second node`);
  }

  /** Reads a block after the head is pinned. A second node must have the block too. */
  async #read(block: bigint, withTransactions: boolean): Promise<RpcObject> {
    await this.#pin();
    const reading = this.readBlock(block, withTransactions);
    if (this.#second === undefined) return await reading;
    const [json, second] = await Promise.all([reading, this.secondHashAt(block)]);
    const hash = data(json, "hash", 32);
    if (second !== hash) throw nodesDiffer(block, hash, second);
    return json;
  }

  async #pin(): Promise<LinkedHeader | undefined> {
    if (this.#checks) this.#head ??= this.#readHead();
    return await (this.#pinned ??= this.#head?.catch(() => undefined));
  }

  async #readHead(): Promise<LinkedHeader> {
    const answer = await this.#rpc.call("eth_getBlockByNumber", ["latest", false]);
    const json = rpcObject(answer, "the latest block");
    return verifiedHeader(bigIntField(json, "number"), json);
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
      const chain = this.#source?.chain ?? "<chain>";
      throw hdpError("HDP-4208", { block, behind, words: cause.words, chain }, { cause });
    }
  }

  /** Returns an account as the node says it, without a proof. @throws HdpError HDP-4204 where a hash of it is read */
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

/** A header that was verified, with its block. */
type LinkedHeader = Read<readonly Hex[]> & { readonly link: BlockLink };

/** Returns a block's header after verifying its hash. */
export function verifiedHeader(number: bigint, json: RpcObject): LinkedHeader {
  const { hash, items } = provenHeader(number, json);
  const link = { number, hash, parent: items[HEADER.parentHash] ?? "0x" } as const;
  return { value: items, proven: true, link };
}

async function hashAt(node: RpcClient, block: bigint, what: string): Promise<Hex | undefined> {
  const answer = await node.call("eth_getBlockByNumber", [quantity(block), false]);
  if (answer === null || answer === undefined) return undefined;
  return data(rpcObject(answer, what), "hash", 32);
}

function stateRoot({ value: items }: Read<readonly Hex[]>): Hex {
  return items[HEADER.stateRoot] ?? "0x";
}

/** Returns the error of two nodes with different blocks of one number, of which either may be wrong. */
export function nodesDiffer(block: bigint, first: Hex, second = "no such block"): HdpError {
  return hdpError("HDP-4207", { block, first, second });
}

/** Returns HDP-4101; `path` is the place of the range's end in the request, if known. */
export function noSuchBlock(block: bigint, latest: bigint, path?: string): HdpError {
  return hdpError("HDP-4101", { block, chain: "the chain", head: latest }, { path });
}
