import { isRecord } from "../base/collections.js";
import { parseJsonText } from "../base/json.js";
import { BLOCK_REFERENCE, meantBlock, parseBlockReference } from "./block-reference.js";
import { AGGREGATE_FUNCTIONS, TRANSACTION_TYPES } from "./fields.js";
import { fieldEntry, fieldSupport, supportedFields } from "./field-support.js";
import { compute } from "./compute-reader.js";
import { injectedRoots } from "./injected-state.js";
import type { JsonObject, ParseOptions, Place, Reader } from "./reader.js";
import { parseWith, quote, readSilently } from "./reader.js";
import { findConflicts } from "./task-hash.js";
import {
  alsoForm,
  boolean,
  chain,
  described,
  felt,
  integer,
  list,
  mapped,
  MAX_UINT64,
  object,
  optional,
  toFelt,
  variant,
  word,
} from "./value-readers.js";
import {
  blockProperty,
  formatSampledProperty,
  transactionProperty,
  withoutFunctions,
} from "./sampled-property.js";
import type {
  BlockSampled,
  Datalake,
  DatalakeComputeTask,
  IncludedTypes,
  ModuleInput,
  ModuleTask,
  Task,
  TaskRequest,
  TransactionsInBlock,
} from "./task.js";

/** Blocks, indices and steps are 64-bit integers in the service. */
const uint64 = integer({ max: MAX_UINT64 });

/** Reads a block's number. A reference, which only a chain can resolve, is an error. */
const blockNumber: Reader<bigint> = {
  read: (value, place) => {
    if (parseBlockReference(value) !== undefined)
      return place.report("HDP-1130", { value: quote(value) }, { value });
    const suggestion = typeof value === "string" ? meantBlock(value) : undefined;
    if (suggestion === undefined) return uint64.read(value, place);
    return place.report("HDP-1139", { value: quote(value) }, { value, suggestion });
  },
  // Files may have references: commands with a network resolve them first.
  form: () => ({ anyOf: [uint64.form(), { type: "string", pattern: BLOCK_REFERENCE }] }),
};

const increment = described(
  "The step from one sample to the next; 1 without it.",
  optional(integer({ max: MAX_UINT64, min: 1n }), 1n),
);

const blockSampled = object<BlockSampled>(
  {
    type: word(["BlockSampled"], "the type of a datalake"),
    chainId: described("The chain that is sampled.", chain),
    blockRangeStart: described("The first block that is sampled.", blockNumber),
    blockRangeEnd: described("The last block that may be sampled: inclusive.", blockNumber),
    increment,
    sampledProperty: described(
      "What is read of each block: header.{field}, account.{address}.{field} or storage.{address}.{slot}.",
      blockProperty,
    ),
  },
  ({ blockRangeStart: start, blockRangeEnd: end }, place, { blockRangeEnd: value }) => {
    if (start === undefined || end === undefined || start <= end) return;
    const values = { start, end, key: "blockRangeEnd", bound: "inclusive", least: start };
    place.at("blockRangeEnd").report("HDP-1115", values, { value });
  },
);

const typeFlags = alsoForm(
  () => ({ anyOf: TRANSACTION_TYPES.map((type) => ({ properties: { [type]: { const: true } } })) }),
  object<IncludedTypes>(
    { legacy: boolean, eip2930: boolean, eip1559: boolean, eip4844: boolean },
    (types, place) => {
      if (TRANSACTION_TYPES.some((type) => types[type] !== false)) return;
      const values = {
        included: "none",
        reason: undefined,
        types: `at least one of ${TRANSACTION_TYPES.join(", ")}`,
      };
      place.report("HDP-1122", values, { value: types, allowed: TRANSACTION_TYPES });
    },
  ),
);

const transactionsInBlock = object<TransactionsInBlock>(
  {
    type: word(["TransactionsInBlock"], "the type of a datalake"),
    chainId: described("The chain that is sampled.", chain),
    targetBlock: described("The block whose transactions are sampled.", blockNumber),
    startIndex: described("The first index in the block that is visited.", uint64),
    endIndex: described("The first index that is not visited any more: exclusive.", uint64),
    increment,
    includedTypes: described(
      "Types of transactions that are sampled; others are passed over.",
      typeFlags,
    ),
    sampledProperty: described(
      "What is read of each transaction: tx.{field} or tx_receipt.{field}.",
      transactionProperty,
    ),
  },
  ({ startIndex: start, endIndex: end }, place, { endIndex: value }) => {
    if (start === undefined || end === undefined || start < end) return;
    const values = { start, end, key: "endIndex", bound: "exclusive", least: start + 1n };
    place.at("endIndex").report("HDP-1115", values, { value });
  },
);

const datalake = variant<Datalake>(
  { BlockSampled: blockSampled, TransactionsInBlock: transactionsInBlock },
  "a datalake",
);

/** Reads a task that computes over a datalake. */
export const datalakeCompute = alsoForm(
  () => ({
    properties: { datalake: { properties: { sampledProperty: { not: withoutFunctions() } } } },
  }),
  object<DatalakeComputeTask>(
    {
      type: word(["DatalakeCompute"], "the type of a task"),
      datalake: described("The values to compute over.", datalake),
      compute: described("The function over the values.", compute),
    },
    (_, place, written) => {
      const usual = wasParsed(written) ? "encodable" : "supported";
      if ((place.fields ?? usual) === "supported") checkFieldSupport(written, place);
    },
  ),
);

