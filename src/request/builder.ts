import type { Hex } from "viem";

import { tableOf } from "../base/collections.js";
import { parseBlockReference } from "./block-reference.js";
import type { ChainName } from "./chains.js";
import {
  type AggregateFn,
  FUNCTIONS,
  type PropertyWithoutFunctions,
  TRANSACTION_TYPES,
  type TransactionType,
} from "./fields.js";
import { datalakeCompute, moduleReader, requestReader } from "./parse.js";
import { toTaskJson } from "./task-json.js";
import { parseWith } from "./reader.js";
import { formatSampledProperty } from "./sampled-property.js";
import type {
  BlockProperty,
  Compute,
  DatalakeComputeTask,
  ModuleInput,
  ModuleTask,
  Operator,
  Task,
  TaskRequest,
  TransactionProperty,
} from "./task.js";
import { MAX_UINT64 } from "./value-readers.js";

/** Chain of tasks that name none. */
export const DEFAULT_CHAIN = "ETHEREUM_SEPOLIA";

/**
 * The aggregate functions over the values of a datalake; each makes a task, ready to submit or hash. `avg` is rounded
 * half up, `sum` is taken modulo 2^256, and `count("gt", 5n)` counts the sampled values that compare so to a uint256.
 */
export type Aggregations<T = DatalakeComputeTask> = {
  readonly [F in AggregateFn]: F extends "count"
    ? (operator: Operator, value: bigint | number) => T
    : () => T;
};

/** The functions of a property: all, or none where its field is not an integer. */
export type AggregationsOf<P, T = DatalakeComputeTask> = [P] extends [PropertyWithoutFunctions]
  ? object
  : Aggregations<T>;

/** The transaction types that have a field. A test compares it with the encoded lists. */
export type TypesWithField<F> = F extends "gas_price"
  ? "legacy" | "eip2930"
  : F extends "access_list"
    ? "eip2930" | "eip1559" | "eip4844"
    : F extends "max_fee_per_gas" | "max_priority_fee_per_gas"
      ? "eip1559" | "eip4844"
      : F extends "max_fee_per_blob_gas" | "blob_versioned_hashes"
        ? "eip4844"
        : TransactionType;

/** The compiler's error for types among which there is nothing to sample. */
type TypesOf<P, T extends readonly TransactionType[]> = T extends readonly []
  ? "no transaction type is included: name at least one, or leave types out for all"
  : P extends { readonly kind: "tx"; readonly field: infer F }
    ? Extract<T[number], TypesWithField<F>> extends never
      ? "none of these transaction types has the sampled field"
      : unknown
    : unknown;

interface SampledOptions<P> {
  /** Chain the data is read from. Default `ETHEREUM_SEPOLIA`. */
  readonly chainId?: ChainName | undefined;
  /** Step from one visited block or transaction to the next. Default 1. */
  readonly increment?: bigint | number | undefined;
  /** Property sampled: of blocks `header(…)`, `account(…)` or `storage(…)`, of transactions `tx(…)` or `txReceipt(…)`. */
  readonly property: P;
}

/** What {@link blockSampled} takes. */
export interface BlockSampledOptions<P extends BlockProperty> extends SampledOptions<P> {
  readonly from: bigint | number;
  /** Last block, inclusive. */
  readonly to: bigint | number;
}

/** What {@link transactionsInBlock} takes. */
export interface TransactionsInBlockOptions<
  P extends TransactionProperty,
> extends SampledOptions<P> {
  /** Block whose transactions are sampled. */
  readonly block: bigint | number;
  /** First transaction index. */
  readonly from: bigint | number;
  /** End of the indices, exclusive. */
  readonly to: bigint | number;
  /** Transaction types to include; others are dropped after stepping. Default all four. */
  readonly types?: readonly TransactionType[] | undefined;
}

/** A range whose ends are resolved on the chain when the task is run. */
export interface OpenBlockSampledOptions<P extends BlockProperty> extends SampledOptions<P> {
  /** First block: a number, `latest-64`, `finalized`, a day (`2026-01-01`, UTC) or a time (`2026-01-01T12:00:00Z`). */
  readonly from: bigint | number | string;
  /** Last block, inclusive; a day means its last block. */
  readonly to: bigint | number | string;
}

/** A task whose blocks are not numbers yet: `hdp` resolves them on the connected chain, and only then it has a hash. */
export interface OpenTask {
  readonly type: "DatalakeCompute";
  readonly compute: Compute;
  readonly datalake: {
    readonly type: "BlockSampled";
    readonly chainId: ChainName;
    readonly blockRangeStart: bigint | number | string;
    readonly blockRangeEnd: bigint | number | string;
    readonly increment: bigint | number;
    readonly sampledProperty: string;
  };
}

/**
 * Samples a property at every block of a range.
 * @throws TaskRequestError from the aggregate function, with the rules of `parseTask`
 * @example blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg()
 * @example blockSampled({ ...last(100), property: header("base_fee_per_gas") }).avg()
 */
