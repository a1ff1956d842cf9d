import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Computing tasks: HDP-43xx. */
export const COMPUTE_ERRORS = {
  "HDP-4301": {
    title: "The transaction index is out of range",
    message: "block {block} has no transaction {index}: it has {transactions}",
    hints: ["endIndex is exclusive: it can be at most {count} here."],
    description:
      "A `TransactionsInBlock` datalake visits an index that the block does not have. The range is not cut silently, because the prover does not cut it either.",
  },
  "HDP-4302": {
    title: "The transaction has no such field",
    meaning:
      "A visited transaction is of a type without the sampled field: for instance `gas_price` of an EIP-1559 transaction, or `chain_id` of a legacy transaction signed without EIP-155. It fails the whole task; the effective gas price of a receipt is never taken instead.",
    remedy: "Exclude the type through `includedTypes`, or choose other indices.",
    example: "HDP-4302: transaction 3 of block 12 has type 2 (eip1559), which has no gas_price.",
  },
  "HDP-4303": {
    title: "The field has no integer value",
    meaning:
      "The sampled field is a bloom, bytes of any number, a list, or a transaction's recipient: it can be encoded and hashed, not aggregated.",
    remedy: "Sample a field that is listed with functions by `npx hardhat hdp fields`.",
    example: "HDP-4303: header.logs_bloom has no integer value, so it cannot be aggregated.",
  },
  "HDP-4304": {
    title: "The header has no such field",
    meaning:
      "The block is from before the fork that added the field: `base_fee_per_gas` came with London, `withdrawals_root` with Shanghai, `blob_gas_used`, `excess_blob_gas` and `parent_beacon_block_root` with Cancun.",
    remedy: "Start the range at a later block.",
    example: "HDP-4304: block 100 has no base_fee_per_gas: it is from before the fork that added the field.",
  },
  "HDP-4305": {
    title: "The set of values is empty",
    meaning:
      "No element takes part: the range is empty, or all visited transactions are of excluded types. The published implementations disagree about the value of an empty `count` (0 or -1) and refuse the other functions; none of it can be proven, so it is an error for all five.",
    remedy: "Widen the range, or include the types that the block holds.",
    example: "HDP-4305: count has no values: the task selects no element.",
  },
  "HDP-4306": {
    title: "Count without operator and value",
    meaning:
      "`count` counts the values that compare with a given value, and the task gives none. Parsed requests cannot get here; tasks made by hand can.",
    remedy: "Give `aggregateFnCtx` with `operator` and `valueToCompare`.",
    example: "HDP-4306: count has no operator and value to compare with.",
  },
  "HDP-4307": {
    title: "The receipt has no success",
    meaning: "Receipts from before the Byzantium fork hold a state root where later ones hold the status.",
    remedy: "Sample `tx_receipt.cumulative_gas_used`, or a later block.",
    example:
      "HDP-4307: receipt 0 of block 100 has a state root in place of success: its block is from before the Byzantium fork.",
  },
  "HDP-4308": {
    title: "The transaction index is too large",
    meaning: "An index above 4294967295 cannot exist in any block.",
    remedy: "Lower `startIndex` and `endIndex`.",
    example: "HDP-4308: block 3 cannot have a transaction 4294967296: indices end at 4294967295.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, CatalogueEntry | ErrorTemplate>>;
