import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { nearest } from "../base/text.js";
import { BLOCK_REFERENCE, parseBlockReference } from "./block-reference.js";
import {
  AGGREGATE_FUNCTIONS,
  type AggregateFn,
  fieldEntry,
  fieldSupport,
  supportedFields,
  TRANSACTION_TYPES,
} from "./fields.js";
import { readInjectedRoots, sameInjectedRoots } from "./injected-state.js";
import {
  integerReader,
  type JsonForm,
  MAX_UINT256,
  MAX_UINT64,
  quote,
  readChain,
  type Reader,
  readFelt,
  readText,
  type Report,
  wordReader,
  wrongType,
} from "./readers.js";
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
  fieldWithDefault,
  giveUp,
  isRead,
  type JsonObject,
  list,
  optionalField,
  record,
  reportTo,
  type Schema,
  variant,
} from "./schema.js";
import type { Mistake } from "./task-request-error.js";
import {
  type AggregateContext,
  type BlockSampled,
  type Compute,
  type Datalake,
  type DatalakeComputeTask,
  type IncludedTypes,
  type ModuleInput,
  type ModuleTask,
  type Operator,
  OPERATORS,
  type Task,
  type TaskRequest,
  type TransactionsInBlock,
} from "./task.js";

export const readAggregateFn: Reader<AggregateFn> = wordReader(AGGREGATE_FUNCTIONS, "an aggregate function");

const EXAMPLE = '{ "operator": "gteq", "valueToCompare": "1000" }';

/** `lteq=` is how the service's published parser spells `lteq`; `none` is its word for no operator. */
const readOperator: Reader<Operator | "none"> = (value, report) => {
  const text = readText(value, report, `one of ${OPERATORS.map((word) => `"${word}"`).join(", ")}`);
  if (text === undefined || text === "none") return text;
  const operator = OPERATORS.find((known) => known === (text === "lteq=" ? "lteq" : text));
  if (operator === undefined) {
    report({
      code: "HDP-1108",
      message: `${quote(text)} is not an operator.`,
      value,
      allowed: OPERATORS,
      suggestion: SYMBOLS[text] ?? nearest(text, OPERATORS),
      hints: [`Allowed: ${OPERATORS.join(", ")}. In Solidity, nq is Operator.NEQ.`],
    });
  }
  return operator;
};

readOperator.form = () => ({ enum: [...OPERATORS, "lteq=", "none"] });

const SYMBOLS: Readonly<Record<string, Operator>> = {
  "=": "eq",
  "==": "eq",
  "!=": "nq",
  ne: "nq",
  neq: "nq",
  ">": "gt",
  ">=": "gteq",
  gte: "gteq",
  "<": "lt",
  "<=": "lteq",
  lte: "lteq",
};

/** What a context says; `none` with the value 0 says as much as no context. */
const contextRecord: Schema<AggregateContext | undefined> = record(
  {
    operator: optionalField(readOperator).describe("How a sample is compared: with nq, those that differ count."),
    operatorId: optionalField(readOperator).describe("Another name of operator."),
    valueToCompare: field(integerReader({ max: MAX_UINT256 })).describe("What each sample is compared with."),
  },
  (value, context) => {
    const { operator, operatorId } = value;
    if (operator === undefined && operatorId === undefined) {
      reportTo(
        context,
        "operator",
      )({
        code: "HDP-1101",
        message: `This key is missing; it must be one of ${OPERATORS.join(", ")}.`,
        allowed: OPERATORS,
      });
    } else if (operator !== undefined && operatorId !== undefined && operator !== operatorId) {
      reportTo(
        context,
        "operatorId",
      )({
        code: "HDP-1119",
        message: `${quote(operatorId)} contradicts the operator ${quote(operator)}.`,
        value: operatorId,
        hints: ["Both keys mean the same; write operator only."],
      });
    }
  },
).transform(({ operator, operatorId, valueToCompare }, context) => {
  const chosen = operator ?? operatorId;
  if (chosen === undefined) return undefined;
  if (chosen !== "none") return { operator: chosen, valueToCompare };
  if (valueToCompare !== 0n) {
    reportTo(
      context,
      "valueToCompare",
    )({
      code: "HDP-1119",
      message: `${valueToCompare.toString()} is compared with nothing: the operator is "none".`,
      value: valueToCompare,
      hints: [`Write an operator (${OPERATORS.join(", ")}), or leave aggregateFnCtx out.`],
    });
  }
  return undefined;
});

const NONE = {
  anyOf: ["operator", "operatorId"].map((key) => ({ required: [key], properties: { [key]: { const: "none" } } })),
};

const contextSchema: Schema<AggregateContext | undefined> = also(
  () => ({
    anyOf: [{ required: ["operator"] }, { required: ["operatorId"] }],
    if: NONE,
    then: {
      properties: { valueToCompare: { anyOf: [{ const: 0 }, { type: "string", pattern: "^(0[xXoObB])?0+$" }] } },
    },
  }),
  contextRecord,
);

const computeRecord: Schema<Compute> = record(
  {
    aggregateFnId: field(readAggregateFn).describe("What is computed of the samples."),
    aggregateFnCtx: contextSchema.optional().describe("For count: which samples count."),
  },
  (value, context) => {
    if (value["aggregateFnId"] === "count" && !hasOperator(value["aggregateFnCtx"])) {
      reportTo(context)({
        code: "HDP-1107",
        message: 'count needs "aggregateFnCtx" with an operator and a value.',
        value: value["aggregateFnCtx"],
        hints: [`For instance ${EXAMPLE}.`],
      });
    }
  },
).transform(({ aggregateFnId, aggregateFnCtx }) =>
  aggregateFnCtx === undefined ? { aggregateFnId } : { aggregateFnId, aggregateFnCtx },
);

