import { keysOf } from "../base/collections.js";

/** Type of a field: an integer in its shortest bytes, a fixed number of bytes, bytes of any length, or a list. */
export type FieldType =
  "integer" | "bytes8" | "address" | "bytes32" | "bytes256" | "bytes" | "list";

export type ItemType = Exclude<FieldType, "list">;

/** A field, for all code that reads, hashes, samples, proves or names it. */
export interface FieldEntry {
  readonly type: FieldType;
  /** Its name in a node's JSON. */
  readonly rpc: string;
  /** Its name in the storage proof interface; absent if the interface does not have the field. */
  readonly proof?: string;
  /** The fork that added the field; earlier blocks do not have it. */
  readonly since?: string;
  /** Why no aggregate function supports the field: no published evaluator converts it to an integer. */
  readonly without?: string;
  /** A further restriction, for people. */
  readonly note?: string;
}

type Table = Readonly<Record<string, FieldEntry>>;
const BLOOM = "its 256 bytes are not an integer";

/**
 * Every field that a datalake can sample, by kind and name. Its position is the encoded id, of header fields also the
 * position in the header's RLP list. Tests compare the Solidity enums and the Cairo constants with this table.
 */
export const FIELDS = {
  header: {
    parent_hash: { type: "bytes32", rpc: "parentHash", proof: "PARENT_HASH" },
    ommers_hash: { type: "bytes32", rpc: "sha3Uncles", proof: "UNCLES_HASH" },
    beneficiary: { type: "address", rpc: "miner", proof: "COINBASE" },
    state_root: { type: "bytes32", rpc: "stateRoot", proof: "STATE_ROOT" },
    transactions_root: { type: "bytes32", rpc: "transactionsRoot", proof: "TRANSACTIONS_ROOT" },
    receipts_root: { type: "bytes32", rpc: "receiptsRoot", proof: "RECEIPTS_ROOT" },
    logs_bloom: { type: "bytes256", rpc: "logsBloom", proof: "LOGS_BLOOM", without: BLOOM },
    difficulty: { type: "integer", rpc: "difficulty", proof: "DIFFICULTY" },
    number: { type: "integer", rpc: "number", proof: "BLOCK_NUMBER" },
    gas_limit: { type: "integer", rpc: "gasLimit", proof: "GAS_LIMIT" },
    gas_used: { type: "integer", rpc: "gasUsed", proof: "GAS_USED" },
    timestamp: { type: "integer", rpc: "timestamp", proof: "TIMESTAMP" },
    extra_data: {
      type: "bytes",
      rpc: "extraData",
      proof: "EXTRA_DATA",
      without: "it has bytes of any length",
    },
    mix_hash: { type: "bytes32", rpc: "mixHash", proof: "MIX_HASH" },
    nonce: { type: "bytes8", rpc: "nonce", proof: "NONCE" },
    base_fee_per_gas: {
      type: "integer",
      rpc: "baseFeePerGas",
      proof: "BASE_FEE_PER_GAS",
      since: "London",
    },
    withdrawals_root: {
      type: "bytes32",
      rpc: "withdrawalsRoot",
      proof: "WITHDRAWALS_ROOT",
      since: "Shanghai",
    },
    blob_gas_used: { type: "integer", rpc: "blobGasUsed", proof: "BLOB_GAS_USED", since: "Cancun" },
    excess_blob_gas: {
      type: "integer",
      rpc: "excessBlobGas",
      proof: "EXCESS_BLOB_GAS",
      since: "Cancun",
    },
    parent_beacon_block_root: {
      type: "bytes32",
      rpc: "parentBeaconBlockRoot",
      proof: "PARENT_BEACON_BLOCK_ROOT",
      since: "Cancun",
    },
  },
  account: {
    nonce: { type: "integer", rpc: "nonce", proof: "NONCE" },
    balance: { type: "integer", rpc: "balance", proof: "BALANCE" },
    storage_root: { type: "bytes32", rpc: "storageHash", proof: "STORAGE_ROOT" },
    code_hash: { type: "bytes32", rpc: "codeHash", proof: "CODE_HASH" },
  },
  tx: {
    nonce: { type: "integer", rpc: "nonce" },
    gas_price: {
      type: "integer",
      rpc: "gasPrice",
      note: "the price in the transaction, never the effective one",
    },
    gas_limit: { type: "integer", rpc: "gas" },
    to: {
      type: "address",
      rpc: "to",
      without: "it is an address, or nothing where a contract is created",
    },
    value: { type: "integer", rpc: "value" },
    input: { type: "bytes", rpc: "input", without: "it has bytes of any length" },
    v: { type: "integer", rpc: "v" },
    r: { type: "integer", rpc: "r" },
    s: { type: "integer", rpc: "s" },
    chain_id: {
      type: "integer",
      rpc: "chainId",
      note: "missing on legacy transactions signed without EIP-155",
    },
    access_list: { type: "list", rpc: "accessList", without: "it is a list" },
    max_fee_per_gas: { type: "integer", rpc: "maxFeePerGas" },
    max_priority_fee_per_gas: { type: "integer", rpc: "maxPriorityFeePerGas" },
    blob_versioned_hashes: { type: "list", rpc: "blobVersionedHashes", without: "it is a list" },
    max_fee_per_blob_gas: { type: "integer", rpc: "maxFeePerBlobGas" },
  },
  tx_receipt: {
    success: { type: "integer", rpc: "status" },
    cumulative_gas_used: { type: "integer", rpc: "cumulativeGasUsed" },
    logs: { type: "list", rpc: "logs", without: "it is a list" },
    bloom: { type: "bytes256", rpc: "logsBloom", without: BLOOM },
  },
} as const satisfies Readonly<Record<string, Table>>;

