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
