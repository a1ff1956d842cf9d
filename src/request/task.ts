import type { Address, Hex } from "viem";

import type { ChainIdentifier } from "./chains.js";
import type { AggregateFn, FieldOf, TransactionType } from "./fields.js";
import type { InjectedRoots } from "./injected-state.js";

/** A parsed task request: the specification's request body, every default filled in. */
export interface TaskRequest {
  /** Chain that receives the result. Not part of any hash. */
  readonly destinationChainId: ChainIdentifier;
  /** At least one. */
  readonly tasks: readonly Task[];
}

/** A task of either kind. */
export type Task = DatalakeComputeTask | ModuleTask;

/** A function over the values of a datalake. */
export interface DatalakeComputeTask {
  readonly type: "DatalakeCompute";
  readonly datalake: Datalake;
  readonly compute: Compute;
}

/** A run of a compiled program. */
export interface ModuleTask {
  readonly type: "Module";
  /** Felt, lower-case hex without leading zeros, as the registry prints it. */
  readonly programHash: Hex;
  readonly inputs: readonly ModuleInput[];
  /**
   * Roots of the tries that the module may read and write, by label. The task hash does not cover them, only the
   * program and the public inputs: a contract that has to know the initial state needs the root as a public input.
   */
  readonly injectedState?: InjectedRoots | undefined;
}

/** One argument felt of a module. */
export interface ModuleInput {
  /** Only public inputs are part of the task hash. */
  readonly visibility: "public" | "private";
  /** One felt, lower-case hex without leading zeros. */
  readonly value: Hex;
}

/** The values that a function is computed over. */
export type Datalake = BlockSampled | TransactionsInBlock;

/** One value of each sampled block of a range. */
export interface BlockSampled {
  readonly type: "BlockSampled";
  readonly chainId: ChainIdentifier;
  readonly blockRangeStart: bigint;
  /** Inclusive. */
  readonly blockRangeEnd: bigint;
  /** At least 1. */
  readonly increment: bigint;
  readonly sampledProperty: BlockProperty;
}

/** One value of each sampled transaction of a block. */
export interface TransactionsInBlock {
  readonly type: "TransactionsInBlock";
  readonly chainId: ChainIdentifier;
  readonly targetBlock: bigint;
  readonly startIndex: bigint;
  /** Exclusive. */
  readonly endIndex: bigint;
  /** At least 1. */
  readonly increment: bigint;
  /** Applied after stepping: an excluded element is dropped, not replaced. */
  readonly includedTypes: IncludedTypes;
  readonly sampledProperty: TransactionProperty;
}

/** Which transaction types take part. */
export type IncludedTypes = Readonly<Record<TransactionType, boolean>>;

/** What is read of a block or a transaction. */
export type SampledProperty = BlockProperty | TransactionProperty;

/** What is read of a block. */
export type BlockProperty =
  | { readonly kind: "header"; readonly field: FieldOf<"header"> }
  | { readonly kind: "account"; readonly address: Address; readonly field: FieldOf<"account"> }
  /** `slot` is 32 bytes. */
  | { readonly kind: "storage"; readonly address: Address; readonly slot: Hex };

/** What is read of a transaction. */
export type TransactionProperty =
  | { readonly kind: "tx"; readonly field: FieldOf<"tx"> }
  | { readonly kind: "tx_receipt"; readonly field: FieldOf<"tx_receipt"> };

/** Operators; position plus one is the encoded id (0 is "none"). */
export const OPERATORS = ["eq", "nq", "gt", "gteq", "lt", "lteq"] as const;
/** How `count` compares a value, on the left. */
export type Operator = (typeof OPERATORS)[number];

/** The function of a datalake task. */
export interface Compute {
  readonly aggregateFnId: AggregateFn;
  /** Present for `count`; on the other functions it has no effect but is hashed as given. */
  readonly aggregateFnCtx?: AggregateContext;
}

/** The comparison of `count`. */
export interface AggregateContext {
  readonly operator: Operator;
  /** uint256. */
  readonly valueToCompare: bigint;
}
