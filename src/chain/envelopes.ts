import type { Hex } from "viem";

import { HdpError } from "../base/errors.js";
import { encodeRlp, type RlpItem } from "../base/rlp.js";
import { asData, bigIntOf, data, has, integer, list, type RpcObject, rpcObject } from "./rpc-json.js";

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
  switch (type) {
    case 0:
      return encodeRlp([integer(tx, "nonce"), integer(tx, "gasPrice"), ...call(tx), ...signature(tx, "v")]);
    case 1:
      return typed(1, [
        integer(tx, "chainId"),
        integer(tx, "nonce"),
        integer(tx, "gasPrice"),
        ...call(tx),
        accessList(tx),
        ...signature(tx, parity(tx)),
      ]);
    case 2:
      return typed(2, [...feeMarketHead(tx), ...signature(tx, parity(tx))]);
    case 3:
      return typed(3, [
        ...feeMarketHead(tx),
        integer(tx, "maxFeePerBlobGas"),
        list(tx, "blobVersionedHashes").map((hash) => asData(hash, tx.what, "blobVersionedHashes", 32)),
        ...signature(tx, parity(tx)),
      ]);
    case 4:
      return typed(4, [...feeMarketHead(tx), authorizations(tx), ...signature(tx, parity(tx))]);
    case 0x7e:
      return typed(0x7e, [
        data(tx, "sourceHash", 32),
        data(tx, "from", 20),
        recipient(tx),
        has(tx, "mint") ? integer(tx, "mint") : "0x",
        integer(tx, "value"),
        integer(tx, "gas"),
        tx.fields["isSystemTx"] === true ? "0x01" : "0x",
        data(tx, "input"),
      ]);
    default:
      throw unknownType(tx.what, type);
  }
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

function feeMarketHead(tx: RpcObject): RlpItem[] {
  return [
    integer(tx, "chainId"),
    integer(tx, "nonce"),
    integer(tx, "maxPriorityFeePerGas"),
    integer(tx, "maxFeePerGas"),
    ...call(tx),
    accessList(tx),
  ];
}

/** gas, to, value, data: in this order in every type. */
function call(tx: RpcObject): RlpItem[] {
  return [integer(tx, "gas"), recipient(tx), integer(tx, "value"), data(tx, "input")];
}

/** A creation has no recipient. */
function recipient(tx: RpcObject): Hex {
  return has(tx, "to") ? data(tx, "to", 20) : "0x";
}

/** Some nodes give typed transactions only `v`, some only `yParity`. */
function parity(object: RpcObject): string {
  return has(object, "yParity") ? "yParity" : "v";
}

function signature(object: RpcObject, v: string): RlpItem[] {
  return [integer(object, v), integer(object, "r"), integer(object, "s")];
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
      ...signature(entry, parity(entry)),
    ];
  });
}

/** OP-stack deposit transactions: their receipts carry two more items. */
const DEPOSIT = 0x7e;

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
