import type { Address, Hex } from "viem";
import { encodeFunctionData, padHex } from "viem/utils";

import { requireAddress } from "../base/checksum.js";
import { hdpError } from "../errors/hdp-error.js";
import { chainIdOf } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS } from "../request/fields.js";
import { encodeIncludedTypes, encodeSampledProperty, taskHash } from "../request/task-hash.js";
import { type DatalakeComputeTask, type ModuleTask, OPERATORS, type Task } from "../request/task.js";
import { type StoreKind } from "./execution-store.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpSatelliteAbi } from "./generated/hdp-satellite.js";
import { type Provider, type StoreTransaction, transactWithStore, type WaitOptions } from "./transact.js";

export interface RequestTaskOptions extends WaitOptions {
  readonly provider: Provider;
  /** An opened or deployed store. */
  readonly store: { readonly address: Address; readonly kind: StoreKind };
  /** Account that requests; any account may. Default: the node's first account. */
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
  const data = task.type === "Module" ? moduleCalldata(task, store.kind) : datalakeCalldata(task, store.kind);
  const call = { store: requireAddress(store.address), from, data };
  return { taskHash: taskHash(task), ...(await transactWithStore(provider, call, options)) };
}

function moduleCalldata({ programHash, inputs }: ModuleTask, kind: StoreKind): Hex {
  const shown = inputs.filter(({ visibility }) => visibility === "public");
  const args = [
    {
      programHash: padHex(programHash, { size: 32 }),
      inputs: shown.map(({ value }) => padHex(value, { size: 32 })),
    },
  ] as const;
  return kind === "satellite"
    ? encodeFunctionData({ abi: hdpSatelliteAbi, functionName: "requestDataProcessorExecutionOfTask", args })
    : encodeFunctionData({ abi: hdpExecutionStoreAbi, functionName: "requestExecutionOfModuleTask", args });
}

function datalakeCalldata({ datalake, compute }: DatalakeComputeTask, kind: StoreKind): Hex {
  if (kind === "satellite") throw hdpError("HDP-3013");
  const abi = hdpExecutionStoreAbi;
  const shared = {
    chainId: chainIdOf(datalake.chainId),
    increment: datalake.increment,
    sampledProperty: encodeSampledProperty(datalake.sampledProperty),
  };
  const context = compute.aggregateFnCtx;
  const computation = {
    aggregateFnId: AGGREGATE_FUNCTIONS.indexOf(compute.aggregateFnId),
    operatorId: context === undefined ? 0 : OPERATORS.indexOf(context.operator) + 1,
    valueToCompare: context?.valueToCompare ?? 0n,
  };
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd } = datalake;
    return encodeFunctionData({
      abi,
      functionName: "requestExecutionOfTaskWithBlockSampledDatalake",
      args: [{ ...shared, blockRangeStart, blockRangeEnd }, computation],
    });
  }
  const { targetBlock, startIndex, endIndex } = datalake;
  const includedTypes = encodeIncludedTypes(datalake.includedTypes);
  return encodeFunctionData({
    abi,
    functionName: "requestExecutionOfTaskWithTransactionsInBlockDatalake",
    args: [{ ...shared, targetBlock, startIndex, endIndex, includedTypes }, computation],
  });
}
