import { keysOf } from "../base/tables.js";
import { AGGREGATE_FUNCTIONS, type AggregateFn } from "./aggregate-functions.js";
import { type FieldEntry, FIELDS, TRANSACTION_LISTS } from "./field-table.js";

/** Kinds of properties whose values are named by a field. */
export type FieldKind = keyof typeof FIELDS;

export type HeaderField = keyof (typeof FIELDS)["header"];
export type AccountField = keyof (typeof FIELDS)["account"];
export type TransactionField = keyof (typeof FIELDS)["tx"];
export type ReceiptField = keyof (typeof FIELDS)["tx_receipt"];

/** Block header fields; the position in this list is the id that is encoded (the position in the RLP list). */
export const HEADER_FIELDS = keysOf(FIELDS.header);

/** Account fields; the position is the encoded id. */
export const ACCOUNT_FIELDS = keysOf(FIELDS.account);

/** Transaction fields; the position is the encoded id. */
export const TRANSACTION_FIELDS = keysOf(FIELDS.tx);

/** Receipt fields; the position is the encoded id. */
export const RECEIPT_FIELDS = keysOf(FIELDS.tx_receipt);

/** Transaction types in the order of their encoding. */
export const TRANSACTION_TYPES = ["legacy", "eip2930", "eip1559", "eip4844"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Names of the fields of each kind. */
export const FIELD_NAMES = {
  header: HEADER_FIELDS,
  account: ACCOUNT_FIELDS,
  tx: TRANSACTION_FIELDS,
  tx_receipt: RECEIPT_FIELDS,
} as const;

type WithoutFunctions<T> = { readonly [F in keyof T]: T[F] extends { readonly without: string } ? F : never }[keyof T];

/** Properties no aggregate function can run over; the builder's types offer none for them. */
export type PropertyWithoutFunctions = {
  readonly [K in FieldKind]: { readonly kind: K; readonly field: WithoutFunctions<(typeof FIELDS)[K]> };
}[FieldKind];

export interface FieldSupport {
  readonly kind: FieldKind;
  readonly field: string;
  /** Aggregate functions that may run over it: all or none. */
  readonly functions: readonly AggregateFn[];
  /** For `tx` and `tx_receipt`: the transaction types that have the field. */
  readonly transactionTypes?: readonly TransactionType[];
  readonly note?: string;
}

/** What every field of a kind supports, in the order of the encoded ids. */
export function listFields(kind: FieldKind): readonly FieldSupport[] {
  return FIELD_NAMES[kind].map((field) => fieldSupport(kind, field));
}

/** The aggregate functions and transaction types of one field; neither, where no field has the name. */
export function fieldSupport(kind: FieldKind, field: string): FieldSupport {
  const entry = fieldEntry(kind, field);
  const types = kind === "tx_receipt" ? TRANSACTION_TYPES : kind === "tx" ? typesWithField(field) : undefined;
  if (entry === undefined) return { kind, field, functions: [], ...(types && { transactionTypes: [] }) };
  const note = entry.since === undefined ? entry.note : `missing before the ${entry.since} fork`;
  return {
    kind,
    field,
    functions: entry.without === undefined ? AGGREGATE_FUNCTIONS : [],
    ...(types && { transactionTypes: types }),
    ...(note === undefined ? {} : { note }),
  };
}

/** What the table has of a field; undefined for a name it does not have. */
export function fieldEntry(kind: FieldKind, field: string): FieldEntry | undefined {
  const table: Readonly<Record<string, FieldEntry>> = FIELDS[kind];
  return Object.hasOwn(table, field) ? table[field] : undefined;
}

/** A visited transaction without the field fails the whole task. A legacy one has its chain id within `v`. */
function typesWithField(field: string): readonly TransactionType[] {
  return TRANSACTION_TYPES.filter((_, number) => {
    const items: readonly string[] = TRANSACTION_LISTS[number] ?? [];
    return items.includes(field) || field === "chain_id";
  });
}

/** Names of the fields of a kind that support aggregate functions. */
export function supportedFields(kind: FieldKind): readonly string[] {
  return listFields(kind)
    .filter(({ functions }) => functions.length > 0)
    .map(({ field }) => field);
}