/** Returns whether a task was parsed before: its sampled property is an object. */
function wasParsed({ datalake }: JsonObject): boolean {
  return isRecord(datalake) && isRecord(datalake["sampledProperty"]);
}

/** Reports a function over a field that supports none, and a field that no included transaction type has. */
function checkFieldSupport({ datalake, compute }: JsonObject, place: Place): void {
  if (!isRecord(datalake) || !isRecord(compute)) return;
  // Checked even if another part of the datalake has an error.
  const reader: Reader<Datalake["sampledProperty"]> =
    datalake["type"] === "TransactionsInBlock" ? transactionProperty : blockProperty;
  const property = readSilently(reader, datalake["sampledProperty"]);
  if (property === null || property.kind === "storage") return;
  const text = formatSampledProperty(property);
  const { kind, field } = property;
  const aggregateFn = AGGREGATE_FUNCTIONS.find((known) => known === compute["aggregateFnId"]);
  const reason = fieldEntry(kind, field)?.without;
  if (aggregateFn !== undefined && reason !== undefined) {
    const values = {
      function: aggregateFn,
      property: text,
      reason,
      kind,
      fields: supportedFields(kind).join(", "),
    };
    place.at("compute").at("aggregateFnId").report("HDP-1106", values, { value: aggregateFn });
  }
  const flags = datalake["includedTypes"];
  const types = fieldSupport(kind, field).transactionTypes;
  if (types === undefined || !isRecord(flags)) return;
  const included = TRANSACTION_TYPES.filter((type) => flags[type] === true);
  if (included.length === 0 || types.some((type) => included.includes(type))) return;
  const values = {
    included: included.join(", "),
    reason: `: only ${types.join(", ")} transactions have ${text}`,
    types: `${types.join(", ")} and no others`,
  };
  place
    .at("datalake")
    .at("includedTypes")
    .report("HDP-1122", values, { value: flags, allowed: types });
}

const inputFields = object<ModuleInput>({
  visibility: word(["public", "private"], "a visibility"),
  value: felt,
});

/** Reads one module input. Suggests the current form for the bare hex of the first API versions. */
const input: Reader<ModuleInput> = {
  read: (value, place) =>
    toFelt(value) !== undefined
      ? place.reportType(value, "an input", `{ "visibility": "public", "value": ${quote(value)} }`)
      : inputFields.read(value, place),
  form: inputFields.form,
};

const writtenModule = mapped(
  object({
    type: word(["Module"], "the type of a task"),
    programHash: described("The hash of the compiled class: hdp program hash prints it.", felt),
    inputs: list(input, "inputs"),
    injected_state: described(
      'Roots of the tries that the module may read and write, by label: { "votes": "0x0" }.',
      optional(injectedRoots, undefined),
    ),
  }),
  ({ injected_state: injectedState = {}, ...task }): ModuleTask =>
    Object.keys(injectedState).length === 0 ? task : { ...task, injectedState },
);

/** Reads a compiled program, its flattened arguments, and the tries it starts from. */
export const moduleReader: Reader<ModuleTask> = {
  ...writtenModule,
  read: (value, place) => writtenModule.read(withWrittenName(value), place),
};

/** Returns a task with `injected_state`, which a task that was parsed before has as `injectedState`. */
function withWrittenName(value: unknown): unknown {
  if (!isRecord(value) || "injected_state" in value || !("injectedState" in value)) return value;
  const { injectedState, ...task } = value;
  return { ...task, injected_state: injectedState };
}

/** Reads a task of either type. */
export const taskReader = variant<Task>(
  { DatalakeCompute: datalakeCompute, Module: moduleReader },
  "a task",
);

/** Reads a task request, and reports tasks of one hash that differ. */
export const requestReader = object<TaskRequest>(
  {
    destinationChainId: described("The chain whose execution store the results go to.", chain),
    tasks: list(taskReader, "tasks", { least: 1 }),
  },
  ({ tasks }, place) => {
    for (const { index, other, field } of findConflicts(tasks ?? [])) {
      const task = place.at("tasks").at(index);
      task.at(field).report("HDP-1125", { other: `tasks[${other}]` });
    }
  },
);

/**
 * Parses the specification's task request body strictly, filling in every default.
 * @param json parsed JSON; integers may be numbers, text or bigints
 * @throws {@link TaskRequestError} with every error at once, each with its path
 * @example parseTaskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [ … ] }, { source: "tasks/fee.json" })
 */
export function parseTaskRequest(json: unknown, options: ParseOptions = {}): TaskRequest {
  return parseWith(requestReader, withoutEditorKey(json), options);
}

/** Parses one task object of a request. @throws {@link TaskRequestError} with every error at once */
export function parseTask(json: unknown, options: ParseOptions = {}): Task {
  return parseWith(taskReader, withoutEditorKey(json), options);
}

/** Returns the document without the `"$schema"` by which an editor knows it. */
function withoutEditorKey(json: unknown): unknown {
  if (!isRecord(json) || typeof json["$schema"] !== "string") return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== "$schema"));
}

/**
 * Parses the text of a task request file or of stdin, which may have comments. Reads integers beyond 2^53 exactly.
 * @throws HDP-1001 when the text is not JSON, with line and column
 * @throws {@link TaskRequestError} with every error at once
 */
export function parseTaskRequestText(text: string, options: ParseOptions = {}): TaskRequest {
  return parseTaskRequest(parseJsonText(text, { source: options.source, comments: true }), options);
}
