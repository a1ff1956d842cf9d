import type { Hex } from "viem";

import type { ChainName } from "./chains.js";
import { type PropertyWithoutFunctions, TRANSACTION_TYPES, type TransactionType } from "./field-support.js";
import { tableOf } from "../base/tables.js";
import { AGGREGATE_FUNCTIONS, type AggregateFn } from "./aggregate-functions.js";
import { parseWith } from "./parse.js";
import { formatSampledProperty } from "./sampled-property.js";
import { toTaskJson } from "./task-request-json.js";
import { datalakeComputeSchema, moduleSchema, taskRequestSchema } from "./task-schema.js";
import type {
  BlockProperty,
  DatalakeComputeTask,
  ModuleInput,
  ModuleTask,
  Operator,
  Task,
  TaskRequest,
  TransactionProperty,
} from "./task.js";

/** The chain of tasks and requests that name none. */
export const DEFAULT_CHAIN = "ETHEREUM_SEPOLIA";

/**
 * The aggregate functions over the values of a datalake; each gives a task, ready to submit or hash. `avg` is rounded
 * half up, `sum` is taken modulo 2^256, and `count("gt", 5n)` says how many sampled values stand in a relation to a
 * value, a uint256.
 */
export type Aggregations = {
  readonly [F in AggregateFn]: F extends "count"
    ? (operator: Operator, value: bigint | number) => DatalakeComputeTask
    : () => DatalakeComputeTask;
};

/** What a property offers: all functions, or none where its field is not an integer. */
export type AggregationsOf<P> = [P] extends [PropertyWithoutFunctions] ? object : Aggregations;

export interface BlockSampledOptions<P extends BlockProperty> {
  /** Chain the data is read from. Default `ETHEREUM_SEPOLIA`. */
  readonly chainId?: ChainName | undefined;
  /** First block. */
  readonly from: bigint | number;
  /** Last block, inclusive. */
  readonly to: bigint | number;
  /** Step over the range. Default 1. */
  readonly increment?: bigint | number | undefined;
  /** What is sampled at each block: `header(…)`, `account(…)` or `storage(…)`. */
  readonly property: P;
}

export interface TransactionsInBlockOptions<P extends TransactionProperty> {
  /** Chain the data is read from. Default `ETHEREUM_SEPOLIA`. */
  readonly chainId?: ChainName | undefined;
  /** Block whose transactions are sampled. */
  readonly block: bigint | number;
  /** First transaction index. */
  readonly from: bigint | number;
  /** End of the indices, exclusive: the first one that is not visited. */
  readonly to: bigint | number;
  /** Step over the indices. Default 1. */
  readonly increment?: bigint | number | undefined;
  /** Transaction types that take part; others are dropped after stepping. Default all four. */
  readonly types?: readonly TransactionType[] | undefined;
  /** What is sampled of each transaction: `tx(…)` or `txReceipt(…)`. */
  readonly property: P;
}

/**
 * Samples a property at every block of a range.
 *
 * @throws TaskRequestError from the aggregate function, with the rules of `parseTask`
 * @example blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg()
 */
export function blockSampled<P extends BlockProperty>(options: BlockSampledOptions<P>): AggregationsOf<P> {
  const { chainId = DEFAULT_CHAIN, from, to, increment = 1n, property } = options;
  return aggregations("blockSampled()", {
    type: "BlockSampled",
    chainId,
    blockRangeStart: from,
    blockRangeEnd: to,
    increment,
    sampledProperty: formatSampledProperty(property),
  });
}

/**
 * Samples a property of the transactions of one block.
 *
 * @throws TaskRequestError from the aggregate function, with the rules of `parseTask`
 * @example transactionsInBlock({ block: 5605816n, from: 12, to: 53, types: ["eip1559"], property: tx("nonce") }).max()
 */
export function transactionsInBlock<P extends TransactionProperty>(
  options: TransactionsInBlockOptions<P>,
): AggregationsOf<P> {
  const { chainId = DEFAULT_CHAIN, block, from, to, increment = 1n, types = TRANSACTION_TYPES, property } = options;
  return aggregations("transactionsInBlock()", {
    type: "TransactionsInBlock",
    chainId,
    targetBlock: block,
    startIndex: from,
    endIndex: to,
    increment,
    includedTypes: Object.fromEntries(
      // A type no one knows stays in, so that it is refused by name.
      [...TRANSACTION_TYPES, ...types].map((type) => [type, types.includes(type)]),
    ),
    sampledProperty: formatSampledProperty(property),
  });
}

function aggregations(source: string, datalake: unknown): Aggregations {
  return tableOf(AGGREGATE_FUNCTIONS, (aggregateFnId) => (operator?: Operator, valueToCompare?: bigint | number) => {
    const aggregateFnCtx = operator === undefined ? undefined : { operator, valueToCompare };
    const compute = aggregateFnCtx === undefined ? { aggregateFnId } : { aggregateFnId, aggregateFnCtx };
    return parseWith(datalakeComputeSchema("supported"), { type: "DatalakeCompute", datalake, compute }, source);
  });
}

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
 * A task that runs a compiled program.
 *
 * @throws TaskRequestError with the rules of `parseTask`
 * @example moduleTask({ programHash: "0x4062c3…", inputs: [5186021n, { visibility: "private", value: "0x1" }] })
 */
export function moduleTask({ programHash, inputs = [], injectedState }: ModuleTaskOptions): ModuleTask {
  return parseWith(
    moduleSchema,
    {
      type: "Module",
      programHash,
      inputs: inputs.map((input) => (typeof input === "object" ? input : { visibility: "public", value: input })),
      ...(injectedState === undefined ? {} : { injected_state: injectedState }),
    },
    "moduleTask()",
  );
}

export interface TaskRequestOptions {
  /** Chain that receives the result. Default `ETHEREUM_SEPOLIA`. */
  readonly destinationChainId?: ChainName | undefined;
  readonly tasks: readonly Task[];
}

/**
 * A request of one or more tasks, finalized in one batch.
 *
 * @throws TaskRequestError with the rules of `parseTaskRequest`
 */
export function taskRequest({ destinationChainId = DEFAULT_CHAIN, tasks }: TaskRequestOptions): TaskRequest {
  return parseWith(
    taskRequestSchema("supported"),
    { destinationChainId, tasks: tasks.map(toTaskJson) },
    "taskRequest()",
  );
}
