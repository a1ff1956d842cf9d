import type { Hex } from "viem";
import { fromRlp } from "viem/utils";

import { BoundedCache } from "../base/collections.js";
import { keccak256 } from "../base/keccak.js";
import { encodeRlp, rlpBytes, type RlpItem } from "../base/rlp.js";
import { plural } from "../base/text.js";
import { hdpError } from "../errors/hdp-error.js";
import type { FieldEntry, ItemType } from "../request/fields.js";
import type { TransactionItem } from "../request/rlp-lists.js";
import { FIELDS, LATER_HEADER_FIELDS } from "../request/fields.js";
import { TRANSACTION_LISTS } from "../request/rlp-lists.js";
import type { BlockLink, LinkedRead } from "./chain-reader.js";
import type { RpcClient, RpcObject } from "./node-rpc.js";
import {
  bigIntField,
  data,
  has,
  rlpInteger,
  listField,
  quantity,
  rpcObject,
  UnsupportedReadError,
  words,
} from "./node-rpc.js";
import { listTrie } from "./trie.js";

type HeaderItem = FieldEntry & { readonly type: ItemType };

/** A header's items in RLP order. Forks append items: a header ends at the first absent one. */
const ITEMS: readonly HeaderItem[] = [
  ...Object.values(FIELDS.header),
  ...Object.values(LATER_HEADER_FIELDS),
];

/** Positions in the header's RLP list. */
export const HEADER = {
  parentHash: 0,
  stateRoot: 3,
  transactionsRoot: 4,
  receiptsRoot: 5,
  number: 8,
} as const;

/** Fields that nodes return with the header, but its hash does not cover. */
const UNHASHED = new Set([
  "hash",
  "totalDifficulty",
  "size",
  "uncles",
  "transactions",
  "withdrawals",
  "totalBlobGas",
]);
const HASHED: ReadonlySet<string> = new Set(ITEMS.map(({ rpc }) => rpc));

const WIDTHS = { bytes8: 8, address: 20, bytes32: 32, bytes256: 256, bytes: undefined } as const;

/** Returns a field in RLP's form, by its type. */
export function encodedItem(object: RpcObject, field: string, type: ItemType): Hex {
  return type === "integer" ? rlpInteger(object, field) : data(object, field, WIDTHS[type]);
}

/** Returns the items of the header's RLP list from the node's JSON. @throws HdpError HDP-4102 for a malformed field. */
export function headerItems(block: RpcObject): Hex[] {
  const items: Hex[] = [];
  for (const { type, rpc, since } of ITEMS) {
    if (since !== undefined && !has(block, rpc)) break;
    items.push(encodedItem(block, rpc, type));
  }
  return items;
}

/** Returns the header of block `number` after verifying its hash, which covers all items. @throws HDP-4201 */
export function provenHeader(
  number: bigint,
  block: RpcObject,
): { readonly hash: Hex; readonly items: readonly Hex[] } {
  const items = headerItems(block);
  const stated = bigIntField(block, "number");
  if (stated !== number) {
    const reason = `the node returned block ${stated}`;
    throw hdpError("HDP-4201", { block: number, field: "number", reason });
  }
  const hash = data(block, "hash", 32);
  const computed = keccak256(rlpBytes(items));
  if (computed === hash) return { hash, items };
  const unknown = Object.keys(block.fields).filter(
    (name) => !HASHED.has(name) && !UNHASHED.has(name),
  );
  const explanation =
    unknown.length === 0
      ? "One of the returned header fields is wrong, or the chain does not hash its headers as Ethereum does."
      : `The node returns fields this version does not know: ${unknown.join(", ")}. A later fork may hash them.`;
  const reason = `the header hashes to ${computed}, the node says ${hash}`;
  throw hdpError("HDP-4201", { block: number, field: "hash", reason }, { hints: [explanation] });
}

/** Returns the EIP-2718 type of an envelope: 0 for legacy, whose first byte begins an RLP list. */
export function parseEnvelopeType(envelope: Hex): number {
  const first = Number.parseInt(envelope.slice(2, 4), 16);
  return first >= 0xc0 ? 0 : first;
}

/** Returns the items of the list in an envelope; none if it is not a list. */
export function envelopeItems(envelope: Hex): readonly RlpItem[] {
  const items: RlpItem = fromRlp(
    parseEnvelopeType(envelope) === 0 ? envelope : `0x${envelope.slice(4)}`,
    "hex",
  );
  return typeof items === "string" ? [] : items;
}

