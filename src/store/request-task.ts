import type { Address, Hex } from "viem";
import { encodeFunctionData, padHex } from "viem/utils";

import { HdpError } from "../errors/hdp-error.js";
import { chainIdOf } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS } from "../request/fields.js";
import { encodeIncludedTypes, encodeSampledProperty, taskHash } from "../request/task-hash.js";
import { type Compute, type DatalakeComputeTask, type ModuleTask, OPERATORS, type Task } from "../request/task.js";
import { storeAddress, type StoreKind } from "./execution-store.js";
import { type StoreTransaction, transactWithStore } from "./finalize.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpSatelliteAbi } from "./generated/hdp-satellite.js";
import type { Provider, WaitOptions } from "./transact.js";

export interface RequestTaskOptions extends WaitOptions {
  readonly provider: Provider;
  /** An opened or deployed store. */
  readonly store: { readonly address: Address; readonly kind: StoreKind };
  /** Anyone may request. Default: the node's first account. */
  readonly from?: Address | undefined;
  readonly task: Task;
}

export interface RequestedTask extends StoreTransaction {
  readonly taskHash: Hex;
}

/**
 * Requests a task on chain: its status in the store becomes "scheduled".
 *
 * Errors: HDP-3005 requested before, HDP-3013 a datalake task in a satellite, HDP-3007 with the store's own reason.
 */
export async function requestTask(options: RequestTaskOptions): Promise<RequestedTask> {
  const { provider, store, from, task } = options;
  const call = { store: storeAddress(store.address), from, data: encodeRequest(task, store.kind) };
  const { transactionHash, blockNumber, gasUsed } = await transactWithStore(provider, call, options);
  return { taskHash: taskHash(task), transactionHash, blockNumber, gasUsed };
}

function encodeRequest(task: Task, kind: StoreKind): Hex {
  if (task.type === "Module") return encodeModuleRequest(task, kind);
  if (kind === "execution-store") return encodeDatalakeRequest(task);
  throw new HdpError({
    code: "HDP-3013",
    message: "a satellite takes module tasks only: this is a DatalakeCompute task.",
    hints: ["Request it in an execution store, or submit it to the data processor, which needs no request on chain."],
  });
}

function encodeModuleRequest(task: ModuleTask, kind: StoreKind): Hex {
  const inputs = task.inputs.filter(({ visibility }) => visibility === "public");
  const moduleTask = {
    programHash: padHex(task.programHash, { size: 32 }),
    inputs: inputs.map(({ value }) => padHex(value, { size: 32 })),
  };
  return kind === "satellite"
    ? encodeFunctionData({
        abi: hdpSatelliteAbi,
        functionName: "requestDataProcessorExecutionOfTask",
        args: [moduleTask],
      })
    : encodeFunctionData({
        abi: hdpExecutionStoreAbi,
        functionName: "requestExecutionOfModuleTask",
        args: [moduleTask],
      });
}

function encodeDatalakeRequest({ datalake, compute }: DatalakeComputeTask): Hex {
  const shared = {
    chainId: chainIdOf(datalake.chainId),
    increment: datalake.increment,
    sampledProperty: encodeSampledProperty(datalake.sampledProperty),
  };
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd } = datalake;
    return encodeFunctionData({
      abi: hdpExecutionStoreAbi,
      functionName: "requestExecutionOfTaskWithBlockSampledDatalake",
      args: [{ ...shared, blockRangeStart, blockRangeEnd }, computationalTask(compute)],
    });
  }
  const { targetBlock, startIndex, endIndex } = datalake;
  const includedTypes = encodeIncludedTypes(datalake.includedTypes);
  return encodeFunctionData({
    abi: hdpExecutionStoreAbi,
    functionName: "requestExecutionOfTaskWithTransactionsInBlockDatalake",
    args: [{ ...shared, targetBlock, startIndex, endIndex, includedTypes }, computationalTask(compute)],
  });
}

function computationalTask({ aggregateFnId, aggregateFnCtx }: Compute): {
  aggregateFnId: number;
  operatorId: number;
  valueToCompare: bigint;
} {
  return {
    aggregateFnId: AGGREGATE_FUNCTIONS.indexOf(aggregateFnId),
    operatorId: aggregateFnCtx === undefined ? 0 : OPERATORS.indexOf(aggregateFnCtx.operator) + 1,
    valueToCompare: aggregateFnCtx?.valueToCompare ?? 0n,
  };
}
