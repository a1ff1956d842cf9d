import { keysOf } from "../base/collections.js";

/** Type of a field: an integer in its shortest bytes, a fixed number of bytes, bytes of any length, or a list. */
export type FieldType =
  "integer" | "bytes8" | "address" | "bytes32" | "bytes256" | "bytes" | "list";

/** Type of a field that is one RLP item. */
export type ItemType = Exclude<FieldType, "list">;

/** Units of fields: prices in gwei, balances in ether, gas, and times in seconds since 1970. */
export type FieldUnit = "gwei" | "ether" | "gas" | "date";

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
  /** Unit of its values; absent for plain numbers. */
  readonly unit?: FieldUnit;
  /** What the value is, as the Cairo package's documentation says it, without the full stop. */
  readonly about?: string;
}

type Table = Readonly<Record<string, FieldEntry>>;
const BLOOM = "its 256 bytes are not an integer";

/**
 * Every field that a datalake can sample, by kind and name. Its position is the encoded id, of header fields also the
 * position in the header's RLP list. `npm run generate` writes the Solidity enums, the Cairo constants and the table of
 * the documentation from it.
 */
export const FIELDS = {
  header: {
    parent_hash: {
      type: "bytes32",
      rpc: "parentHash",
      proof: "PARENT_HASH",
      about: "Hash of the parent block's header",
    },
    ommers_hash: {
      type: "bytes32",
      rpc: "sha3Uncles",
      proof: "UNCLES_HASH",
      about: "Hash of the list of uncles",
    },
    beneficiary: {
      type: "address",
      rpc: "miner",
      proof: "COINBASE",
      about: "Address that gets the fees",
    },
    state_root: {
      type: "bytes32",
      rpc: "stateRoot",
      proof: "STATE_ROOT",
      about: "Root of the trie of accounts",
    },
    transactions_root: {
      type: "bytes32",
      rpc: "transactionsRoot",
      proof: "TRANSACTIONS_ROOT",
      about: "Root of the trie of transactions",
    },
    receipts_root: {
      type: "bytes32",
      rpc: "receiptsRoot",
      proof: "RECEIPTS_ROOT",
      about: "Root of the trie of receipts",
    },
    logs_bloom: {
      type: "bytes256",
      rpc: "logsBloom",
      proof: "LOGS_BLOOM",
      without: BLOOM,
      about: "Bloom filter of the logs; 256 bytes, no number",
    },
    difficulty: {
      type: "integer",
      rpc: "difficulty",
      proof: "DIFFICULTY",
      about: "Difficulty; 0 since proof of stake",
    },
    number: { type: "integer", rpc: "number", proof: "BLOCK_NUMBER", about: "The block's number" },
    gas_limit: {
      type: "integer",
      rpc: "gasLimit",
      proof: "GAS_LIMIT",
      unit: "gas",
      about: "Most gas that the block may use",
    },
    gas_used: {
      type: "integer",
      rpc: "gasUsed",
      proof: "GAS_USED",
      unit: "gas",
      about: "Gas that its transactions used",
    },
    timestamp: {
      type: "integer",
      rpc: "timestamp",
      proof: "TIMESTAMP",
      unit: "date",
      about: "Seconds since 1970",
    },
    extra_data: {
      type: "bytes",
      rpc: "extraData",
      proof: "EXTRA_DATA",
      without: "it has bytes of any length",
      about: "The builder's own bytes; no number as a rule",
    },
    mix_hash: {
      type: "bytes32",
      rpc: "mixHash",
      proof: "MIX_HASH",
      about: "Randomness of the beacon chain (`prevRandao`)",
    },
    nonce: {
      type: "bytes8",
      rpc: "nonce",
      proof: "NONCE",
      about: "Nonce of proof of work; 0 since proof of stake",
    },
    base_fee_per_gas: {
      type: "integer",
      rpc: "baseFeePerGas",
      proof: "BASE_FEE_PER_GAS",
      since: "London",
      unit: "gwei",
      about: "Base fee in wei per gas (London)",
    },
    withdrawals_root: {
      type: "bytes32",
      rpc: "withdrawalsRoot",
      proof: "WITHDRAWALS_ROOT",
      since: "Shanghai",
      about: "Root of the trie of withdrawals (Shanghai)",
    },
    blob_gas_used: {
      type: "integer",
      rpc: "blobGasUsed",
      proof: "BLOB_GAS_USED",
      since: "Cancun",
      unit: "gas",
      about: "Blob gas that its transactions used (Cancun)",
    },
    excess_blob_gas: {
      type: "integer",
      rpc: "excessBlobGas",
      proof: "EXCESS_BLOB_GAS",
      since: "Cancun",
      unit: "gas",
      about: "Running total of blob gas above the target (Cancun)",
    },
    parent_beacon_block_root: {
      type: "bytes32",
      rpc: "parentBeaconBlockRoot",
      proof: "PARENT_BEACON_BLOCK_ROOT",
      since: "Cancun",
      about: "Root of the parent's beacon block (Cancun)",
    },
  },
  account: {
    nonce: {
      type: "integer",
      rpc: "nonce",
      proof: "NONCE",
      about: "Number of transactions the account has sent",
    },
    balance: {
      type: "integer",
      rpc: "balance",
      proof: "BALANCE",
      unit: "ether",
      about: "Balance in wei",
    },
    storage_root: {
      type: "bytes32",
      rpc: "storageHash",
      proof: "STORAGE_ROOT",
      about: "Root of the trie of the account's storage",
    },
    code_hash: {
      type: "bytes32",
      rpc: "codeHash",
      proof: "CODE_HASH",
      about: "Keccak-256 of the account's code",
    },
  },
  tx: {
    nonce: { type: "integer", rpc: "nonce", about: "The sender's nonce" },
    gas_price: {
      type: "integer",
      rpc: "gasPrice",
      note: "the price in the transaction, never the effective one",
      unit: "gwei",
      about: "Price in wei per gas, of the types that have one",
    },
    gas_limit: {
      type: "integer",
      rpc: "gas",
      unit: "gas",
      about: "Most gas that the transaction may use",
    },
    to: {
      type: "address",
      rpc: "to",
      without: "it is an address, or nothing where a contract is created",
      about: "Address that is called",
    },
    value: { type: "integer", rpc: "value", unit: "ether", about: "Wei that are sent" },
    input: {
      type: "bytes",
      rpc: "input",
      without: "it has bytes of any length",
      about: "Calldata; no number as a rule",
    },
    v: {
      type: "integer",
      rpc: "v",
      about: "Parity of the signature, or `v` of a legacy transaction",
    },
    r: { type: "integer", rpc: "r", about: "The signature's `r`" },
    s: { type: "integer", rpc: "s", about: "The signature's `s`" },
    chain_id: {
      type: "integer",
      rpc: "chainId",
      note: "missing on legacy transactions signed without EIP-155",
      about: "Chain id that is signed",
    },
    access_list: {
      type: "list",
      rpc: "accessList",
      without: "it is a list",
      about: "Access list, encoded; no number as a rule",
    },
    max_fee_per_gas: {
      type: "integer",
      rpc: "maxFeePerGas",
      unit: "gwei",
      about: "Most wei per gas, tip included (EIP-1559)",
    },
    max_priority_fee_per_gas: {
      type: "integer",
      rpc: "maxPriorityFeePerGas",
      unit: "gwei",
      about: "Most wei per gas as a tip (EIP-1559)",
    },
    blob_versioned_hashes: {
      type: "list",
      rpc: "blobVersionedHashes",
      without: "it is a list",
      about: "Hashes of the blobs, encoded; no number as a rule",
    },
    max_fee_per_blob_gas: {
      type: "integer",
      rpc: "maxFeePerBlobGas",
      unit: "gwei",
      about: "Most wei per blob gas (EIP-4844)",
    },
  },
  tx_receipt: {
    success: {
      type: "integer",
      rpc: "status",
      about: "1 for a transaction that succeeded, 0 for one that reverted",
    },
    cumulative_gas_used: {
      type: "integer",
      rpc: "cumulativeGasUsed",
      unit: "gas",
      about: "Gas of the block up to and with this transaction",
    },
    logs: {
      type: "list",
      rpc: "logs",
      without: "it is a list",
      about: "Logs, encoded; no number as a rule",
    },
    bloom: {
      type: "bytes256",
      rpc: "logsBloom",
      without: BLOOM,
      about: "Bloom filter of the logs; 256 bytes, no number",
    },
  },
} as const satisfies Readonly<Record<string, Table>>;