/** Returns the EIP-2718 type of a transaction or receipt in JSON; `type` is absent before typed transactions. */
function envelopeType(object: RpcObject): number {
  return has(object, "type") ? Number(bigIntField(object, "type")) : 0;
}

/** Returns a transaction's hashed form: types 0 to 4 and OP-stack deposits (0x7e). @throws HDP-4104 */
export function transactionEnvelope(tx: RpcObject): Hex {
  const type = envelopeType(tx);
  if (type === DEPOSIT) return depositEnvelope(tx);
  const names = TRANSACTION_LISTS[type];
  if (names === undefined) throw hdpError("HDP-4104", { subject: tx.what, type });
  const items = names.map((name) => {
    return isSpecial(name)
      ? SPECIAL[name](tx, type)
      : encodedItem(tx, FIELDS.tx[name].rpc, FIELDS.tx[name].type);
  });
  return type === 0 ? encodeRlp(items) : typed(type, items);
}

/** Encoders of lists, optional items, and items for which nodes use several names. */
const SPECIAL = {
  to: recipient,
  v: (tx: RpcObject, type: number): Hex => rlpInteger(tx, type === 0 ? "v" : parity(tx)),
  access_list: accessList,
  authorization_list: authorizations,
  blob_versioned_hashes: (tx: RpcObject): RlpItem => words(tx, "blobVersionedHashes"),
};

function isSpecial(name: TransactionItem): name is keyof typeof SPECIAL {
  return Object.hasOwn(SPECIAL, name);
}

/** OP-stack deposit transactions: their receipts carry two more items. */
const DEPOSIT = 0x7e;

function depositEnvelope(tx: RpcObject): Hex {
  return typed(DEPOSIT, [
    data(tx, "sourceHash", 32),
    data(tx, "from", 20),
    recipient(tx),
    has(tx, "mint") ? rlpInteger(tx, "mint") : "0x",
    rlpInteger(tx, "value"),
    rlpInteger(tx, "gas"),
    tx.fields["isSystemTx"] === true ? "0x01" : "0x",
    data(tx, "input"),
  ]);
}

function typed(type: number, items: readonly RlpItem[]): Hex {
  return `0x${type.toString(16).padStart(2, "0")}${encodeRlp(items).slice(2)}`;
}

/** Returns the recipient, `0x` for a contract creation. */
function recipient(tx: RpcObject): Hex {
  return has(tx, "to") ? data(tx, "to", 20) : "0x";
}

/** Returns the name of the parity field: some nodes return only `v` for typed transactions, some only `yParity`. */
function parity(object: RpcObject): string {
  return has(object, "yParity") ? "yParity" : "v";
}

function accessList(tx: RpcObject): RlpItem {
  return listField(tx, "accessList").map((value) => {
    const entry = rpcObject(value, `access list of ${tx.what}`);
    return [data(entry, "address", 20), words(entry, "storageKeys")];
  });
}

function authorizations(tx: RpcObject): RlpItem {
  return listField(tx, "authorizationList").map((value) => {
    const entry = rpcObject(value, `authorization list of ${tx.what}`);
    return [
      rlpInteger(entry, "chainId"),
      data(entry, "address", 20),
      rlpInteger(entry, "nonce"),
      ...[parity(entry), "r", "s"].map((name) => rlpInteger(entry, name)),
    ];
  });
}

/** Returns a receipt's hashed form: type byte (none for legacy), rlp([status or root, cumulative gas, bloom, logs]). */
export function receiptEnvelope(receipt: RpcObject): Hex {
  const type = envelopeType(receipt);
  const items: RlpItem[] = [
    has(receipt, "status") ? rlpInteger(receipt, "status") : data(receipt, "root", 32),
    rlpInteger(receipt, "cumulativeGasUsed"),
    data(receipt, "logsBloom", 256),
    listField(receipt, "logs").map((value) => {
      const log = rpcObject(value, `log of ${receipt.what}`);
      return [data(log, "address", 20), words(log, "topics"), data(log, "data")];
    }),
  ];
  if (type === DEPOSIT) {
    for (const extra of ["depositNonce", "depositReceiptVersion"]) {
      if (has(receipt, extra)) items.push(rlpInteger(receipt, extra));
    }
  }
  return type === 0 ? encodeRlp(items) : typed(type, items);
}

/** A block as a node returned it, with its verified header where headers are checked. */
export interface ReadBlock {
  readonly json: RpcObject;
  readonly link: BlockLink | undefined;
}

interface WholeBlock {
  readonly link: ReadBlock["link"];
  readonly transactions: readonly RpcObject[];
  /** In hashed form. */
  readonly envelopes: readonly Hex[];
  readonly receiptsRoot: Hex;
}

