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

export type Task = DatalakeComputeTask | ModuleTask;

export interface DatalakeComputeTask {
  readonly type: "DatalakeCompute";
  readonly datalake: Datalake;
  readonly compute: Compute;
}

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

export interface ModuleInput {
  /** Only public inputs are part of the task hash. */
  readonly visibility: "public" | "private";
  /** One felt, lower-case hex without leading zeros. */
  readonly value: Hex;
}

export type Datalake = BlockSampled | TransactionsInBlock;

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

export type IncludedTypes = Readonly<Record<TransactionType, boolean>>;

export type SampledProperty = BlockProperty | TransactionProperty;

export type BlockProperty =
  | { readonly kind: "header"; readonly field: FieldOf<"header"> }
  | { readonly kind: "account"; readonly address: Address; readonly field: FieldOf<"account"> }
  /** `slot` is 32 bytes. */
  | { readonly kind: "storage"; readonly address: Address; readonly slot: Hex };

export type TransactionProperty =
  | { readonly kind: "tx"; readonly field: FieldOf<"tx"> }
  | { readonly kind: "tx_receipt"; readonly field: FieldOf<"tx_receipt"> };

/** Operators; position plus one is the encoded id (0 is "none"). */
export const OPERATORS = ["eq", "nq", "gt", "gteq", "lt", "lteq"] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Compute {
  readonly aggregateFnId: AggregateFn;
  /** Present for `count`; on the other functions it has no effect but is hashed as given. */
  readonly aggregateFnCtx?: AggregateContext;
}

export interface AggregateContext {
  readonly operator: Operator;
  /** uint256. */
  readonly valueToCompare: bigint;
}
