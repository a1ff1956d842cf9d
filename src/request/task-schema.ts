import { z } from "zod";

import { computeSchema, readAggregateFn } from "./compute-schema.js";
import { datalakeSchema } from "./datalake-schema.js";
import { fieldEntry, fieldSupport, supportedFields, TRANSACTION_TYPES } from "./field-support.js";
import { quote, readChain, readFelt, wordReader } from "./readers.js";
import {
  fieldsWithoutFunctions,
  formatSampledProperty,
  functionsOf,
  readBlockProperty,
  readTransactionProperty,
} from "./sampled-property.js";
import {
  also,
  field,
  giveUp,
  isObject,
  type JsonObject,
  list,
  record,
  reportTo,
  type Schema,
  variant,
} from "./schema-parts.js";
import type { DatalakeComputeTask, ModuleInput, ModuleTask, Task, TaskRequest } from "./task.js";

/** Which fields a task may compute over: those that support functions, or all that can be encoded and hashed. */
export type FieldChoice = "supported" | "encodable";

/** A datalake and an aggregate function over it. */
export function datalakeComputeSchema(fields: FieldChoice): Schema<DatalakeComputeTask> {
  const isSupported = fields === "supported";
  const schema = record(
    {
      type: field(wordReader(["DatalakeCompute"], "the type of a task")),
      datalake: datalakeSchema.describe("The values to compute over."),
      compute: computeSchema.describe("The function over the values."),
    },
    isSupported ? checkFieldSupport : undefined,
  );
  if (!isSupported) return schema;
  return also(
    () => ({ properties: { datalake: { properties: { sampledProperty: { not: fieldsWithoutFunctions() } } } } }),
    schema,
  );
}

/** Reports a function over a field that supports none, and a field that no included transaction type has. */
function checkFieldSupport(task: JsonObject, context: z.RefinementCtx): void {
  const { datalake, compute } = task;
  if (!isObject(datalake) || !isObject(compute)) return;
  const ignore = (): void => undefined;
  const written = datalake["sampledProperty"];
  const property =
    datalake["type"] === "TransactionsInBlock"
      ? readTransactionProperty(written, ignore)
      : readBlockProperty(written, ignore);
  const aggregateFn = readAggregateFn(compute["aggregateFnId"], ignore);
  if (property === undefined || property.kind === "storage") return;
  const text = formatSampledProperty(property);
  const functions = functionsOf(property);
  if (aggregateFn !== undefined && !functions.includes(aggregateFn)) {
    const allowed = supportedFields(property.kind);
    const { without } = fieldEntry(property.kind, property.field) ?? {};
    reportTo(
      context,
      "compute",
      "aggregateFnId",
    )({
      code: "HDP-1106",
      message: `${aggregateFn} cannot run over ${text}: ${without ?? "it supports no aggregate function"}.`,
      value: compute["aggregateFnId"],
      allowed: functions,
      hints: [
        `Fields of ${property.kind} that support aggregate functions: ${allowed.join(", ")}.`,
        "No published evaluator knows a value for it. A service may: --force sends the task all the same.",
      ],
    });
  }
  const included = datalake["includedTypes"];
  const types = fieldSupport(property.kind, property.field).transactionTypes;
  if (types === undefined || !isObject(included)) return;
  if (!types.some((type) => included[type] === true) && TRANSACTION_TYPES.some((type) => included[type] === true)) {
    reportTo(
      context,
      "datalake",
      "includedTypes",
    )({
      code: "HDP-1122",
      message: `None of the included transaction types has the field of ${text}.`,
      value: included,
      allowed: types,
      hints: [`Only ${types.join(", ")} transactions have it: include these and no others.`],
    });
  }
}

const inputFields = record({
  visibility: field(wordReader(["public", "private"], "a visibility")),
  value: field(readFelt),
});

/** One module input; the bare hex of the first editions is answered with the current form. */
export const inputSchema: Schema<ModuleInput> = z.preprocess((value, context) => {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) {
    giveUp(context, {
      code: "HDP-1117",
      message: `The bare value ${quote(value)} is a retired spelling of an input.`,
      value,
      hints: [`Write { "visibility": "public", "value": ${quote(value)} }.`],
    });
  }
  return value;
}, inputFields);

function moduleWith<T>(inputs: Schema<T>): Schema<Omit<ModuleTask, "inputs"> & { inputs: T[] }> {
  return record({
    type: field(wordReader(["Module"], "the type of a task")),
    programHash: field(readFelt).describe("The hash of the compiled class: hdp:program:hash prints it."),
    inputs: list(inputs, 0, "inputs"),
  });
}

/** A compiled program and its flattened arguments. */
export const moduleSchema: Schema<ModuleTask> = moduleWith(inputSchema);

/** The same with inputs that are not read. */
export const moduleFrameSchema = moduleWith(z.unknown());

/** One task, chosen by its `type`. */
export function taskSchema(fields: FieldChoice): Schema<Task> {
  return variant<Task>({ DatalakeCompute: datalakeComputeSchema(fields), Module: moduleSchema }, "a task");
}

function requestWith<T>(task: Schema<T>): Schema<Omit<TaskRequest, "tasks"> & { tasks: T[] }> {
  return record({
    destinationChainId: field(readChain).describe("The chain whose execution store the results go to."),
    tasks: list(task, 1, "tasks"),
  });
}

/** The specification's task request body. */
export function taskRequestSchema(fields: FieldChoice): Schema<TaskRequest> {
  return requestWith(taskSchema(fields));
}

/** The same with tasks that are not read. */
export const requestFrameSchema = requestWith(z.unknown());
