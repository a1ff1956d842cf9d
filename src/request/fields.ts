/** Aggregate functions; the position is the encoded id. */
export const AGGREGATE_FUNCTIONS = ["avg", "sum", "min", "max", "count"] as const;
export type AggregateFn = (typeof AGGREGATE_FUNCTIONS)[number];

/** Block header fields; the position in this list is the id that is encoded (the position in the RLP list). */
export const HEADER_FIELDS = [
  "parent_hash",
  "ommers_hash",
  "beneficiary",
  "state_root",
  "transactions_root",
  "receipts_root",
  "logs_bloom",
  "difficulty",
  "number",
  "gas_limit",
  "gas_used",
  "timestamp",
  "extra_data",
  "mix_hash",
  "nonce",
  "base_fee_per_gas",
  "withdrawals_root",
  "blob_gas_used",
  "excess_blob_gas",
  "parent_beacon_block_root",
] as const;

/** Account fields; the position is the encoded id. */
export const ACCOUNT_FIELDS = ["nonce", "balance", "storage_root", "code_hash"] as const;

/** Transaction fields; the position is the encoded id. */
export const TRANSACTION_FIELDS = [
  "nonce",
  "gas_price",
  "gas_limit",
  "to",
  "value",
  "input",
  "v",
  "r",
  "s",
  "chain_id",
  "access_list",
  "max_fee_per_gas",
  "max_priority_fee_per_gas",
  "blob_versioned_hashes",
  "max_fee_per_blob_gas",
] as const;

/** Receipt fields; the position is the encoded id. */
export const RECEIPT_FIELDS = ["success", "cumulative_gas_used", "logs", "bloom"] as const;

export type HeaderField = (typeof HEADER_FIELDS)[number];
export type AccountField = (typeof ACCOUNT_FIELDS)[number];
export type TransactionField = (typeof TRANSACTION_FIELDS)[number];
export type ReceiptField = (typeof RECEIPT_FIELDS)[number];

/** Transaction types in the order of their encoding. */
export const TRANSACTION_TYPES = ["legacy", "eip2930", "eip1559", "eip4844"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Kinds of properties whose values are named by a field. */
export const FIELD_NAMES = {
  header: HEADER_FIELDS,
  account: ACCOUNT_FIELDS,
  tx: TRANSACTION_FIELDS,
  tx_receipt: RECEIPT_FIELDS,
} as const;
export type FieldKind = keyof typeof FIELD_NAMES;

/**
 * Fields that are encodable but support no aggregate function: hashes, addresses, bytes and lists. Every other field
 * is an unsigned integer and supports all five (the published support matrix; it omits `header.number`, which the
 * published parser and vectors use).
 */
export const FIELDS_WITHOUT_FUNCTIONS = {
  header: [
    "parent_hash",
    "ommers_hash",
    "beneficiary",
    "state_root",
    "transactions_root",
    "receipts_root",
    "logs_bloom",
    "extra_data",
    "mix_hash",
    "withdrawals_root",
    "parent_beacon_block_root",
  ],
  account: ["storage_root", "code_hash"],
  tx: ["to", "input", "access_list", "blob_versioned_hashes"],
  tx_receipt: ["logs", "bloom"],
} as const satisfies { readonly [K in FieldKind]: readonly (typeof FIELD_NAMES)[K][number][] };

/** Properties no aggregate function can run over; the builder's types offer none for them. */
export type PropertyWithoutFunctions = {
  readonly [K in FieldKind]: { readonly kind: K; readonly field: (typeof FIELDS_WITHOUT_FUNCTIONS)[K][number] };
}[FieldKind];

/** Transaction fields that not every type has. A visited transaction without the field fails the whole task. */
const TYPES_WITH_FIELD: Readonly<Record<string, readonly TransactionType[]>> = {
  gas_price: ["legacy", "eip2930"],
  access_list: ["eip2930", "eip1559", "eip4844"],
  max_fee_per_gas: ["eip1559", "eip4844"],
  max_priority_fee_per_gas: ["eip1559", "eip4844"],
  blob_versioned_hashes: ["eip4844"],
  max_fee_per_blob_gas: ["eip4844"],
};

/** Restrictions a number cannot say, for people. */
const NOTES: Readonly<Record<string, string>> = {
  "header.base_fee_per_gas": "missing before the London fork",
  "header.withdrawals_root": "missing before the Shanghai fork",
  "header.blob_gas_used": "missing before the Cancun fork",
  "header.excess_blob_gas": "missing before the Cancun fork",
  "header.parent_beacon_block_root": "missing before the Cancun fork",
  "tx.chain_id": "missing on legacy transactions signed without EIP-155",
  "tx.gas_price": "the price in the transaction, never the effective one",
};

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

/** The aggregate functions and transaction types of one field. */
export function fieldSupport(kind: FieldKind, field: string): FieldSupport {
  const without: readonly string[] = FIELDS_WITHOUT_FUNCTIONS[kind];
  const note = NOTES[`${kind}.${field}`];
  const types = kind === "tx" ? (TYPES_WITH_FIELD[field] ?? TRANSACTION_TYPES) : TRANSACTION_TYPES;
  return {
    kind,
    field,
    functions: without.includes(field) ? [] : AGGREGATE_FUNCTIONS,
    ...(kind === "tx" || kind === "tx_receipt" ? { transactionTypes: types } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

/** Names of the fields of a kind that support aggregate functions. */
export function supportedFields(kind: FieldKind): readonly string[] {
  return listFields(kind)
    .filter(({ functions }) => functions.length > 0)
    .map(({ field }) => field);
}
