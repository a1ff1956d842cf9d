import type { Address, Hex } from "viem";

import type { ChainIdentifier } from "./chains.js";
import type {
  AccountField,
  AggregateFn,
  HeaderField,
  ReceiptField,
  TransactionField,
  TransactionType,
} from "./fields.js";
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
  | { readonly kind: "header"; readonly field: HeaderField }
  | { readonly kind: "account"; readonly address: Address; readonly field: AccountField }
  /** `slot` is 32 bytes. */
  | { readonly kind: "storage"; readonly address: Address; readonly slot: Hex };

export type TransactionProperty =
  | { readonly kind: "tx"; readonly field: TransactionField }
  | { readonly kind: "tx_receipt"; readonly field: ReceiptField };

/** Operators; position plus one is the encoded id (0 is "none"). */
export const OPERATORS = ["eq", "nq", "gt", "gteq", "lt", "lteq"] as const;
export type Operator = (typeof OPERATORS)[number];
export const OPERATOR_SIGNS = { eq: "=", nq: "≠", gt: ">", gteq: "≥", lt: "<", lteq: "≤" } as const;

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

/**
 * A task as written in a file. A module is given by its program hash, or by a compiled class with named arguments.
 * Parsing is stricter than the type.
 */
export type WrittenTask =
  | { readonly type: string; readonly datalake: object; readonly compute: object }
  | { readonly type: string; readonly programHash: string; readonly inputs?: readonly unknown[] }
  | { readonly module: object };

export interface WrittenRequest {
  readonly destinationChainId: string;
  readonly tasks: readonly unknown[];
}

/** The path of a JSON file (relative to the project), the file's content as an object, a task, or a parsed request. */
export type TaskDocument = string | Task | TaskRequest | WrittenTask | WrittenRequest;

/** All that can be submitted. Results of tasks without a request go to the chain on which they are submitted. */
export type TaskInput = TaskDocument | readonly TaskDocument[];

/** The compiler's error text for an input that cannot be a task; `unknown` for every other input. */
export type Taken<T> = [InputError<T>] extends [never] ? unknown : InputError<T>;

/** The error text of an input, or of any element of a list; `never` if there is none. */
type InputError<T> = T extends readonly []
  ? "there are no tasks in this list: give at least one"
  : T extends readonly (infer One)[]
    ? ErrorOf<One>
    : ErrorOf<T>;

type ErrorOf<T> = unknown extends T
  ? never
  : T extends string
    ? never
    : string extends keyof T
      ? never
      : T extends { readonly avg: unknown; readonly sum: unknown }
        ? "this is a datalake without its function: end it with .avg(), .sum(), .min(), .max() or .count(operator, value)"
        : T extends { readonly tasks: infer Tasks }
          ? ErrorOfRequest<T, Tasks>
          : T extends { readonly destinationChainId: unknown }
            ? '"tasks" is missing: a request has "destinationChainId" and "tasks"'
            : ErrorOfTask<T>;

type ErrorOfRequest<T, Tasks> = Tasks extends readonly []
  ? '"tasks" is empty: write at least one task'
  : T extends { readonly destinationChainId: unknown }
    ? Tasks extends readonly (infer One)[]
      ? ErrorOf<One>
      : '"tasks" has to be a list of tasks'
    : '"destinationChainId" is missing: a request has "destinationChainId" and "tasks"';

type ErrorOfTask<T> = T extends { readonly module: object }
  ? never
  : T extends { readonly type: unknown }
    ? T extends { readonly programHash: unknown }
      ? never
      : T extends { readonly datalake: object }
        ? T extends { readonly compute: object }
          ? never
          : '"compute" is missing: a task has "type", "datalake" and "compute"'
        : '"datalake" is missing: a task has "type", "datalake" and "compute", or "programHash" and "inputs"'
    : 'neither a task, which has "type", "datalake" and "compute", nor a request, which has "destinationChainId" and "tasks"';
