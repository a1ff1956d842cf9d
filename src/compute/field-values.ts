import type { Hex } from "viem";

import { itemInteger, type RlpItem } from "../base/rlp.js";
import { envelopeItems, parseEnvelopeType } from "../chain/blocks.js";
import type { AccountState } from "../chain/chain-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import {
  type AccountField,
  FIELD_NAMES,
  type FieldEntry,
  FIELDS,
  type HeaderField,
  type ReceiptField,
  TRANSACTION_TYPES,
  type TransactionField,
} from "../request/fields.js";
import { RECEIPT_LIST, TRANSACTION_LISTS } from "../request/rlp-lists.js";

function noInteger(property: string): HdpError {
  return hdpError("HDP-4306", { property });
}

/** Returns a header field as uint256, by its position in the RLP list; hashes as big-endian integers. */
export function headerValue(block: bigint, items: readonly Hex[], field: HeaderField): bigint {
  if (!fitsWord(FIELDS.header[field])) throw noInteger(`header.${field}`);
  const item = items[FIELD_NAMES.header.indexOf(field)];
  if (item === undefined) throw hdpError("HDP-4302", { block, field });
  return itemInteger(item);
}

const ACCOUNT_KEYS = {
  nonce: "nonce",
  balance: "balance",
  storage_root: "storageRoot",
  code_hash: "codeHash",
} as const satisfies Readonly<Record<AccountField, keyof AccountState>>;

/** Returns an account field as uint256; hashes as big-endian integers. */
export function accountValue(account: AccountState, field: AccountField): bigint {
  return BigInt(account[ACCOUNT_KEYS[field]]);
}

/** Returns a transaction's field as uint256: raw `v`, only a listed `gas_price`, legacy `chain_id` from `v` (EIP-155). */
export function transactionValue(what: string, envelope: Hex, field: TransactionField): bigint {
  if (field === "to" || !fitsWord(FIELDS.tx[field])) throw noInteger(`tx.${field}`);
  const type = parseEnvelopeType(envelope);
  const items = envelopeItems(envelope);
  const item = (name: TransactionField): Hex | undefined =>
    bytesAt(items, TRANSACTION_LISTS[type]?.indexOf(name));
  if (type === 0 && field === "chain_id") {
    const v = itemInteger(item("v") ?? "0x");
    if (v < 35n) throw missingField(what, 0, "chain_id");
    return (v - 35n) / 2n;
  }
  const value = item(field);
  if (value === undefined) throw missingField(what, type, field);
  return itemInteger(value);
}

/** Returns a field of a receipt in hashed form as uint256. */
export function receiptValue(what: string, envelope: Hex, field: ReceiptField): bigint {
  if (!fitsWord(FIELDS.tx_receipt[field])) throw noInteger(`tx_receipt.${field}`);
  const item = bytesAt(envelopeItems(envelope), RECEIPT_LIST.indexOf(field)) ?? "0x";
  if (field === "success" && item.length > 4) throw hdpError("HDP-4304", { receipt: what });
  return itemInteger(item);
}

/** Returns whether a field fits a uint256, unlike blooms, bytes of any length and lists. */
function fitsWord({ type }: FieldEntry): boolean {
  return type !== "bytes256" && type !== "bytes" && type !== "list";
}

function bytesAt(items: readonly RlpItem[], index = -1): Hex | undefined {
  const item = items[index];
  return typeof item === "string" ? item : undefined;
}

function missingField(transaction: string, number: number, field: TransactionField): HdpError {
  const known = TRANSACTION_TYPES[number];
  const key = known ?? `type ${number}`;
  const type = known === undefined ? key : `type ${number} (${known})`;
  return hdpError("HDP-4303", { transaction, type, field, key });
}
