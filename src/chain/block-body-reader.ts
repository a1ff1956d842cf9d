import type { Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import { HdpError } from "../errors/hdp-error.js";
import { type RpcClient, UnsupportedReadError } from "../base/rpc.js";
import { bodyMismatch, cannotProve, type ProveMode, type Read } from "./chain-reader.js";
import { receiptEnvelope, transactionEnvelope } from "./envelopes.js";
import { asInteger, data, list, quantity, type RpcObject, rpcObject } from "./rpc-json.js";
import { listTrie } from "./trie.js";

/** A block with all its transactions, its header checked. */
interface WholeBlock {
  readonly transactions: readonly RpcObject[];
  /** In hashed form. */
  readonly envelopes: readonly Hex[];
  readonly receiptsRoot: Hex;
}

/** How blocks are read with their transactions, and their headers checked. */
export interface WholeBlocks {
  read(block: bigint): Promise<RpcObject>;
  /** @throws HdpError HDP-4201 where the header's hash is not right. */
  verify(block: bigint, json: RpcObject): void;
}

/** Blocks may hold megabytes; tasks look at one block each. */
const CACHED_BLOCKS = 2;

/**
 * Transactions and receipts of blocks. A root can only be rebuilt from the whole block: where the node does not give
 * it, elements are read one by one and stay unproven.
 */
export class BlockBodyReader {
  readonly #rpc: RpcClient;
  readonly #prove: ProveMode;
  readonly #blocks: WholeBlocks;
  readonly #wholeBlocks = new BoundedCache<bigint, WholeBlock | undefined>(CACHED_BLOCKS);
  readonly #receipts = new BoundedCache<bigint, readonly Hex[]>(CACHED_BLOCKS);

  public constructor(rpc: RpcClient, prove: ProveMode, blocks: WholeBlocks) {
    this.#rpc = rpc;
    this.#prove = prove;
    this.#blocks = blocks;
  }

  public async transactionCount(block: bigint): Promise<number> {
    const whole = await this.#whole(block);
    if (whole !== undefined) return whole.envelopes.length;
    const count = await this.#rpc.call("eth_getBlockTransactionCountByNumber", [quantity(block)]);
    return Number(asInteger(count, `block ${block}`, "transaction count"));
  }

  /** @throws HdpError HDP-4301 where the block has no such transaction. */
  public async transaction(block: bigint, index: number): Promise<Read<Hex>> {
    const whole = await this.#whole(block);
    if (whole === undefined) {
      return { value: transactionEnvelope(await this.#single(block, index)), proven: false };
    }
    const envelope = whole.envelopes[index];
    if (envelope === undefined) throw outOfRange(block, index, whole.envelopes.length);
    return { value: envelope, proven: this.#checks };
  }

  /** @throws HdpError HDP-4301 where the block has no such transaction. */
  public async receipt(block: bigint, index: number): Promise<Read<Hex>> {
    const whole = await this.#whole(block);
    if (whole === undefined) {
      const transaction = await this.#single(block, index);
      return { value: receiptEnvelope(await this.#receiptOf(transaction)), proven: false };
    }
    const receipts = await this.#receipts.get(block, () => this.#allReceipts(block, whole));
    const envelope = receipts[index];
    if (envelope === undefined) throw outOfRange(block, index, receipts.length);
    return { value: envelope, proven: this.#checks };
  }

  get #checks(): boolean {
    return this.#prove !== "never";
  }

  /** `undefined` where the node does not give whole blocks and that is allowed. */
  #whole(block: bigint): Promise<WholeBlock | undefined> {
    return this.#wholeBlocks.get(block, async () => {
      let json: RpcObject;
      try {
        json = await this.#blocks.read(block);
      } catch (error) {
        if (!(error instanceof UnsupportedReadError)) throw error;
        if (this.#prove === "require") throw cannotProve(block, "transactions", error.message, error);
        return undefined;
      }
      const transactions = list(json, "transactions").map((value, index) =>
        rpcObject(value, `transaction ${index} of block ${block}`),
      );
      const envelopes = transactions.map(transactionEnvelope);
      if (this.#checks) {
        this.#blocks.verify(block, json);
        const rebuilt = listTrie(envelopes).root;
        if (rebuilt !== data(json, "transactionsRoot", 32)) throw bodyMismatch(block, "transactionsRoot", rebuilt);
      }
      return { transactions, envelopes, receiptsRoot: data(json, "receiptsRoot", 32) };
    });
  }

  async #allReceipts(block: bigint, whole: WholeBlock): Promise<readonly Hex[]> {
    const receipts =
      (await this.#blockReceipts(block)) ??
      (await Promise.all(whole.transactions.map((transaction) => this.#receiptOf(transaction))));
    const envelopes = receipts.map(receiptEnvelope);
    if (this.#checks) {
      const rebuilt = listTrie(envelopes).root;
      if (rebuilt !== whole.receiptsRoot) throw bodyMismatch(block, "receiptsRoot", rebuilt);
    }
    return envelopes;
  }

  /** `undefined` where the node does not know eth_getBlockReceipts. */
  async #blockReceipts(block: bigint): Promise<readonly RpcObject[] | undefined> {
    try {
      const receipts = await this.#rpc.call("eth_getBlockReceipts", [quantity(block)]);
      const answer = rpcObject({ receipts }, `block ${block}`);
      return list(answer, "receipts").map((value, index) => rpcObject(value, `receipt ${index} of block ${block}`));
    } catch (error) {
      if (error instanceof UnsupportedReadError) return undefined;
      throw error;
    }
  }

  async #receiptOf(transaction: RpcObject): Promise<RpcObject> {
    const receipt = await this.#rpc.call("eth_getTransactionReceipt", [data(transaction, "hash", 32)]);
    return rpcObject(receipt, `receipt of ${transaction.what}`);
  }

  async #single(block: bigint, index: number): Promise<RpcObject> {
    const params = [quantity(block), `0x${index.toString(16)}`];
    const answer = await this.#rpc.call("eth_getTransactionByBlockNumberAndIndex", params);
    if (answer === null || answer === undefined) throw outOfRange(block, index, await this.transactionCount(block));
    return rpcObject(answer, `transaction ${index} of block ${block}`);
  }
}

function outOfRange(block: bigint, index: number, count: number): HdpError {
  return new HdpError({
    code: "HDP-4301",
    message: `block ${block} has no transaction ${index}: it has ${count} ${count === 1 ? "transaction" : "transactions"}`,
    hints: [`endIndex is exclusive: it can be at most ${count} here.`],
  });
}
