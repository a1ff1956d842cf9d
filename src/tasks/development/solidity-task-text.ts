import type { Address, Hex } from "viem";

import { toWord } from "../../base/hex.js";
import { identifyChain } from "../../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../../request/fields.js";
import type { TaskForm } from "../../request/task-form.js";
import {
  type BlockProperty,
  type Compute,
  type Datalake,
  type IncludedTypes,
  OPERATORS,
  type SampledProperty,
  type Task,
  type TransactionProperty,
} from "../../request/task.js";
import { possibleHashes } from "../../submission/asked-task.js";
import type { TaskWords } from "../../submission/task-words.js";
import type { FormedTask } from "../../submission/word-search.js";

/** Signs of operators as the kit for Solidity has them, in the order of {@link OPERATORS}. */
const SIGNS = ["==", "!=", ">", ">=", "<", "<="];

const COMPUTED = String.raw`^(?<fn>\w+) of (?<property>\S+)(?: (?<sign>[=!<>]+) (?<compared>\d+))?`;
const PLACE = String.raw`, step (?<step>\d+), chain (?<chain>\d+), in the (?<form>datalake|module) form$`;
const BLOCKS = new RegExp(String.raw`${COMPUTED}, blocks (?<first>\d+)\.\.(?<last>\d+)${PLACE}`);
const TRANSACTIONS = new RegExp(
  String.raw`${COMPUTED}, transactions (?<first>\d+) to before (?<last>\d+) of block (?<block>\d+)${PLACE}`,
);
const MODULE = /^module (?<program>0x[0-9a-f]{64}), public inputs: (?<inputs>none|[0-9a-fx, ]+)$/;

/** The parts of a text, by their names in the patterns above. */
type Parts = Readonly<Record<string, string | undefined>>;

/**
 * Returns the task of a text that the kit for Solidity logs; undefined where it is of none, as where it has more inputs than the
 * text names. The hash says which types of transactions take part, and that the text was read rightly.
 */
export function parseTaskText(text: string, hash: Hex): FormedTask | undefined {
  for (const formed of tasksOfText(text))
    if (possibleHashes(formed.task).some((one) => one.hash === hash && one.form === formed.form))
      return formed;
  return undefined;
}

function tasksOfText(text: string): readonly FormedTask[] {
  const module = MODULE.exec(text)?.groups;
  if (module !== undefined) return [{ task: moduleOf(module), form: "module" }];
  const parts = (BLOCKS.exec(text) ?? TRANSACTIONS.exec(text))?.groups;
  if (parts === undefined) return [];
  const compute = computeOf(parts);
  if (compute === undefined) return [];
  const form: TaskForm = parts["form"] === "module" ? "module" : "datalake";
  return datalakesOf(parts).map((datalake) => {
    const task: Task = { type: "DatalakeCompute", datalake, compute };
    return { task, form };
  });
}

function moduleOf({ program = "0x0", inputs = "none" }: Parts): Task {
  const values = inputs === "none" ? [] : inputs.split(", ");
  return {
    type: "Module",
    programHash: shortHex(program),
    inputs: values.map((value) => ({ visibility: "public", value: shortHex(value) })),
  };
}

function shortHex(text: string): Hex {
  return `0x${BigInt(text).toString(16)}`;
}

function computeOf({ fn, sign, compared = "0" }: Parts): Compute | undefined {
  const aggregateFnId = AGGREGATE_FUNCTIONS.find((name) => name === fn);
  if (aggregateFnId === undefined) return undefined;
  const operator = OPERATORS[SIGNS.indexOf(sign ?? "")];
  if (operator === undefined) return { aggregateFnId };
  return { aggregateFnId, aggregateFnCtx: { operator, valueToCompare: BigInt(compared) } };
}

function datalakesOf(parts: Parts): readonly Datalake[] {
  const { property = "", block, ...others } = parts;
  const chainId = identifyChain(numberOf(others["chain"]));
  const sampledProperty = propertyOf(property);
  if (chainId === undefined || sampledProperty === undefined) return [];
  const [first, last] = [numberOf(others["first"]), numberOf(others["last"])];
  const increment = numberOf(others["step"]);
  if (isOfBlock(sampledProperty))
    return [
      {
        type: "BlockSampled",
        chainId,
        blockRangeStart: first,
        blockRangeEnd: last,
        increment,
        sampledProperty,
      },
    ];
  const targetBlock = numberOf(block);
  return everyTypes().map((includedTypes) => ({
    type: "TransactionsInBlock",
    chainId,
    targetBlock,
    startIndex: first,
    endIndex: last,
    increment,
    includedTypes,
    sampledProperty,
  }));
}

