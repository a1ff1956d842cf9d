import {
  AGGREGATE_FUNCTIONS,
  type AggregateFn,
  FIELD_NAMES,
  type FieldEntry,
  type FieldKind,
  FIELDS,
  TRANSACTION_TYPES,
  type TransactionType,
} from "./fields.js";
import { TRANSACTION_LISTS } from "./rlp-lists.js";

/** What a field supports. */
export interface FieldFunctions {
  readonly field: string;
  /** Aggregate functions that support the field: all or none. */
  readonly functions: readonly AggregateFn[];
  /** For `tx` and `tx_receipt`: the transaction types that have the field. */
  readonly transactionTypes?: readonly TransactionType[];
  readonly note?: string;
}

/** What a field of a kind supports. */
export interface FieldSupport extends FieldFunctions {
  readonly kind: FieldKind;
}

/** Returns what every field of a kind supports, in the order of the encoded ids. */
export function listFields(kind: FieldKind): readonly FieldSupport[] {
  return FIELD_NAMES[kind].map((field) => fieldSupport(kind, field));
}

/** Returns the aggregate functions and transaction types of one field; no functions for an unknown name. */
export function fieldSupport(kind: FieldKind, field: string): FieldSupport {
  const entry = fieldEntry(kind, field);
  if (entry === undefined) return { kind, field, functions: [] };
  const note = entry.since === undefined ? entry.note : `missing before the ${entry.since} fork`;
  const transactionTypes = typesWithField(kind, field);
  return {
    kind,
    field,
    functions: entry.without === undefined ? AGGREGATE_FUNCTIONS : [],
    ...(transactionTypes && { transactionTypes }),
    ...(note !== undefined && { note }),
  };
}

/** Returns the row of a field; undefined for an unknown name. */
export function fieldEntry(kind: FieldKind, field: string): FieldEntry | undefined {
  const table: Readonly<Record<string, FieldEntry>> = FIELDS[kind];
  return Object.hasOwn(table, field) ? table[field] : undefined;
}

/** Returns the transaction types that have a field: one without it fails the task. Legacy `v` includes the chain id. */
function typesWithField(kind: FieldKind, field: string): readonly TransactionType[] | undefined {
  if (kind === "tx_receipt") return TRANSACTION_TYPES;
  if (kind !== "tx") return undefined;
  return TRANSACTION_TYPES.filter((_, number) => {
    const items: readonly string[] = TRANSACTION_LISTS[number] ?? [];
    return items.includes(field) || field === "chain_id";
  });
}

/** Returns the names of a kind's fields that functions compute over. */
export function supportedFields(kind: FieldKind): readonly string[] {
  return FIELD_NAMES[kind].filter((field) => fieldEntry(kind, field)?.without === undefined);
}