/** `compute` of a task: the function, and for `count` its operator and value. */
export const computeSchema: Schema<Compute> = also(
  () => ({
    if: { required: ["aggregateFnId"], properties: { aggregateFnId: { const: "count" } } },
    then: { required: ["aggregateFnCtx"], properties: { aggregateFnCtx: { not: NONE } } },
  }),
  computeRecord,
);

/** Whether a context is written at all; mistakes inside it are reported by its own schema. */
function hasOperator(context: unknown): boolean {
  if (!isRecord(context)) return context !== undefined;
  return (context["operator"] ?? context["operatorId"]) !== "none";
}

/** Blocks, indices and steps are 64-bit integers in the service. */
const readUint64 = integerReader({ max: MAX_UINT64 });

/** A block's number; what would have to be looked up on a chain is a mistake here. */
const readBlockNumber: Reader<bigint> = Object.assign(
  (value: unknown, report: Report): bigint | undefined => {
    if (parseBlockReference(value) === undefined) return readUint64(value, report);
    report({
      code: "HDP-1130",
      message: `${quote(value)} has to be looked up on the chain, and no network is at hand here.`,
      value,
      hints: ["Name one with --network, or write the block's number: a task hash depends on it."],
    });
    return undefined;
  },
  // What editors are told: a file may have it, wherever it is read with a network.
  { form: (): JsonForm => ({ anyOf: [{ ...readUint64.form?.() }, { type: "string", pattern: BLOCK_REFERENCE }] }) },
);
const increment = fieldWithDefault(integerReader({ max: MAX_UINT64, min: 1n }), 1n).describe(
  "The step from one sample to the next; 1 without it.",
);

const blockSampledSchema: Schema<BlockSampled> = record({
  type: field(wordReader(["BlockSampled"], "the type of a datalake")),
  chainId: field(readChain).describe("The chain that is sampled."),
  blockRangeStart: field(readBlockNumber).describe("The first block that is sampled."),
  blockRangeEnd: field(readBlockNumber).describe("The last block that may be sampled: inclusive."),
  increment,
  sampledProperty: field(readBlockProperty).describe(
    "What is read of each block: header.{field}, account.{address}.{field} or storage.{address}.{slot}.",
  ),
}).superRefine(({ blockRangeStart: start, blockRangeEnd: end }, context) => {
  if (isRead(start, end) && start > end) {
    reportTo(
      context,
      "blockRangeEnd",
    )({
      code: "HDP-1115",
      message: `The range ends at block ${end.toString()}, before its start ${start.toString()}.`,
      value: end,
      hints: ["blockRangeEnd is inclusive and at least blockRangeStart."],
    });
  }
});

const readBoolean: Reader<boolean> = (value, report) => {
  if (typeof value === "boolean") return value;
  report(wrongType(value, "true or false"));
  return undefined;
};

readBoolean.form = () => ({ type: "boolean" });

const includedTypesSchema: Schema<IncludedTypes> = also(
  () => ({ anyOf: TRANSACTION_TYPES.map((type) => ({ properties: { [type]: { const: true } } })) }),
  record({
    legacy: field(readBoolean),
    eip2930: field(readBoolean),
    eip1559: field(readBoolean),
    eip4844: field(readBoolean),
  }).superRefine((types, context) => {
    if (TRANSACTION_TYPES.every((type) => !types[type])) noTypes(types, context);
  }),
);

function noTypes(value: IncludedTypes, context: z.RefinementCtx): void {
  reportTo(context)({
    code: "HDP-1121",
    message: "No transaction type is included, so that nothing would be sampled.",
    value,
    hints: [`Set at least one of ${TRANSACTION_TYPES.join(", ")} to true.`],
  });
}

const transactionsInBlockSchema: Schema<TransactionsInBlock> = record({
  type: field(wordReader(["TransactionsInBlock"], "the type of a datalake")),
  chainId: field(readChain).describe("The chain that is sampled."),
  targetBlock: field(readBlockNumber).describe("The block whose transactions are sampled."),
  startIndex: field(readUint64).describe("The first index in the block that is visited."),
  endIndex: field(readUint64).describe("The first index that is not visited any more: exclusive."),
  increment,
  includedTypes: includedTypesSchema.describe("Types of transactions that are sampled; others are passed over."),
  sampledProperty: field(readTransactionProperty).describe(
    "What is read of each transaction: tx.{field} or tx_receipt.{field}.",
  ),
}).superRefine(({ startIndex: start, endIndex: end }, context) => {
  if (isRead(start, end) && start >= end) {
    reportTo(
      context,
      "endIndex",
    )({
      code: "HDP-1115",
      message: `No transaction lies between startIndex ${start.toString()} and endIndex ${end.toString()}.`,
      value: end,
      hints: ["endIndex is exclusive: the first index that is not visited, at least startIndex + 1."],
    });
  }
});

/** `datalake` of a task, chosen by its `type`. */
export const datalakeSchema: Schema<Datalake> = variant<Datalake>(
  { BlockSampled: blockSampledSchema, TransactionsInBlock: transactionsInBlockSchema },
  "a datalake",
);

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
  if (!isRecord(datalake) || !isRecord(compute)) return;
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
  if (types === undefined || !isRecord(included)) return;
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
    if (!isRecord(value) || "injected_state" in value || !("injectedState" in value)) return value;
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