/** Number of cached blocks: each may have megabytes, and a task reads one. */
const CACHED_BLOCKS = 2;

/** Reads transactions and receipts, with their whole block, which roots need. */
export class BlockBodyReader {
  readonly #rpc: RpcClient;
  readonly #proven: boolean;
  readonly #readBlock: (block: bigint) => Promise<ReadBlock>;
  readonly #wholeBlocks = new BoundedCache<bigint, WholeBlock>(CACHED_BLOCKS);
  readonly #receipts = new BoundedCache<bigint, readonly Hex[]>(CACHED_BLOCKS);

  /** @param readBlock returns a block with its transactions, and with a header that was verified if roots are checked */
  public constructor(
    rpc: RpcClient,
    checksRoots: boolean,
    readBlock: (block: bigint) => Promise<ReadBlock>,
  ) {
    this.#rpc = rpc;
    this.#proven = checksRoots;
    this.#readBlock = readBlock;
  }

  public async transactionCount(block: bigint): Promise<number> {
    return (await this.#whole(block)).envelopes.length;
  }

  public async transaction(block: bigint, index: number): Promise<LinkedRead<Hex>> {
    const { envelopes, link } = await this.#whole(block);
    return this.#element(block, index, envelopes, link);
  }

  public async receipt(block: bigint, index: number): Promise<LinkedRead<Hex>> {
    const whole = await this.#whole(block);
    const envelopes = await this.#receipts.get(block, () => this.#allReceipts(block, whole));
    return this.#element(block, index, envelopes, whole.link);
  }

  #element(
    block: bigint,
    index: number,
    envelopes: readonly Hex[],
    link: BlockLink | undefined,
  ): LinkedRead<Hex> {
    const value = envelopes[index];
    if (value !== undefined) return { value, proven: this.#proven, link };
    const count = envelopes.length;
    throw hdpError("HDP-4301", { block, index, transactions: plural(count, "transaction"), count });
  }

  #whole(block: bigint): Promise<WholeBlock> {
    return this.#wholeBlocks.get(block, async () => {
      const { json, link } = await this.#readBlock(block);
      const transactions = listField(json, "transactions").map((value, index) =>
        rpcObject(value, `transaction ${index} of block ${block}`),
      );
      const envelopes = transactions.map(transactionEnvelope);
      this.#requireRoot(block, "transactions", envelopes, data(json, "transactionsRoot", 32));
      return { transactions, envelopes, receiptsRoot: data(json, "receiptsRoot", 32), link };
    });
  }

  async #allReceipts(block: bigint, whole: WholeBlock): Promise<readonly Hex[]> {
    const receipts =
      (await this.#blockReceipts(block)) ??
      (await Promise.all(whole.transactions.map((transaction) => this.#readReceipt(transaction))));
    const envelopes = receipts.map(receiptEnvelope);
    this.#requireRoot(block, "receipts", envelopes, whole.receiptsRoot);
    return envelopes;
  }

  /** Returns the receipts; `undefined` if the node does not support eth_getBlockReceipts. */
  async #blockReceipts(block: bigint): Promise<readonly RpcObject[] | undefined> {
    try {
      const receipts = await this.#rpc.call("eth_getBlockReceipts", [quantity(block)]);
      const answer = rpcObject({ receipts }, `block ${block}`);
      return listField(answer, "receipts").map((value, index) =>
        rpcObject(value, `receipt ${index} of block ${block}`),
      );
    } catch (error) {
      if (error instanceof UnsupportedReadError) return undefined;
      throw error;
    }
  }

  async #readReceipt(transaction: RpcObject): Promise<RpcObject> {
    const receipt = await this.#rpc.call("eth_getTransactionReceipt", [
      data(transaction, "hash", 32),
    ]);
    return rpcObject(receipt, `receipt of ${transaction.what}`);
  }

  #requireRoot(
    block: bigint,
    kind: "transactions" | "receipts",
    envelopes: readonly Hex[],
    root: Hex,
  ): void {
    if (!this.#proven) return;
    const rebuilt = listTrie(envelopes).root;
    if (rebuilt === root) return;
    // anvil hashes blob transactions with their sidecars, which no node returns.
    const hasBlobs = kind === "transactions" && envelopes.some((one) => one.startsWith("0x03"));
    const blobs = hasBlobs ? ". It has blob transactions: anvil hashes them with their blobs" : "";
    const reason = `the ${kind} the node returned make up the root ${rebuilt}, not the header's${blobs}`;
    throw hdpError("HDP-4201", { block, field: `${kind}Root`, reason });
  }
}
