import { formatSampledProperty } from "./sampled-property.js";
import { writtenTask } from "./task-form.js";
import type { Datalake, DatalakeComputeTask, ModuleTask, SampledProperty, Task } from "./task.js";
import { TRANSACTION_TYPES } from "./fields.js";

/** A field in which two tasks differ, with both values as a task file has them. */
export interface FieldDifference {
  /** Name as in a task file: `blockRangeEnd`, `address`, `inputs[2]`. */
  readonly field: string;
  readonly asked: string;
  readonly found: string;
}

/**
 * Returns the fields in which two tasks differ. Both forms of a datalake task are the same task. A field counts where both
 * tasks have it: of tasks of two types only the type, of two functions only the function.
 */
export function taskDifferences(asked: Task, found: Task): readonly FieldDifference[] {
  const [first, second] = [taskFields(asked), taskFields(found)];
  const type = differenceIn("type", first, second);
  if (type !== undefined) return [type];
  const isCount = [first, second].every((fields) => fields.get("aggregateFnId") === "count");
  const names = [...first.keys()].filter(
    (name) => second.has(name) && (isCount || !OF_COUNT.includes(name)),
  );
  const hasOtherLength = differenceIn("inputs.length", first, second) !== undefined;
  return names
    .filter((name) => !hasOtherLength || !name.startsWith("inputs["))
    .flatMap((name) => differenceIn(name, first, second) ?? []);
}

const OF_COUNT: readonly string[] = ["operator", "valueToCompare"];

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

/** Private inputs are no part of the task hash, and may be secret. */
function moduleFields({ type, programHash, inputs }: ModuleTask): Entry[] {
  const shown = inputs.filter(({ visibility }) => visibility === "public");
  return [
    ["type", type],
    ["programHash", programHash],
    ["inputs.length", String(shown.length)],
    ...shown.map(({ value }, index): Entry => [`inputs[${index}]`, value]),
  ];
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
    ["includedTypes", types.join(", ")],
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
