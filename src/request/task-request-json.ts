import { formatSampledProperty } from "./sampled-property.js";
import type { Compute, Datalake, Task, TaskRequest } from "./task.js";

/** A JSON value; what `JSON.stringify` takes without losing anything. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The specification's request body. Integers up to 2^53 − 1 are JSON numbers, larger ones decimal text;
 * `parseTaskRequest` reads both back to the same request.
 */
export function toTaskRequestJson(request: TaskRequest): Readonly<Record<string, JsonValue>> {
  return { destinationChainId: request.destinationChainId, tasks: request.tasks.map(toTaskJson) };
}

/** One task of the request body. */
export function toTaskJson(task: Task): Readonly<Record<string, JsonValue>> {
  return task.type === "Module"
    ? {
        type: task.type,
        programHash: task.programHash,
        inputs: task.inputs.map(({ visibility, value }) => ({ visibility, value })),
        ...(task.injectedState === undefined ? {} : { injected_state: { ...task.injectedState } }),
      }
    : { type: task.type, datalake: toDatalakeJson(task.datalake), compute: computeJson(task.compute) };
}

/** The datalake of a task. */
export function toDatalakeJson(datalake: Datalake): Readonly<Record<string, JsonValue>> {
  const common = {
    increment: integerJson(datalake.increment),
    sampledProperty: formatSampledProperty(datalake.sampledProperty),
  };
  return datalake.type === "BlockSampled"
    ? {
        type: datalake.type,
        chainId: datalake.chainId,
        blockRangeStart: integerJson(datalake.blockRangeStart),
        blockRangeEnd: integerJson(datalake.blockRangeEnd),
        ...common,
      }
    : {
        type: datalake.type,
        chainId: datalake.chainId,
        targetBlock: integerJson(datalake.targetBlock),
        startIndex: integerJson(datalake.startIndex),
        endIndex: integerJson(datalake.endIndex),
        includedTypes: { ...datalake.includedTypes },
        ...common,
      };
}

/** The value to compare is text in the specification, whatever its size. */
function computeJson({ aggregateFnId, aggregateFnCtx }: Compute): JsonValue {
  return aggregateFnCtx === undefined
    ? { aggregateFnId }
    : {
        aggregateFnId,
        aggregateFnCtx: {
          operator: aggregateFnCtx.operator,
          valueToCompare: aggregateFnCtx.valueToCompare.toString(),
        },
      };
}

function integerJson(value: bigint): JsonValue {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
