import type { Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import { plural } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { receiptEnvelope, transactionEnvelope } from "./block-encoding.js";
import type { ProveMode, Read } from "./chain-reader.js";
import {
  asInteger,
  data,
  list,
  quantity,
  type RpcClient,
  rpcObject,
  type RpcObject,
  UnsupportedReadError,
} from "./node-rpc.js";
import { listTrie } from "./trie.js";

interface WholeBlock {
  readonly transactions: readonly RpcObject[];
  /** In hashed form. */
  readonly envelopes: readonly Hex[];
  readonly receiptsRoot: Hex;
}

/** Number of cached blocks: each may have megabytes, and a task reads one. */
const CACHED_BLOCKS = 2;

/** Reads transactions and receipts. They are unproven if the node does not return whole blocks, which roots need. */
export class BlockBodyReader {
  readonly #rpc: RpcClient;
  readonly #prove: ProveMode;
  readonly #readBlock: (block: bigint) => Promise<RpcObject>;
  readonly #wholeBlocks = new BoundedCache<bigint, WholeBlock | undefined>(CACHED_BLOCKS);
  readonly #receipts = new BoundedCache<bigint, readonly Hex[]>(CACHED_BLOCKS);

  /** @param readBlock returns a block with its transactions, and with a header that was verified unless `prove` is "never" */
  public constructor(rpc: RpcClient, prove: ProveMode, readBlock: (block: bigint) => Promise<RpcObject>) {
    this.#rpc = rpc;
    this.#prove = prove;
    this.#readBlock = readBlock;
  }

  public async transactionCount(block: bigint): Promise<number> {
    const whole = await this.#whole(block);
    if (whole !== undefined) return whole.envelopes.length;
    const count = await this.#rpc.call("eth_getBlockTransactionCountByNumber", [quantity(block)]);
    return Number(asInteger(count, `block ${block}`, "transaction count"));
  }

  public async transaction(block: bigint, index: number): Promise<Read<Hex>> {
    const whole = await this.#whole(block);
    if (whole === undefined) return { value: transactionEnvelope(await this.#single(block, index)), proven: false };
    return this.#element(block, index, whole.envelopes);
  }

  public async receipt(block: bigint, index: number): Promise<Read<Hex>> {
    const whole = await this.#whole(block);
    if (whole === undefined) {
      const transaction = await this.#single(block, index);
      return { value: receiptEnvelope(await this.#receiptOf(transaction)), proven: false };
    }
    return this.#element(block, index, await this.#receipts.get(block, () => this.#allReceipts(block, whole)));
  }

  #element(block: bigint, index: number, envelopes: readonly Hex[]): Read<Hex> {
    const value = envelopes[index];
    if (value === undefined) throw outOfRange(block, index, envelopes.length);
    return { value, proven: this.#prove !== "never" };
  }

  /** Returns the whole block; `undefined` if the node does not return whole blocks and no proof is required. */
  #whole(block: bigint): Promise<WholeBlock | undefined> {
    return this.#wholeBlocks.get(block, async () => {
      let json: RpcObject;
      try {
        json = await this.#readBlock(block);
      } catch (cause) {
        if (!(cause instanceof UnsupportedReadError)) throw cause;
        if (this.#prove !== "require") return undefined;
        throw hdpError("HDP-4204", { subject: "transactions", block, reason: cause.words }, { cause });
      }
      const transactions = list(json, "transactions").map((value, index) =>
        rpcObject(value, `transaction ${index} of block ${block}`),
      );
      const envelopes = transactions.map(transactionEnvelope);
      this.#requireRoot(block, "transactions", envelopes, data(json, "transactionsRoot", 32));
      return { transactions, envelopes, receiptsRoot: data(json, "receiptsRoot", 32) };
    });
  }

  async #allReceipts(block: bigint, whole: WholeBlock): Promise<readonly Hex[]> {
    const receipts =
      (await this.#blockReceipts(block)) ??
      (await Promise.all(whole.transactions.map((transaction) => this.#receiptOf(transaction))));
    const envelopes = receipts.map(receiptEnvelope);
    this.#requireRoot(block, "receipts", envelopes, whole.receiptsRoot);
    return envelopes;
  }

  /** Returns the receipts; `undefined` if the node does not support eth_getBlockReceipts. */
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
    const params = [quantity(block), quantity(BigInt(index))];
    const answer = await this.#rpc.call("eth_getTransactionByBlockNumberAndIndex", params);
    if (answer === null || answer === undefined) throw outOfRange(block, index, await this.transactionCount(block));
    return rpcObject(answer, `transaction ${index} of block ${block}`);
  }

  #requireRoot(block: bigint, kind: "transactions" | "receipts", envelopes: readonly Hex[], root: Hex): void {
    if (this.#prove === "never") return;
    const rebuilt = listTrie(envelopes).root;
    if (rebuilt === root) return;
    const reason = `the ${kind} the node returned make up the root ${rebuilt}, not the header's`;
    throw hdpError("HDP-4201", { block, field: `${kind}Root`, reason, explanation: undefined });
  }
}

function outOfRange(block: bigint, index: number, count: number): HdpError {
  return hdpError("HDP-4301", { block, index, transactions: plural(count, "transaction"), count });
}
