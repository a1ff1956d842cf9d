import type { Hex } from "viem";

import { formatSampledProperty } from "./sampled-property.js";
import { writtenTask } from "./task-form.js";
import type { Datalake, DatalakeComputeTask, ModuleTask, SampledProperty, Task } from "./task.js";
import { TRANSACTION_TYPES } from "./fields.js";

/** A field in which two tasks differ, with both values as a task file has them. */
export interface FieldDifference {
  /** Name as in a task file: `blockRangeEnd`, `address`, `inputs[2]`. */
  readonly field: string;
  /** Name of the argument that an input is of, where the class of the program says it. */
  readonly argument?: string | undefined;
  readonly asked: string;
  readonly found: string;
}

/**
 * Returns the fields in which two tasks differ. Both forms of a datalake task are the same task. A field counts where both
 * tasks have it: of tasks of two types only the type. What a function is compared with counts where one task has it, unless it
 * comes with the other function.
 */
export function taskDifferences(asked: Task, found: Task): readonly FieldDifference[] {
  const [first, second] = [taskFields(asked), taskFields(found)];
  const type = differenceIn("type", first, second);
  if (type !== undefined) return [type];
  const isOfFunction = comesWithFunction(first, second) || comesWithFunction(second, first);
  const names = [...first.keys()].filter(
    (name) => second.has(name) && !(isOfFunction && OF_CONTEXT.includes(name)),
  );
  const ofFields = names.flatMap((name) => differenceIn(name, first, second) ?? []);
  return asked.type === "Module" && found.type === "Module"
    ? [...ofFields, ...inputDifferences(asked.inputs, found.inputs)]
    : ofFields;
}

/** Returns the fields in which two modules differ, also where one of them is the module form of a datalake task. */
export function moduleDifferences(
  asked: ModuleTask,
  found: ModuleTask,
): readonly FieldDifference[] {
  const [first, second] = [asked, found].map((task) => new Map(moduleFields(task)));
  const program = first && second && differenceIn("programHash", first, second);
  const ofInputs = inputDifferences(asked.inputs, found.inputs);
  return program === undefined ? ofInputs : [program, ...ofInputs];
}

const OF_CONTEXT: readonly string[] = ["operator", "valueToCompare"];

/** Returns whether one task counts, and the other has another function without anything to compare with. */
function comesWithFunction(counting: Fields, other: Fields): boolean {
  const isOther = other.get("aggregateFnId") !== "count" && other.get("operator") === "none";
  return counting.get("aggregateFnId") === "count" && isOther;
}

type Fields = ReadonlyMap<string, string>;

function differenceIn(field: string, asked: Fields, found: Fields): FieldDifference | undefined {
  const [one = "", other = ""] = [asked.get(field), found.get(field)];
  return one === other ? undefined : { field, asked: one, found: other };
}

function taskFields(given: Task): Fields {
  const task = writtenTask(given);
  return new Map(task.type === "Module" ? moduleFields(task) : datalakeFields(task));
}

type Entry = readonly [field: string, value: string];

function moduleFields({ type, programHash }: ModuleTask): Entry[] {
  return [
    ["type", type],
    ["programHash", programHash],
  ];
}

type Inputs = ModuleTask["inputs"];
type Input = Inputs[number];

/**
 * Returns the differences of two lists of inputs. Values of private ones, which no hash covers, are neither compared nor
 * named.
 */
function inputDifferences(asked: Inputs, found: Inputs): readonly FieldDifference[] {
  if (asked.length === found.length) {
    const others = asked.filter((one, at) => one.visibility !== found[at]?.visibility);
    return others.length > 1
      ? [{ field: "inputs", asked: visibilities(asked), found: visibilities(found) }]
      : asked.flatMap((one, at) => inputDifference(at, one, found[at]) ?? []);
  }
  const [ones, others] = [publicInputs(asked), publicInputs(found)] as const;
  if (ones.length === others.length) {
    const places = publicPlaces(asked.length > found.length ? asked : found);
    return ones.flatMap((one, at) => inputDifference(places[at] ?? at, one, others[at]) ?? []);
  }
  const missing = missingInput(ones, found) ?? missingInput(others, asked);
  if (missing === undefined)
    return [{ field: "inputs.length", asked: String(ones.length), found: String(others.length) }];
  const { at, value } = missing;
  const sides = ones.length < others.length ? [NO_INPUT, value] : [value, NO_INPUT];
  const [one = "", other = ""] = sides;
  return [{ field: `inputs[${at}]`, asked: one, found: other }];
}

/** A hash does not tell an input that is missing from one that is private. */
const NO_INPUT = "none or private";

function publicInputs(inputs: Inputs): Inputs {
  return inputs.filter(({ visibility }) => visibility === "public");
}

/** Returns the positions of the public inputs. */
function publicPlaces(inputs: Inputs): readonly number[] {
  return inputs.flatMap(({ visibility }, at) => (visibility === "public" ? [at] : []));
}

/** Returns the public input without which the public inputs are those of the shorter list; undefined where there is none. */
function missingInput(
  shorter: Inputs,
  inputs: Inputs,
): { readonly at: number; readonly value: Hex } | undefined {
  const rest = shorter.map(({ value }) => value).join();
  const without = (at: number): string =>
    publicInputs(inputs.toSpliced(at, 1))
      .map(({ value }) => value)
      .join();
  const at = inputs.findIndex(
    ({ visibility }, position) => visibility === "public" && without(position) === rest,
  );
  const value = inputs[at]?.value;
  return value === undefined ? undefined : { at, value };
}

function visibilities(inputs: Inputs): string {
  return inputs.map(({ visibility }) => visibility).join(", ");
}

function inputDifference(
  at: number,
  asked: Input,
  found: Input | undefined,
): FieldDifference | undefined {
  const field = `inputs[${at}]`;
  if (found === undefined) return undefined;
  if (asked.visibility !== found.visibility)
    return { field, asked: asked.visibility, found: found.visibility };
  if (asked.visibility === "private" || asked.value === found.value) return undefined;
  return { field, asked: asked.value, found: found.value };
}

function datalakeFields({ datalake, compute }: DatalakeComputeTask): Entry[] {
  const context = compute.aggregateFnCtx;
  return [
    ["type", datalake.type],
    ["chainId", datalake.chainId],
    ...rangeFields(datalake),
    ["increment", String(datalake.increment)],
    ...propertyFields(datalake.sampledProperty),
    ["aggregateFnId", compute.aggregateFnId],
    ["operator", context?.operator ?? "none"],
    ["valueToCompare", String(context?.valueToCompare ?? "none")],
  ];
}

function rangeFields(datalake: Datalake): Entry[] {
  if (datalake.type === "BlockSampled")
    return [
      ["blockRangeStart", String(datalake.blockRangeStart)],
      ["blockRangeEnd", String(datalake.blockRangeEnd)],
    ];
  const types = TRANSACTION_TYPES.filter((type) => datalake.includedTypes[type]);
  return [
    ["targetBlock", String(datalake.targetBlock)],
    ["startIndex", String(datalake.startIndex)],
    ["endIndex", String(datalake.endIndex)],
    ["includedTypes", types.join(", ") || "none"],
  ];
}

function propertyFields(property: SampledProperty): Entry[] {
  if (property.kind === "storage")
    return [
      ["sampledProperty", "storage"],
      ["address", property.address],
      ["slot", property.slot],
    ];
  if (property.kind === "account")
    return [
      ["sampledProperty", `account.${property.field}`],
      ["address", property.address],
    ];
  return [["sampledProperty", formatSampledProperty(property)]];
}