export function blockSampled<P extends BlockProperty>(
  options: BlockSampledOptions<P>,
): AggregationsOf<P>;
export function blockSampled<P extends BlockProperty>(
  options: OpenBlockSampledOptions<P>,
): AggregationsOf<P, OpenTask>;
export function blockSampled(
  options: OpenBlockSampledOptions<BlockProperty>,
): Aggregations | Aggregations<OpenTask> {
  const { chainId = DEFAULT_CHAIN, from, to, increment = 1n, property } = options;
  const sampledProperty = formatSampledProperty(property);
  const range = { blockRangeStart: from, blockRangeEnd: to };
  const datalake = { type: "BlockSampled", chainId, ...range, increment, sampledProperty } as const;
  const isOpen = (block: unknown): boolean => parseBlockReference(block) !== undefined;
  if (!isOpen(from) && !isOpen(to)) return aggregations("blockSampled()", datalake, (task) => task);
  // Validates an open range as the widest possible one.
  const widest = {
    ...datalake,
    blockRangeStart: isOpen(from) ? 0n : from,
    blockRangeEnd: isOpen(to) ? MAX_UINT64 : to,
  };
  return aggregations("blockSampled()", widest, (task): OpenTask => ({ ...task, datalake }));
}

/**
 * Samples a property of the transactions of one block.
 * @throws TaskRequestError from the aggregate function, with the rules of `parseTask`
 * @example transactionsInBlock({ block: 5605816n, from: 12, to: 53, types: ["eip1559"], property: tx("nonce") }).max()
 */
export function transactionsInBlock<
  P extends TransactionProperty,
  const T extends readonly TransactionType[],
>(
  options: TransactionsInBlockOptions<P> & { readonly types?: (T & TypesOf<P, T>) | undefined },
): AggregationsOf<P> {
  const {
    chainId = DEFAULT_CHAIN,
    block,
    from,
    to,
    increment = 1n,
    types = TRANSACTION_TYPES,
    property,
  } = options;
  const datalake = {
    type: "TransactionsInBlock",
    chainId,
    targetBlock: block,
    startIndex: from,
    endIndex: to,
    increment,
    includedTypes: Object.fromEntries(
      // Keeps an unknown type, so that the parser reports its name.
      [...TRANSACTION_TYPES, ...types].map((type) => [type, types.includes(type)]),
    ),
    sampledProperty: formatSampledProperty(property),
  };
  return aggregations("transactionsInBlock()", datalake, (task) => task);
}

/** Returns the aggregate functions over a datalake. Each validates its task. */
function aggregations<T>(
  source: string,
  datalake: unknown,
  finish: (task: DatalakeComputeTask) => T,
) {
  const of =
    (aggregateFnId: AggregateFn) => (operator?: Operator, valueToCompare?: bigint | number) => {
      const compute = {
        aggregateFnId,
        ...(operator && { aggregateFnCtx: { operator, valueToCompare } }),
      };
      return finish(
        parseWith(datalakeCompute, { type: "DatalakeCompute", datalake, compute }, { source }),
      );
    };
  return tableOf(FUNCTIONS, of);
}

/** What {@link moduleTask} takes. */
export interface ModuleTaskOptions {
  /** The hash the program registry returned. */
  readonly programHash: Hex | bigint;
  /** The arguments as felts, in order; a bare felt is a public input. Default none. */
  readonly inputs?: readonly (
    Hex | bigint | { readonly visibility: ModuleInput["visibility"]; readonly value: Hex | bigint }
  )[];
  /** Roots of the tries it may read and write, by label (text, or a felt as 0x hex); 0 for a new one. */
  readonly injectedState?: Readonly<Record<string, Hex | bigint>> | undefined;
}

/**
 * Makes a task that runs a compiled program.
 * @throws TaskRequestError with the rules of `parseTask`
 * @example moduleTask({ programHash: "0x4062c3…", inputs: [5186021n, { visibility: "private", value: "0x1" }] })
 */
export function moduleTask({
  programHash,
  inputs = [],
  injectedState,
}: ModuleTaskOptions): ModuleTask {
  const written = inputs.map((input) =>
    typeof input === "object" ? input : { visibility: "public", value: input },
  );
  const task = { type: "Module", programHash, inputs: written, injected_state: injectedState };
  return parseWith(moduleReader, task, { source: "moduleTask()" });
}

/** What {@link taskRequest} takes. */
export interface TaskRequestOptions {
  /** Chain that receives the result. Default `ETHEREUM_SEPOLIA`. */
  readonly destinationChainId?: ChainName | undefined;
  readonly tasks: readonly Task[];
}

type SomeTasks<T> = T extends readonly [] ? "tasks is empty: give at least one task" : unknown;

/** Makes a request of one or more tasks, finalized in one batch. @throws TaskRequestError as `parseTaskRequest` */
export function taskRequest<const T extends readonly Task[]>({
  destinationChainId = DEFAULT_CHAIN,
  tasks,
}: TaskRequestOptions & { readonly tasks: T & SomeTasks<T> }): TaskRequest {
  const request = { destinationChainId, tasks: tasks.map(toTaskJson) };
  return parseWith(requestReader, request, { source: "taskRequest()" });
}
