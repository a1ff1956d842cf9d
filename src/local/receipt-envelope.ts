import type { Hex } from "viem";

import type { RlpItem } from "./rlp.js";
import { encodeRlp } from "./rlp.js";
import type { RpcObject } from "./rpc-json.js";
import { asData, data, has, integer, list, rpcObject } from "./rpc-json.js";
import { envelopeType } from "./transaction-envelope.js";

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
