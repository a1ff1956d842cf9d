import type { Hex } from "viem";

import { HdpError } from "../base/errors.js";
import { decodeRlpList, itemInteger } from "../base/rlp.js";
import type { AccountState } from "../chain/chain-reader.js";
import { type FieldEntry, FIELDS, RECEIPT_LIST, TRANSACTION_LISTS } from "../request/field-table.js";
import {
  type AccountField,
  HEADER_FIELDS,
  type HeaderField,
  type ReceiptField,
  TRANSACTION_TYPES,
  type TransactionField,
} from "../request/field-support.js";

/**
 * A header field as uint256, by its position in the RLP list; 32-byte hashes are read as big-endian integers.
 *
 * @throws HdpError HDP-4303 for a field without a value, HDP-4304 for a block from before the field's fork.
 */
export function headerValue(block: bigint, items: readonly Hex[], field: HeaderField): bigint {
  if (!fitsWord(FIELDS.header[field])) throw noValue(`header.${field}`);
  const item = items[HEADER_FIELDS.indexOf(field)];
  if (item === undefined) {
    throw new HdpError({
      code: "HDP-4304",
      message: `block ${block} has no ${field}: it is from before the fork that added the field`,
      hints: ["Start the range at a later block."],
    });
  }
  return itemInteger(item);
}

/** An account field as uint256; hashes are read as big-endian integers. */
export function accountValue(account: AccountState, field: AccountField): bigint {
  switch (field) {
    case "nonce":
      return account.nonce;
    case "balance":
      return account.balance;
    case "storage_root":
      return BigInt(account.storageRoot);
    case "code_hash":
      return BigInt(account.codeHash);
  }
}

/** EIP-2718 type of an envelope: 0 for legacy, whose first byte begins an RLP list. */
export function typeOf(envelope: Hex): number {
  const first = Number.parseInt(envelope.slice(2, 4), 16);
  return first >= 0xc0 ? 0 : first;
}

/**
 * A field of a transaction in hashed form as uint256: `v` raw, `gas_price` only where the transaction itself has one,
 * `chain_id` of a legacy transaction out of its `v` (EIP-155).
 *
 * @param what names the transaction in errors
 * @throws HdpError HDP-4302 where the transaction's type does not have the field, HDP-4303 for a field without a value.
 */
export function transactionValue(what: string, envelope: Hex, field: TransactionField): bigint {
  if (field === "to" || !fitsWord(FIELDS.tx[field])) throw noValue(`tx.${field}`);
  const type = typeOf(envelope);
  const items = payloadItems(envelope, type);
  const item = (name: TransactionField): Hex | undefined => items[TRANSACTION_LISTS[type]?.indexOf(name) ?? -1];
  if (type === 0 && field === "chain_id") return eip155ChainId(what, itemInteger(item("v") ?? "0x"));
  const value = item(field);
  if (value === undefined) throw missingField(what, type, field);
  return itemInteger(value);
}

/**
 * A field of a receipt in hashed form as uint256.
 *
 * @throws HdpError HDP-4302 for the success of a receipt that has a state root instead (before Byzantium),
 * HDP-4303 for a field without a value.
 */
export function receiptValue(what: string, envelope: Hex, field: ReceiptField): bigint {
  if (!fitsWord(FIELDS.tx_receipt[field])) throw noValue(`tx_receipt.${field}`);
  const item = payloadItems(envelope, typeOf(envelope))[RECEIPT_LIST.indexOf(field)] ?? "0x";
  if (field === "success" && item.length > 4) throw beforeByzantium(what);
  return itemInteger(item);
}

/** Blooms, bytes of any number and lists are no uint256. */
function fitsWord({ type }: FieldEntry): boolean {
  return type !== "bytes256" && type !== "bytes" && type !== "list";
}

function payloadItems(envelope: Hex, type: number): readonly (Hex | undefined)[] {
  return decodeRlpList(type === 0 ? envelope : `0x${envelope.slice(4)}`);
}

function eip155ChainId(what: string, v: bigint): bigint {
  if (v < 35n) throw missingField(what, 0, "chain_id");
  return (v - 35n) / 2n;
}

function missingField(what: string, type: number, field: TransactionField): HdpError {
  const key = TRANSACTION_TYPES[type];
  return new HdpError({
    code: "HDP-4302",
    message: `${what} has type ${type}${key === undefined ? "" : ` (${key})`}, which has no ${field}`,
    hints: [`Exclude its type: includedTypes with ${key ?? `type ${type}`} false, or sample other indices.`],
  });
}

function beforeByzantium(what: string): HdpError {
  return new HdpError({
    code: "HDP-4307",
    message: `${what} has a state root in place of success: its block is from before the Byzantium fork`,
    hints: ["Sample tx_receipt.cumulative_gas_used, or a later block."],
  });
}

function noValue(property: string): HdpError {
  return new HdpError({
    code: "HDP-4303",
    message: `${property} has no integer value, so it cannot be aggregated`,
    hints: ["Such fields can be encoded and hashed only. Sample an integer field."],
  });
}
