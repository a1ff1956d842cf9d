import type { Hex } from "viem";

import { HdpError } from "../base/errors.js";
import { decodeRlpList, itemInteger } from "../base/rlp.js";
import type { AccountState } from "../chain/chain-reader.js";
import {
  type AccountField,
  HEADER_FIELDS,
  type HeaderField,
  type ReceiptField,
  type TransactionField,
} from "../request/fields.js";

/** Header fields without a uint256 value: no published implementation evaluates them end to end. */
const HEADER_WITHOUT_VALUE: readonly HeaderField[] = ["beneficiary", "logs_bloom", "extra_data"];

/**
 * A header field as uint256, by its position in the RLP list; 32-byte hashes are read as big-endian integers.
 *
 * @throws HdpError HDP-4303 for a field without a value, HDP-4304 for a block from before the field's fork.
 */
export function headerValue(block: bigint, items: readonly Hex[], field: HeaderField): bigint {
  if (HEADER_WITHOUT_VALUE.includes(field)) throw noValue(`header.${field}`);
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

/** Positions in the RLP list of each type; a field that is not there does not exist for the type. */
const POSITIONS: Readonly<Record<number, Partial<Record<TransactionField, number>>>> = {
  0: { nonce: 0, gas_price: 1, gas_limit: 2, value: 4, v: 6, r: 7, s: 8 },
  1: { chain_id: 0, nonce: 1, gas_price: 2, gas_limit: 3, value: 5, v: 8, r: 9, s: 10 },
  2: {
    chain_id: 0,
    nonce: 1,
    max_priority_fee_per_gas: 2,
    max_fee_per_gas: 3,
    gas_limit: 4,
    value: 6,
    v: 9,
    r: 10,
    s: 11,
  },
  3: {
    chain_id: 0,
    nonce: 1,
    max_priority_fee_per_gas: 2,
    max_fee_per_gas: 3,
    gas_limit: 4,
    value: 6,
    max_fee_per_blob_gas: 9,
    v: 11,
    r: 12,
    s: 13,
  },
};

const TRANSACTION_WITHOUT_VALUE: readonly TransactionField[] = ["to", "input", "access_list", "blob_versioned_hashes"];

/**
 * A field of a transaction in hashed form as uint256: `v` raw, `gas_price` only where the transaction itself has one,
 * `chain_id` of a legacy transaction out of its `v` (EIP-155).
 *
 * @param what names the transaction in errors
 * @throws HdpError HDP-4302 where the transaction's type does not have the field, HDP-4303 for a field without a value.
 */
export function transactionValue(what: string, envelope: Hex, field: TransactionField): bigint {
  if (TRANSACTION_WITHOUT_VALUE.includes(field)) throw noValue(`tx.${field}`);
  const type = typeOf(envelope);
  const items = payloadItems(envelope, type);
  if (type === 0 && field === "chain_id") return eip155ChainId(what, itemInteger(items[6] ?? "0x"));
  const position = POSITIONS[type]?.[field];
  const item = position === undefined ? undefined : items[position];
  if (item === undefined) throw missingField(what, type, field);
  return itemInteger(item);
}

/**
 * A field of a receipt in hashed form as uint256.
 *
 * @throws HdpError HDP-4302 for the success of a receipt that has a state root instead (before Byzantium),
 * HDP-4303 for a field without a value.
 */
export function receiptValue(what: string, envelope: Hex, field: ReceiptField): bigint {
  const items = payloadItems(envelope, typeOf(envelope));
  switch (field) {
    case "success": {
      const status = items[0] ?? "0x";
      if (status.length > 4) throw beforeByzantium(what);
      return itemInteger(status);
    }
    case "cumulative_gas_used":
      return itemInteger(items[1] ?? "0x");
    case "logs":
    case "bloom":
      throw noValue(`tx_receipt.${field}`);
  }
}

function payloadItems(envelope: Hex, type: number): readonly (Hex | undefined)[] {
  return decodeRlpList(type === 0 ? envelope : `0x${envelope.slice(4)}`);
}

function eip155ChainId(what: string, v: bigint): bigint {
  if (v < 35n) throw missingField(what, 0, "chain_id");
  return (v - 35n) / 2n;
}

const TYPE_KEYS: Readonly<Record<number, string>> = { 0: "legacy", 1: "eip2930", 2: "eip1559", 3: "eip4844" };

function missingField(what: string, type: number, field: TransactionField): HdpError {
  const key = TYPE_KEYS[type];
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
