import { isRecord } from "../../base/collections.js";
import { formatFelt } from "../../base/felt.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { ModuleInput } from "../../request/task.js";
import type { CairoValue } from "../../request/task-result.js";
import { parseWith, type Place } from "../../request/reader.js";
import { optional, reportUnknownKeys, word } from "../../request/value-readers.js";
import { type Abi, type AbiParameter, mainFunction } from "./abi.js";
import { type CairoType, FeltReader, shortName, undecodable } from "./cairo-type.js";
import { encodeMembers, typeFinder } from "./type-table.js";

/** Maximum number of errors listed in one error; the others are counted. */
const MAX_ERRORS = 100;

const MAX_LEADING_FELTS = 1_000;

/**
 * Returns how many felts the data processor puts before a module's inputs: the size of the data handle `HDP`, the first
 * parameter of `main`. 4 or 6 in the generations of 2024, 8 in the current one: two for each of its members.
 * @throws HdpError HDP-7007 without `main`, or where its first parameter is not the data handle.
 */
export function leadingFelts(abi: Abi): number {
  const handle = mainFunction(abi).inputs[0];
  if (handle === undefined) throw hdpError("HDP-7007", { found: ": it takes no parameters" });
  const isStruct = abi.some((entry) => entry.type === "struct" && entry.name === handle.type);
  const size =
    isStruct && shortName(handle.type) === "HDP" ? fixedSize(typeFinder(abi)(handle.type)) : 0;
  if (size > 0) return size;
  throw hdpError("HDP-7007", {
    found: `: its first parameter is "${handle.name}" of type ${handle.type}`,
  });
}

/** Returns how many felts every value of a type has; 0 where values differ, or have more than a handle. */
function fixedSize(type: CairoType): number {
  const reader = new FeltReader(new Array<bigint>(MAX_LEADING_FELTS).fill(1n), true);
  try {
    type.decode(reader, type.name);
    return reader.position;
  } catch (error) {
    if (isHdpError(error, "HDP-7016")) return 0;
    throw error;
  }
}

/** Returns the parameters of `main` that a task's inputs fill: all but the data handle. */
export function moduleParameters(abi: Abi): readonly AbiParameter[] {
  leadingFelts(abi);
  return mainFunction(abi).inputs.slice(1);
}

/** Visibility of an argument: the module gets private ones too, but the task hash does not cover them. */
export type Visibility = ModuleInput["visibility"];

/** How arguments are encoded. */
export interface EncodeArgumentsOptions {
  /** Visibility of arguments by name; an argument that is not named here is public. */
  readonly visibility?: unknown;
  /** Place of the arguments' object in the user's input, for errors. Default: no prefix. */
  readonly path?: string | undefined;
}

/** An argument with its name and value. */
export interface DecodedArgument {
  readonly name: string;
  /** Full Cairo type. */
  readonly type: string;
  readonly visibility: Visibility;
  readonly value: CairoValue;
}

/**
 * Returns the inputs of a module task from named arguments, in the order of `main`'s parameters; the data handle is left out.
 * @param values an object with one value for each parameter; docs/modules.md lists the forms of values.
 * @throws HdpError HDP-7007 for the ABI; TaskRequestError with HDP-7009, HDP-7014 or a number of 11xx for the values, all in
 * `errors`. `path` names the place of each: `arguments.recipients[2].amount`.
 */
export function encodeArguments(
  abi: Abi,
  values: unknown,
  options: EncodeArgumentsOptions = {},
): ModuleInput[] {
  const members = moduleParameters(abi);
  const read = (_: unknown, place: Place): ModuleInput[] | null => {
    const parts = encodeMembers(values ?? {}, members, typeFinder(abi), place.at("arguments"));
    const visibilities = readVisibilities(
      options.visibility ?? {},
      members,
      place.at("visibility"),
    );
    if (parts === null || visibilities === null || parts.includes(null)) return null;
    return parts.flatMap((felts, index) =>
      (felts ?? []).map((felt) => ({
        visibility: visibilities[index] ?? "public",
        value: formatFelt(felt),
      })),
    );
  };
  return parseWith({ read }, undefined, { maxErrors: MAX_ERRORS }, options.path);
}

/** Returns named arguments from a module task's inputs. @throws HDP-7016 if the inputs do not match `main` */
export function decodeInputs(abi: Abi, inputs: readonly ModuleInput[]): DecodedArgument[] {
  const find = typeFinder(abi);
  const reader = new FeltReader(inputs.map(({ value }) => BigInt(value)));
  const decoded = moduleParameters(abi).map(({ name, type }): DecodedArgument => {
    const start = reader.position;
    const value = find(type).decode(reader, `arguments.${name}`);
    const felts = inputs.slice(start, reader.position);
    const [visibility = "public", ...others] = new Set(felts.map((input) => input.visibility));
    if (others.length > 0)
      throw undecodable(`arguments.${name}`, "some of its felts are public and some private");
    return { name, type, visibility, value };
  });
  reader.end("inputs");
  return decoded;
}

/** Returns for each input of a module task the name of its argument. @throws HDP-7016 if the inputs do not match `main` */
export function argumentNames(abi: Abi, inputs: readonly ModuleInput[]): readonly string[] {
  const find = typeFinder(abi);
  const reader = new FeltReader(inputs.map(({ value }) => BigInt(value)));
  const names = moduleParameters(abi).flatMap(({ name, type }) => {
    const start = reader.position;
    find(type).decode(reader, `arguments.${name}`);
    return new Array<string>(reader.position - start).fill(name);
  });
  reader.end("inputs");
  return names;
}

/** Returns the decoded output of `main`, null for none. @throws HDP-7016 if the felts do not match the return type */
export function decodeReturn(abi: Abi, felts: readonly bigint[]): CairoValue {
  const reader = new FeltReader(felts);
  const type = mainFunction(abi).outputs[0]?.type ?? "()";
  const value = typeFinder(abi)(type).decode(reader, "return");
  reader.end("return");
  return value;
}

const visibilityReader = optional<Visibility, Visibility>(
  word(["public", "private"], "a visibility"),
  "public",
);

function readVisibilities(
  value: unknown,
  parameters: readonly AbiParameter[],
  place: Place,
): Visibility[] | null {
  const names = parameters.map(({ name }) => name);
  if (!isRecord(value)) return place.reportType(value, 'an object like { "secret": "private" }');
  reportUnknownKeys(value, names, place);
  const visibilities = names.map(
    (name) => visibilityReader.read(value[name], place.at(name)) ?? "public",
  );
  const hidden = names[visibilities.indexOf("private")];
  const lastPublic = visibilities.lastIndexOf("public");
  if (hidden !== undefined && names.indexOf(hidden) < lastPublic) {
    place.at(hidden).report("HDP-7014", { hidden, shown: names[lastPublic] });
  }
  return visibilities;
}