function numberOf(digits = "0"): bigint {
  return BigInt(digits);
}

function isOfBlock(property: SampledProperty): property is BlockProperty {
  return property.kind !== "tx" && property.kind !== "tx_receipt";
}

function propertyOf(text: string): BlockProperty | TransactionProperty | undefined {
  const [kind, first = "", second = ""] = text.split(".");
  if (kind === "storage") return { kind, address: toAddress(first), slot: toWord(BigInt(second)) };
  if (kind === "account") {
    const field = FIELD_NAMES.account.find((name) => name === second);
    return field && { kind, address: toAddress(first), field };
  }
  if (kind === "header") {
    const field = FIELD_NAMES.header.find((name) => name === first);
    return field && { kind, field };
  }
  if (kind === "tx") {
    const field = FIELD_NAMES.tx.find((name) => name === first);
    return field && { kind, field };
  }
  const field = FIELD_NAMES.tx_receipt.find((name) => name === first);
  return kind === "tx_receipt" && field !== undefined ? { kind, field } : undefined;
}

function toAddress(text: string): Address {
  return `0x${text.slice(2)}`;
}

/** Every choice of types of transactions, all of them first: the text does not say which take part. */
function everyTypes(): readonly IncludedTypes[] {
  return Array.from({ length: 16 }, (_, mask) => {
    const [legacy = true, eip2930 = true, eip1559 = true, eip4844 = true] = TRANSACTION_TYPES.map(
      (__, bit) => ((mask >> bit) & 1) === 0,
    );
    return { legacy, eip2930, eip1559, eip4844 };
  });
}

/** Numbers of fields by their names. */
type Values = ReadonlyMap<string, bigint>;

/** Returns a task in the words of the kit for Solidity, with other numbers in some of its fields. */
export function taskText({ task, form, fields }: TaskWords, changed: Values): string {
  const values = new Map(fields.map(({ name, value }) => [name, changed.get(name) ?? value]));
  const number = (name: string): bigint => values.get(name) ?? 0n;
  if (task.type === "Module") {
    const [program = 0n, ...inputs] = values.values();
    return moduleText(program, inputs);
  }
  const { datalake } = task;
  const property = propertyText(datalake.sampledProperty, values);
  const fn = functionName(number("aggregateFnId"));
  const sign = SIGNS[Number(number("operator")) - 1];
  const compared = sign === undefined ? "" : ` ${sign} ${number("valueToCompare")}`;
  const range =
    datalake.type === "BlockSampled"
      ? `blocks ${number("blockRangeStart")}..${number("blockRangeEnd")}`
      : `transactions ${number("startIndex")} to before ${number("endIndex")} of block ${number("targetBlock")}`;
  const place = `step ${number("increment")}, chain ${number("chainId")}, in the ${form} form`;
  return `${fn} of ${property}${compared}, ${range}, ${place}`;
}

/** Returns a module in the words of the kit for Solidity. */
export function moduleText(program: bigint, inputs: readonly bigint[]): string {
  const list = inputs.map((input) => `0x${input.toString(16)}`).join(", ");
  return `module ${toWord(program)}, public inputs: ${list === "" ? "none" : list}`;
}

function propertyText(property: SampledProperty, values: Values): string {
  const address = accountText(values.get("address") ?? 0n);
  if (property.kind === "storage") return `storage.${address}.${toWord(values.get("slot") ?? 0n)}`;
  const field = fieldName(property.kind, values.get("sampledProperty") ?? 0n);
  return property.kind === "account" ? `account.${address}.${field}` : `${property.kind}.${field}`;
}

/** Returns an account in all its digits. */
export function accountText(value: bigint): Address {
  return `0x${value.toString(16).padStart(40, "0")}`;
}

/** Returns the name of a function; its number where there is none. */
export function functionName(id: bigint): string {
  return AGGREGATE_FUNCTIONS[Number(id)] ?? `function ${id}`;
}

/** Returns the name of an operator, as task files have it; its number where there is none. */
export function operatorName(id: bigint): string {
  return id === 0n ? "none" : (OPERATORS[Number(id) - 1] ?? `operator ${id}`);
}

/** Returns the name of a field; its number where there is none. */
export function fieldName(kind: Exclude<SampledProperty["kind"], "storage">, id: bigint): string {
  const names: readonly string[] = FIELD_NAMES[kind];
  return names[Number(id)] ?? `field ${id}`;
}