/** Header fields of later forks. They are hashed and modules can read them; a datalake cannot sample them. */
export const LATER_HEADER_FIELDS = {
  requests_hash: { type: "bytes32", rpc: "requestsHash", since: "Prague" },
} as const satisfies Table;

/** The RLP list of each transaction type by its EIP-2718 number, in field names; `authorization_list` has no id. */
export const TRANSACTION_LISTS: readonly (readonly TransactionItem[])[] = [
  ["nonce", "gas_price", "gas_limit", "to", "value", "input", "v", "r", "s"],
  [
    "chain_id",
    "nonce",
    "gas_price",
    "gas_limit",
    "to",
    "value",
    "input",
    "access_list",
    "v",
    "r",
    "s",
  ],
  feeMarket(),
  feeMarket("max_fee_per_blob_gas", "blob_versioned_hashes"),
  feeMarket("authorization_list"),
];

export type TransactionItem = keyof (typeof FIELDS)["tx"] | "authorization_list";

function feeMarket(...own: readonly TransactionItem[]): readonly TransactionItem[] {
  return [
    ...(["chain_id", "nonce", "max_priority_fee_per_gas", "max_fee_per_gas"] as const),
    ...(["gas_limit", "to", "value", "input", "access_list"] as const),
    ...own,
    ...(["v", "r", "s"] as const),
  ];
}

/** The RLP list of a receipt, whose order differs from that of the ids. */
export const RECEIPT_LIST = [
  "success",
  "cumulative_gas_used",
  "bloom",
  "logs",
] as const satisfies ReceiptField[];

/** Returns the name of a field in modules: `baseFeePerGas` for `base_fee_per_gas`. */
export function camelCase(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Aggregate functions with their names in descriptions of tasks; the position is the encoded id. */
export const FUNCTION_WORDS = {
  avg: "average",
  sum: "sum",
  min: "minimum",
  max: "maximum",
  count: "count",
} as const;

export type AggregateFn = keyof typeof FUNCTION_WORDS;

export const AGGREGATE_FUNCTIONS = keysOf(FUNCTION_WORDS);

export type FieldKind = keyof typeof FIELDS;

export type FieldOf<K extends FieldKind> = keyof (typeof FIELDS)[K];
export type HeaderField = FieldOf<"header">;
export type AccountField = FieldOf<"account">;
export type TransactionField = FieldOf<"tx">;
export type ReceiptField = FieldOf<"tx_receipt">;

/** Transaction types in the order of their encoding. */
export const TRANSACTION_TYPES = ["legacy", "eip2930", "eip1559", "eip4844"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Names of the fields of each kind; the position is the encoded id. */
export const FIELD_NAMES = {
  header: keysOf(FIELDS.header),
  account: keysOf(FIELDS.account),
  tx: keysOf(FIELDS.tx),
  tx_receipt: keysOf(FIELDS.tx_receipt),
} as const;

type WithoutFunctions<T> = {
  readonly [F in keyof T]: T[F] extends { readonly without: string } ? F : never;
}[keyof T];

/** Properties without aggregate functions. */
export type PropertyWithoutFunctions = {
  readonly [K in FieldKind]: {
    readonly kind: K;
    readonly field: WithoutFunctions<(typeof FIELDS)[K]>;
  };
}[FieldKind];

export interface FieldSupport {
  readonly kind: FieldKind;
  readonly field: string;
  /** Aggregate functions that support the field: all or none. */
  readonly functions: readonly AggregateFn[];
  /** For `tx` and `tx_receipt`: the transaction types that have the field. */
  readonly transactionTypes?: readonly TransactionType[];
  readonly note?: string;
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
  const transactionTypes =
    kind === "tx_receipt" ? TRANSACTION_TYPES : kind === "tx" ? typesWithField(field) : undefined;
  return {
    kind,
    field,
    functions: entry.without === undefined ? AGGREGATE_FUNCTIONS : [],
    ...(transactionTypes && { transactionTypes }),
    ...(note === undefined ? {} : { note }),
  };
}

export function fieldEntry(kind: FieldKind, field: string): FieldEntry | undefined {
  const table: Table = FIELDS[kind];
  return Object.hasOwn(table, field) ? table[field] : undefined;
}

/** Returns the types that have a field: a transaction without it fails the task. Legacy `v` includes the chain id. */
function typesWithField(field: string): readonly TransactionType[] {
  return TRANSACTION_TYPES.filter((_, number) => {
    const items: readonly string[] = TRANSACTION_LISTS[number] ?? [];
    return items.includes(field) || field === "chain_id";
  });
}

export function supportedFields(kind: FieldKind): readonly string[] {
  return FIELD_NAMES[kind].filter((field) => fieldEntry(kind, field)?.without === undefined);
}

export const STARKNET_HEADER_FIELDS = [
  "blockNumber",
  "stateRoot",
  "sequencerAddress",
  "blockTimestamp",
  "transactionCount",
  "transactionCommitment",
  "eventCount",
  "eventCommitment",
  "parentBlockHash",
  "stateDiffCommitment",
  "stateDiffLength",
  "l1GasPriceInWei",
  "l1GasPriceInFri",
  "l1DataGasPriceInWei",
  "l1DataGasPriceInFri",
  "receiptsCommitment",
  "l1DataMode",
  "protocolVersion",
] as const;
export type StarknetHeaderField = (typeof STARKNET_HEADER_FIELDS)[number];
