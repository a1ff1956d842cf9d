import type { Hex } from "viem";

import { HdpError } from "../errors/hdp-error.js";
import { encodeRlp, type RlpItem } from "../base/rlp.js";
import { FIELDS, TRANSACTION_LISTS, type TransactionItem } from "../request/fields.js";
import { asData, bigIntOf, data, encodedItem, has, integer, list, type RpcObject, rpcObject } from "./rpc-json.js";

/** EIP-2718 type of a transaction or receipt in JSON; answers from before typed transactions have no `type`. */
export function envelopeType(object: RpcObject): number {
  return has(object, "type") ? Number(bigIntOf(object, "type")) : 0;
}

/**
 * A transaction as it is hashed: the EIP-2718 envelope, or the RLP list for legacy ones, from the node's JSON.
 * Types 0, 1 (EIP-2930), 2 (EIP-1559), 3 (EIP-4844), 4 (EIP-7702) and OP-stack deposits (0x7e).
 *
 * @throws HdpError HDP-4102 for a malformed field, HDP-4104 for another type.
 */
export function transactionEnvelope(tx: RpcObject): Hex {
  const type = envelopeType(tx);
  if (type === DEPOSIT) return depositEnvelope(tx);
  const names = TRANSACTION_LISTS[type];
  if (names === undefined) throw unknownType(tx.what, type);
  const items = names.map((name) => transactionItem(tx, type, name));
  return type === 0 ? encodeRlp(items) : typed(type, items);
}

/** Items that are no plain value of one name: lists, what may be absent, and what nodes call differently. */
const SPECIAL = {
  to: recipient,
  v: (tx: RpcObject, type: number): Hex => integer(tx, type === 0 ? "v" : parity(tx)),
  access_list: accessList,
  authorization_list: authorizations,
  blob_versioned_hashes: (tx: RpcObject): RlpItem =>
    list(tx, "blobVersionedHashes").map((hash) => asData(hash, tx.what, "blobVersionedHashes", 32)),
};

function transactionItem(tx: RpcObject, type: number, name: TransactionItem): RlpItem {
  if (isSpecial(name)) return SPECIAL[name](tx, type);
  return encodedItem(tx, FIELDS.tx[name].rpc, FIELDS.tx[name].type);
}

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
    has(tx, "mint") ? integer(tx, "mint") : "0x",
    integer(tx, "value"),
    integer(tx, "gas"),
    tx.fields["isSystemTx"] === true ? "0x01" : "0x",
    data(tx, "input"),
  ]);
}

export function unknownType(what: string, type: number): HdpError {
  return new HdpError({
    code: "HDP-4104",
    message: `${what} has type ${type}, which this version cannot encode`,
    hints: ["Known types: 0, 1, 2, 3, 4 and 126 (OP-stack deposits). Sample a block without such transactions."],
  });
}

function typed(type: number, items: readonly RlpItem[]): Hex {
  return `0x${type.toString(16).padStart(2, "0")}${encodeRlp(items).slice(2)}`;
}

/** A creation has no recipient. */
function recipient(tx: RpcObject): Hex {
  return has(tx, "to") ? data(tx, "to", 20) : "0x";
}

/** Some nodes give typed transactions only `v`, some only `yParity`. */
function parity(object: RpcObject): string {
  return has(object, "yParity") ? "yParity" : "v";
}

function accessList(tx: RpcObject): RlpItem {
  return list(tx, "accessList").map((value) => {
    const entry = rpcObject(value, `access list of ${tx.what}`);
    const keys = list(entry, "storageKeys").map((key) => asData(key, entry.what, "storageKeys", 32));
    return [data(entry, "address", 20), keys];
  });
}

function authorizations(tx: RpcObject): RlpItem {
  return list(tx, "authorizationList").map((value) => {
    const entry = rpcObject(value, `authorization list of ${tx.what}`);
    return [
      integer(entry, "chainId"),
      data(entry, "address", 20),
      integer(entry, "nonce"),
      ...[parity(entry), "r", "s"].map((name) => integer(entry, name)),
    ];
  });
}

/**
 * A receipt as it is hashed, from the node's JSON: type byte (none for legacy) and
 * rlp([status or post-state root, cumulativeGasUsed, logsBloom, logs]).
 *
 * @throws HdpError HDP-4102 for a malformed field.
 */
export function receiptEnvelope(receipt: RpcObject): Hex {
  const type = envelopeType(receipt);
  const items: RlpItem[] = [
    has(receipt, "status") ? integer(receipt, "status") : data(receipt, "root", 32),
    integer(receipt, "cumulativeGasUsed"),
    data(receipt, "logsBloom", 256),
    list(receipt, "logs").map((value) => {
      const log = rpcObject(value, `log of ${receipt.what}`);
      const topics = list(log, "topics").map((topic) => asData(topic, log.what, "topics", 32));
      return [data(log, "address", 20), topics, data(log, "data")];
    }),
  ];
  if (type === DEPOSIT) {
    for (const extra of ["depositNonce", "depositReceiptVersion"]) {
      if (has(receipt, extra)) items.push(integer(receipt, extra));
    }
  }
  const payload = encodeRlp(items);
  return type === 0 ? payload : `0x${type.toString(16).padStart(2, "0")}${payload.slice(2)}`;
}
