import { z } from "zod";

import { computeSchema, readAggregateFn } from "./compute-schema.js";
import { datalakeSchema } from "./datalake-schema.js";
import { fieldEntry, fieldSupport, supportedFields, TRANSACTION_TYPES } from "./field-support.js";
import { readInjectedRoots, sameInjectedRoots } from "./injected-state.js";
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
  optionalField,
  record,
  reportTo,
  type Schema,
  variant,
} from "./schema-parts.js";
import type { Mistake } from "./task-request-error.js";
import type { DatalakeComputeTask, ModuleInput, ModuleTask, Task, TaskRequest } from "./task.js";

/** Which fields a task may compute over: those that support functions, or all that can be encoded and hashed. */
export type FieldChoice = "supported" | "encodable";

/** A schema for each choice of fields. */
function byChoice<T>(make: (fields: FieldChoice) => Schema<T>): (fields: FieldChoice) => Schema<T> {
  const made: Readonly<Record<FieldChoice, Schema<T>>> = {
    supported: make("supported"),
    encodable: make("encodable"),
  };
  return (fields) => made[fields];
}

/** A datalake and an aggregate function over it. */
export const datalakeComputeSchema = byChoice((fields): Schema<DatalakeComputeTask> => {
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
});

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
        "No published evaluator knows a value for it. A service may: hdp:submit --unsupported-fields (unsupportedFields: true) sends the task all the same.",
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

function moduleWith(inputs: Schema<ModuleInput[]>): Schema<ModuleTask> {
  const fields = record({
    type: field(wordReader(["Module"], "the type of a task")),
    programHash: field(readFelt).describe("The hash of the compiled class: hdp:program:hash prints it."),
    inputs,
    injected_state: optionalField(readInjectedRoots).describe(
      'Roots of the tries that the module may read and write, by label: { "votes": "0x0" }.',
    ),
  }).transform(({ injected_state: roots, ...task }): ModuleTask => {
    return roots === undefined || Object.keys(roots).length === 0 ? task : { ...task, injectedState: roots };
  });
  return z.preprocess((value) => {
    // A task that was parsed before has the name of its type.
    if (!isObject(value) || "injected_state" in value || !("injectedState" in value)) return value;
    const { injectedState, ...task } = value;
    return { ...task, injected_state: injectedState };
  }, fields);
}

/** A compiled program, its flattened arguments, and the tries it starts from. */
export const moduleSchema: Schema<ModuleTask> = moduleWith(list(inputSchema, 0, "inputs"));

/** The same with inputs that are not read: there are none in what comes out. */
export const moduleFrameSchema = moduleWith(z.unknown().transform((): ModuleInput[] => []));

/** One task, chosen by its `type`. */
export const taskSchema = byChoice((fields) =>
  variant<Task>({ DatalakeCompute: datalakeComputeSchema(fields), Module: moduleSchema }, "a task"),
);

function requestWith<T>(tasks: Schema<T[]>): Schema<Omit<TaskRequest, "tasks"> & { tasks: T[] }> {
  return record({
    destinationChainId: field(readChain).describe("The chain whose execution store the results go to."),
    tasks,
  });
}

/** The specification's task request body. */
export const taskRequestSchema = byChoice((fields): Schema<TaskRequest> =>
  requestWith(list(taskSchema(fields), 1, "tasks")).transform((request, context) => {
    // Looked for in what can be read only.
    const found = twinsIn(request.tasks);
    for (const { index, mistake } of found) reportTo(context, "tasks", index, "injected_state")(mistake);
    return request;
  }),
);

/** The same with tasks that are not read. */
export const requestFrameSchema = requestWith(list(z.unknown(), 1, "tasks"));

/** Tasks that have the task hash of an earlier one and start from other tries. */
export function twinsIn(tasks: readonly Task[]): { readonly index: number; readonly mistake: Mistake }[] {
  // Of each task hash the first task, and the first that starts otherwise: every later one differs from one of them.
  const seen = new Map<string, { readonly first: number; readonly other?: number }>();
  return tasks.flatMap((task, index) => {
    if (task.type !== "Module") return [];
    const key = `${task.programHash} ${publicInputs(task)}`;
    const known = seen.get(key);
    if (known === undefined) {
      seen.set(key, { first: index });
      return [];
    }
    const first = tasks[known.first];
    const isOther = first?.type === "Module" && !sameInjectedRoots(task.injectedState, first.injectedState);
    const twin = isOther ? known.first : known.other;
    if (isOther && known.other === undefined) seen.set(key, { ...known, other: index });
    return twin === undefined ? [] : [{ index, mistake: twins(twin) }];
  });
}

function publicInputs({ inputs }: ModuleTask): string {
  return inputs.flatMap(({ visibility, value }) => (visibility === "public" ? [value] : [])).join();
}

function twins(other: number): Mistake {
  return {
    code: "HDP-1125",
    message: `This task has the task hash of tasks[${other}], and starts from other injected state.`,
    hints: [
      "The hash covers the program and the public inputs: only one of the two results could be stored.",
      "Submit them one after the other, or give the root as a public input.",
    ],
  };
}