/** Header fields of later forks. They are hashed and modules can read them; a datalake cannot sample them. */
export const LATER_HEADER_FIELDS = {
  requests_hash: { type: "bytes32", rpc: "requestsHash", since: "Prague" },
} as const satisfies Table;

/** Returns the name of a field in modules: `baseFeePerGas` for `base_fee_per_gas`. */
export function camelCase(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An aggregate function, for all code that describes, documents or offers it. */
interface FunctionEntry {
  /** Its name in descriptions of tasks: `average of header.gas_used`. */
  readonly title: string;
  /** What follows a value with a unit: `1.04 gwei on average`; none for `count`, whose value has no unit. */
  readonly phrase?: string;
  /** What becomes of the samples, as the Cairo package's documentation says it, without the full stop. */
  readonly about: string;
}

/**
 * The aggregate functions; the position is the encoded id. `STEPS` of `compute/aggregate.ts` computes them,
 * `contracts/starknet/programs/src/aggregate.cairo` does in the module form.
 */
export const FUNCTIONS = {
  avg: {
    title: "average",
    phrase: "on average",
    about: "Their sum divided by their number, halves rounded up",
  },
  sum: { title: "sum", phrase: "in all", about: "Their sum, modulo 2^256" },
  min: { title: "minimum", phrase: "at least", about: "The smallest" },
  max: { title: "maximum", phrase: "at most", about: "The greatest" },
  count: { title: "count", about: "How many compare as asked" },
} as const satisfies Readonly<Record<string, FunctionEntry>>;

/** The name of an aggregate function in task files. */
export type AggregateFn = keyof typeof FUNCTIONS;

/** Names of the aggregate functions, in the order of their encoded ids. */
export const AGGREGATE_FUNCTIONS = keysOf(FUNCTIONS);

/** The kind of a sampled property that has fields. */
export type FieldKind = keyof typeof FIELDS;

/** The name of a field of a kind. */
export type FieldOf<K extends FieldKind> = keyof (typeof FIELDS)[K];
/** The name of a header field. */
export type HeaderField = FieldOf<"header">;
/** The name of an account field. */
export type AccountField = FieldOf<"account">;
/** The name of a transaction field. */
export type TransactionField = FieldOf<"tx">;
/** The name of a receipt field. */
export type ReceiptField = FieldOf<"tx_receipt">;

/** Transaction types in the order of their encoding. */
export const TRANSACTION_TYPES = ["legacy", "eip2930", "eip1559", "eip4844"] as const;
/** The name of a transaction type. */
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
