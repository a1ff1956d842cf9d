import type { Address, Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { addressFault, lowerCase } from "../base/hex.js";
import { nearest } from "../base/text.js";
import type {
  AccountField,
  AggregateFn,
  FieldKind,
  HeaderField,
  ReceiptField,
  TransactionField,
} from "./fields.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "./fields.js";
import { fieldSupport, supportedFields } from "./field-support.js";
import { type JsonForm, parseWith, type Place, quote, type Reader } from "./reader.js";
import type { BlockProperty, SampledProperty, TransactionProperty } from "./task.js";

const FORMS = {
  header: "header.{field}",
  account: "account.{address}.{field}",
  storage: "storage.{address}.{slot}",
  tx: "tx.{field}",
  tx_receipt: "tx_receipt.{field}",
} as const;
type PropertyKind = keyof typeof FORMS;

/** Returns the specification's text of a property: lower case, 32-byte slots. */
export function formatSampledProperty(property: SampledProperty): string {
  if (property.kind === "storage") return `storage.${property.address}.${property.slot}`;
  if (property.kind === "account") return `account.${property.address}.${property.field}`;
  return `${property.kind}.${property.field}`;
}

/** Returns the aggregate functions that a property supports; a storage slot is an integer and supports all. */
export function supportedFunctions(property: SampledProperty): readonly AggregateFn[] {
  return property.kind === "storage"
    ? AGGREGATE_FUNCTIONS
    : fieldSupport(property.kind, property.field).functions;
}

/** Reads `header.`, `account.` and `storage.` properties, the kind and field in any letter case. */
export const blockProperty: Reader<BlockProperty> = {
  read: (given, place) => {
    const value = writtenForm(given, place);
    const parts = split(value, place, ["header", "account", "storage"], "BlockSampled");
    if (parts === null) return null;
    const [kind, first, second = ""] = parts;
    if (kind === "header") return readField(FIELD_NAMES.header, kind, first, value, place);
    const address = readAddress(first, value, place);
    if (kind === "account") {
      const read = readField(FIELD_NAMES.account, kind, second, value, place);
      return address && read && { ...read, address };
    }
    const slot = readSlot(second, value, place);
    return address && slot && { kind, address, slot };
  },
  form: () =>
    propertyForm(
      ["header"],
      `${anyCase("account")}\\.${ADDRESS}\\.(${FIELD_NAMES.account.map(anyCase).join("|")})`,
      `${anyCase("storage")}\\.${ADDRESS}\\.0[xX][0-9a-fA-F]{1,64}`,
    ),
};

/** Reads `tx.` and `tx_receipt.` properties, the kind and field in any letter case. */
export const transactionProperty: Reader<TransactionProperty> = {
  read: (given, place) => {
    const value = writtenForm(given, place);
    const parts = split(value, place, ["tx", "tx_receipt"], "TransactionsInBlock");
    if (parts === null) return null;
    const [kind, name] = parts;
    return kind === "tx"
      ? readField(FIELD_NAMES.tx, kind, name, value, place)
      : readField(FIELD_NAMES.tx_receipt, kind, name, value, place);
  },
  form: () => propertyForm(["tx", "tx_receipt"]),
};

/** Returns the text of a property that was parsed before, where objects of this package may stand; else the value. */
function writtenForm(value: unknown, place: Place): unknown {
  return place.takesObjects && isProperty(value) ? formatSampledProperty(value) : value;
}

/** Returns whether a value may be a property that was parsed before: its members are checked in its text. */
function isProperty(value: unknown): value is SampledProperty {
  return isRecord(value) && typeof value["kind"] === "string";
}

/** Splits `kind.operand` or `kind.operand.operand`; the operands are not empty. */
function split<K extends PropertyKind>(
  value: unknown,
  place: Place,
  kinds: readonly K[],
  datalake: string,
): readonly [kind: K, first: string, second?: string] | null {
  const forms = kinds.map((kind) => FORMS[kind]);
  if (typeof value !== "string")
    return place.reportType(value, `text of the form ${forms.join(" or ")}`);
  const [name = "", ...operands] = value.split(".");
  const kind = kinds.find((known) => known === name.toLowerCase());
  const [first = "", second] = operands;
  const length = kind === undefined ? 0 : FORMS[kind].split(".").length - 1;
  if (kind !== undefined && operands.length === length && !operands.includes("")) {
    return second === undefined ? [kind, first] : [kind, first, second];
  }
  const near =
    Object.hasOwn(FORMS, name.toLowerCase()) || operands.length === 0
      ? undefined
      : nearest(name, kinds);
  const suggestion = near === undefined ? undefined : near + value.slice(name.length);
  const values = { value: quote(value), datalake, forms: forms.join(", ") };
  return place.report("HDP-1105", values, { value, allowed: forms, suggestion });
}

function readField<K extends FieldKind, F extends string>(
  fields: readonly F[],
  kind: K,
  name: string,
  value: unknown,
  place: Place,
): FieldProperty<K, F> | null {
  const field = fields.find((known) => known === name.toLowerCase());
  if (field !== undefined) return { kind, field };
  const near = nearest(name, fields);
  const kinds = {
    header: "a header",
    account: "an account",
    tx: "a transaction",
    tx_receipt: "a receipt",
  };
  const suggestion = near === undefined ? undefined : String(value).replace(/[^.]*$/, near);
  const values = { value: quote(value), kind: kinds[kind], name: kind, fields: fields.join(", ") };
  return place.report("HDP-1104", values, { value, allowed: fields, suggestion });
}

function readAddress(text: string, value: unknown, place: Place): Address | null {
  const fault = addressFault(text);
  return fault === undefined
    ? lowerCase(text)
    : place.report("HDP-1110", { value: quote(text), ...fault }, { value });
}

function readSlot(text: string, value: unknown, place: Place): Hex | null {
  const digits = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1];
  if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, "0")}`;
  return place.report("HDP-1111", { value: quote(text) }, { value });
}

const ADDRESS = "0[xX][0-9a-fA-F]{40}";

/** Returns the JSON Schema: names for completion, and case-insensitive patterns for validation. */
function propertyForm(kinds: readonly FieldKind[], ...patterns: readonly string[]): JsonForm {
  const words = kinds.flatMap((kind) => supportedFields(kind).map((name) => `${kind}.${name}`));
  const all = [...kinds.map((kind) => fieldPattern(kind, FIELD_NAMES[kind])), ...patterns];
  return { anyOf: [{ enum: words }, { type: "string", pattern: `^(${all.join("|")})$` }] };
}

/** Returns the JSON Schema of sampled properties that no aggregate function takes. */
export function withoutFunctions(): JsonForm {
  const patterns = (["header", "tx", "tx_receipt"] as const).map((kind) => {
    const supported = supportedFields(kind);
    const others = FIELD_NAMES[kind].filter((name) => !supported.includes(name));
    return fieldPattern(kind, others);
  });
  return { pattern: `^(${patterns.join("|")})$` };
}

function fieldPattern(kind: FieldKind, names: readonly string[]): string {
  return `${anyCase(kind)}\\.(${names.map(anyCase).join("|")})`;
}

/** Returns a case-insensitive pattern of a word: patterns of a JSON Schema have no flags. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** A property that is a field of a kind. */
export interface FieldProperty<K extends FieldKind, F> {
  readonly kind: K;
  readonly field: F;
}
/** A property that is a field of an account. */
export type AccountProperty<F extends AccountField> = FieldProperty<"account", F> & {
  readonly address: Address;
};
/** A property that is a storage slot. */
export type StorageProperty = Extract<BlockProperty, { readonly kind: "storage" }>;

/** Names a field of the block header, for {@link blockSampled}: `header("base_fee_per_gas")`. */
export function header<F extends HeaderField>(field: F): FieldProperty<"header", F> {
  parseWith(blockProperty, `header.${field}`, { source: "header()" });
  return { kind: "header", field };
}

/** Names a field of an account, for {@link blockSampled}: `account("0x7f2C…36D4", "nonce")`. */
export function account<F extends AccountField>(address: string, field: F): AccountProperty<F> {
  parseWith(blockProperty, `account.${address}.${field}`, { source: "account()" });
  return { kind: "account", address: lowerCase(address), field };
}

/** Names a storage slot of a contract, for {@link blockSampled}: `storage("0x7f2C…36D4", 3n)`. Pads a short slot. */
export function storage(address: string, slot: string | bigint | number): StorageProperty {
  const text = typeof slot === "string" ? slot : `0x${slot.toString(16)}`;
  parseWith(blockProperty, `storage.${address}.${text}`, { source: "storage()" });
  return {
    kind: "storage",
    address: lowerCase(address),
    slot: `0x${text.slice(2).toLowerCase().padStart(64, "0")}`,
  };
}

/** Names a field of a transaction, for {@link transactionsInBlock}: `tx("nonce")`. */
export function tx<F extends TransactionField>(field: F): FieldProperty<"tx", F> {
  parseWith(transactionProperty, `tx.${field}`, { source: "tx()" });
  return { kind: "tx", field };
}

/** Names a field of a transaction's receipt, for {@link transactionsInBlock}: `txReceipt("cumulative_gas_used")`. */
export function txReceipt<F extends ReceiptField>(field: F): FieldProperty<"tx_receipt", F> {
  parseWith(transactionProperty, `tx_receipt.${field}`, { source: "txReceipt()" });
  return { kind: "tx_receipt", field };
}
