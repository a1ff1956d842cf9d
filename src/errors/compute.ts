import type { ErrorTemplate } from "./catalogue-entry.js";

/** Computing tasks: HDP-43xx. */
export const COMPUTE_ERRORS = {
  "HDP-4301": {
    title: "The transaction index is out of range",
    message: "block {block} has no transaction {index}: it has {transactions}",
    hints: ["endIndex is exclusive: it can be at most {count} here."],
    description:
      "A `TransactionsInBlock` datalake visits an index that the block does not have, or that no block can have (4294967296 or more). The range is not cut silently, because the prover does not cut it either.",
  },
  "HDP-4302": {
    title: "The block, transaction or receipt has no such field",
    message: "{place} {reason}",
    hints: ["{advice}"],
    description:
      "The sampled field is missing in a visited element, which fails the whole task: a block from before the fork that added the field (`base_fee_per_gas` came with London, `withdrawals_root` with Shanghai, `blob_gas_used`, `excess_blob_gas` and `parent_beacon_block_root` with Cancun); a transaction of a type without it, for instance `gas_price` of an EIP-1559 transaction or `chain_id` of a legacy one signed without EIP-155; the `success` of a receipt from before Byzantium, which holds a state root instead. The effective gas price of a receipt is never taken in place of `gas_price`.",
  },
  "HDP-4303": {
    title: "The field has no integer value",
    message: "{property} has no integer value, so it cannot be aggregated.",
    hints: ["It can be encoded and hashed only. Sample an integer field: npx hardhat hdp fields lists them."],
    description:
      "The sampled field is a bloom, bytes of any length, a list, or a transaction's recipient. `npx hardhat hdp fields` lists the fields with the functions that they support.",
  },
  "HDP-4305": {
    title: "The set of values is empty",
    message: "{function} has no values: the task selects no element.",
    hints: ["Widen the range, or include the transaction types that the block holds through includedTypes."],
    description:
      "The range is empty, or all visited transactions are of excluded types. The published implementations disagree about an empty `count` (0 or -1) and refuse the other functions; no prover can prove any of them, so it is an error for all five.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;
