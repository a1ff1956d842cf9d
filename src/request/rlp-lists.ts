import { keysOf } from "../base/collections.js";
import { FIELDS, LATER_HEADER_FIELDS, type ReceiptField, type TransactionField } from "./fields.js";

/** The RLP list of a header, in field names: each fork appends to it. */
export const HEADER_LIST: readonly string[] = [
  ...keysOf(FIELDS.header),
  ...keysOf(LATER_HEADER_FIELDS),
];

/** The RLP list of each transaction type by its EIP-2718 number, in field names; `authorization_list` has no id. */
export const TRANSACTION_LISTS: readonly (readonly TransactionItem[])[] = [
  ["nonce", "gas_price", "gas_limit", "to", "value", "input", "v", "r", "s"],
  [
    "chain_id",
    "nonce",
    "gas_price",
    "gas_limit",
    "to",
    "value",
    "input",
    "access_list",
    "v",
    "r",
    "s",
  ],
  feeMarket(),
  feeMarket("max_fee_per_blob_gas", "blob_versioned_hashes"),
  feeMarket("authorization_list"),
];

/** An item of a transaction's RLP list. */
export type TransactionItem = TransactionField | "authorization_list";

function feeMarket(...own: readonly TransactionItem[]): readonly TransactionItem[] {
  return [
    "chain_id",
    "nonce",
    "max_priority_fee_per_gas",
    "max_fee_per_gas",
    "gas_limit",
    "to",
    "value",
    "input",
    "access_list",
    ...own,
    "v",
    "r",
    "s",
  ];
}

/** The RLP list of a receipt, whose order differs from that of the ids. */
export const RECEIPT_LIST = [
  "success",
  "cumulative_gas_used",
  "bloom",
  "logs",
] as const satisfies ReceiptField[];
