import { formatSampledProperty } from "./sampled-property.js";
import type { Compute, Datalake, IncludedTypes, Task, TaskRequest } from "./task.js";

/** A value that JSON can hold. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Returns the specification's request body. Integers up to 2^53 − 1 are JSON numbers, larger ones decimal text;
 * `parseTaskRequest` reads both back to the same request.
 */
export function toTaskRequestJson(request: TaskRequest): Readonly<Record<string, JsonValue>> {
  return { destinationChainId: request.destinationChainId, tasks: request.tasks.map(toTaskJson) };
}

/** Returns a task as in a file. */
export function toTaskJson(task: Task): Readonly<Record<string, JsonValue>> {
  return task.type === "Module"
    ? {
        type: task.type,
        programHash: task.programHash,
        inputs: task.inputs.map(({ visibility, value }) => ({ visibility, value })),
        ...(task.injectedState === undefined ? {} : { injected_state: { ...task.injectedState } }),
      }
    : {
        type: task.type,
        datalake: toDatalakeJson(task.datalake),
        compute: computeJson(task.compute),
      };
}

function toDatalakeJson({
  sampledProperty,
  ...rest
}: Datalake): Readonly<Record<string, JsonValue>> {
  const json: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries<string | bigint | IncludedTypes>(rest)) {
    json[name] = typeof value === "bigint" ? integerJson(value) : value;
  }
  return { ...json, sampledProperty: formatSampledProperty(sampledProperty) };
}

/** Returns an integer as a number, or as text where a number would lose digits. */
function integerJson(value: bigint): number | string {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString();
}

/** Returns the JSON of a compute. The specification writes the value to compare as text, whatever its size. */
function computeJson({ aggregateFnId, aggregateFnCtx }: Compute): JsonValue {
  if (aggregateFnCtx === undefined) return { aggregateFnId };
  const { operator, valueToCompare } = aggregateFnCtx;
  return { aggregateFnId, aggregateFnCtx: { operator, valueToCompare: valueToCompare.toString() } };
}
