import type { Address, Hex } from "viem";

import type { AccountField, HeaderField, ReceiptField, TransactionField } from "./field-support.js";
import { throwMistakes } from "./parse.js";
import type { Reader } from "./readers.js";
import { readBlockProperty, readTransactionProperty } from "./sampled-property.js";
import type { Mistake } from "./task-request-error.js";

export interface HeaderProperty<F extends HeaderField = HeaderField> {
  readonly kind: "header";
  readonly field: F;
}
export interface AccountProperty<F extends AccountField = AccountField> {
  readonly kind: "account";
  readonly address: Address;
  readonly field: F;
}
export interface StorageProperty {
  readonly kind: "storage";
  readonly address: Address;
  readonly slot: Hex;
}
export interface TxProperty<F extends TransactionField = TransactionField> {
  readonly kind: "tx";
  readonly field: F;
}
export interface TxReceiptProperty<F extends ReceiptField = ReceiptField> {
  readonly kind: "tx_receipt";
  readonly field: F;
}

/**
 * A field of the block header, for {@link blockSampled}.
 *
 * @example header("base_fee_per_gas")
 */
export function header<F extends HeaderField>(field: F): HeaderProperty<F> {
  check(readBlockProperty, `header.${field}`, "header()");
  return { kind: "header", field };
}

/**
 * A field of an account, for {@link blockSampled}.
 *
 * @example account("0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4", "nonce")
 */
export function account<F extends AccountField>(address: Address, field: F): AccountProperty<F> {
  check(readBlockProperty, `account.${address}.${field}`, "account()");
  return { kind: "account", address: lowerCase(address), field };
}

/**
 * A storage slot of a contract, for {@link blockSampled}; short slots are padded on the left.
 *
 * @example storage("0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4", 3n)
 */
export function storage(address: Address, slot: Hex | bigint | number): StorageProperty {
  const text = typeof slot === "string" ? slot : `0x${slot.toString(16)}`;
  check(readBlockProperty, `storage.${address}.${text}`, "storage()");
  return { kind: "storage", address: lowerCase(address), slot: `0x${text.slice(2).toLowerCase().padStart(64, "0")}` };
}

/**
 * A field of a transaction, for {@link transactionsInBlock}.
 *
 * @example tx("nonce")
 */
export function tx<F extends TransactionField>(field: F): TxProperty<F> {
  check(readTransactionProperty, `tx.${field}`, "tx()");
  return { kind: "tx", field };
}

/**
 * A field of a transaction's receipt, for {@link transactionsInBlock}.
 *
 * @example txReceipt("cumulative_gas_used")
 */
export function txReceipt<F extends ReceiptField>(field: F): TxReceiptProperty<F> {
  check(readTransactionProperty, `tx_receipt.${field}`, "txReceipt()");
  return { kind: "tx_receipt", field };
}

/** The parser's own rules, for callers without types. */
function check(read: Reader<unknown>, text: string, source: string): void {
  const mistakes: { readonly path: readonly []; readonly mistake: Mistake }[] = [];
  read(text, (mistake) => mistakes.push({ path: [], mistake }));
  throwMistakes(mistakes, source);
}

function lowerCase(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}
