import { formatFelt } from "../../base/felt.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { CairoValue } from "../../request/lifecycle.js";
import type { ModuleInput } from "../../request/task.js";
import { type Abi, type AbiParameter, mainFunction } from "./abi.js";
import { MAX_VALUE_DEPTH, MistakeList, unknownName } from "./scalar.js";
import { shortName, TypeTable } from "./type-table.js";
import { encodeMembers, encodeValue, FeltReader, undecodable } from "./values.js";

/**
 * Felts that the data processor puts before a module's inputs: the flattened size of the data handle `HDP`, the first
 * parameter of `main`. 4 or 6 in the generations of 2024, 8 in the current one: two for each of its members.
 *
 * @throws HdpError HDP-7007 without `main`, HDP-7008 where the first parameter is not the data handle.
 */
export function leadingFelts(abi: Abi): number {
  const handle = mainFunction(abi).inputs[0];
  if (handle === undefined) throw noHandle("it takes no parameters");
  const table = new TypeTable(abi);
  const size =
    shortName(handle.type) === "HDP" && table.type(handle.type).kind === "struct"
      ? fixedSize(table, handle.type, 0)
      : undefined;
  if (size === undefined || size === 0) throw noHandle(`it is "${handle.name}" of type ${handle.type}`);
  return size;
}

/** Parameters of `main` that a task's inputs fill: all but the data handle. */
export function moduleParameters(abi: Abi): readonly AbiParameter[] {
  leadingFelts(abi);
  return mainFunction(abi).inputs.slice(1);
}

/** Felts of every value of a type, where all have the same number. */
function fixedSize(table: TypeTable, typeName: string, depth: number): number | undefined {
  if (depth > MAX_VALUE_DEPTH) return undefined;
  const type = table.type(typeName);
  switch (type.kind) {
    case "felt":
    case "integer":
    case "address":
    case "bytes31":
    case "bool":
      return 1;
    case "limbs":
      return type.limbs;
    case "unit":
      return 0;
    case "nonZero":
      return fixedSize(table, type.inner, depth + 1);
    case "fixedArray": {
      const size = fixedSize(table, type.element, depth + 1);
      return size === undefined ? undefined : size * type.length;
    }
    case "tuple":
      return sum(type.elements.map((element) => fixedSize(table, element, depth + 1)));
    case "struct":
      return sum(type.members.map((member) => fixedSize(table, member.type, depth + 1)));
    case "array":
    case "byteArray":
    case "option":
    case "enum":
      return undefined;
  }
}

function sum(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

function noHandle(found: string): HdpError {
  return hdpError("HDP-7008", { found });
}

/** Who sees an argument: private ones are given to the module but are no part of the task hash. */
export type Visibility = ModuleInput["visibility"];

export interface EncodeArgumentsOptions {
  /** Visibility of arguments by name; an argument that is not named here is public. */
  readonly visibility?: unknown;
  /** Place of the arguments' object in the user's input, for errors. Default: no prefix. */
  readonly path?: string | undefined;
}

/** One argument as it was decoded from inputs. */
export interface DecodedArgument {
  readonly name: string;
  /** Full Cairo type. */
  readonly type: string;
  readonly visibility: Visibility;
  readonly value: CairoValue;
}

/**
 * Inputs of a module task from named arguments, in the order of `main`'s parameters; the data handle is left out.
 *
 * @param values an object with one value for each parameter; docs/modules.md lists the forms of values.
 * @throws HdpError HDP-7007 to HDP-7014; of several the first, with all of them in `errors`. `path` names the wrong value: `arguments.recipients[2].amount`.
 */
export function encodeArguments(abi: Abi, values: unknown, options: EncodeArgumentsOptions = {}): ModuleInput[] {
  const parameters = moduleParameters(abi);
  const table = new TypeTable(abi);
  const prefix = options.path === undefined || options.path === "" ? "" : `${options.path}.`;
  const path = `${prefix}arguments`;
  const place = { path, typeName: "list of arguments", what: "argument" };
  const mistakes = new MistakeList();
  const encoded = mistakes.of(() =>
    encodeMembers(values ?? {}, parameters, place, ({ name, type }, value) =>
      encodeValue(table, type, value, `${path}.${name}`),
    ),
  );
  const visibilities = mistakes.of(() => {
    const read = readVisibilities(options.visibility, parameters, `${prefix}visibility`);
    refusePrivateBeforePublic(parameters, read, `${prefix}visibility`);
    return read;
  });
  mistakes.throwIfAny();
  return (encoded ?? []).flatMap((felts, index) => {
    const visibility = visibilities?.[index] ?? "public";
    return felts.map((felt) => ({ visibility, value: formatFelt(felt) }));
  });
}

/**
 * Named arguments from the inputs of a module task, for display.
 *
 * @throws HdpError HDP-7016 where the inputs are not what `main` takes.
 */
export function decodeInputs(abi: Abi, inputs: readonly ModuleInput[]): DecodedArgument[] {
  const reader = new FeltReader(
    new TypeTable(abi),
    inputs.map(({ value }) => BigInt(value)),
  );
  const decoded = moduleParameters(abi).map(({ name, type }): DecodedArgument => {
    const start = reader.position;
    const value = reader.read(type, `arguments.${name}`);
    const felts = inputs.slice(start, reader.position);
    const [visibility = "public", ...others] = new Set(felts.map((input) => input.visibility));
    if (others.length > 0) throw undecodable(`arguments.${name}`, "some of its felts are public and some private");
    return { name, type, visibility, value };
  });
  if (reader.remaining > 0) throw undecodable("inputs", `${reader.remaining} felts are left over`);
  return decoded;
}

/**
 * What `main` returned, from the felts of the call.
 *
 * @returns null where `main` returns nothing.
 * @throws HdpError HDP-7016 where the felts are no value of the return type.
 */
export function decodeReturn(abi: Abi, felts: readonly bigint[]): CairoValue {
  const reader = new FeltReader(new TypeTable(abi), felts);
  const value = reader.read(mainFunction(abi).outputs[0]?.type ?? "()", "return");
  if (reader.remaining > 0) throw undecodable("return", `${reader.remaining} felts are left over`);
  return value;
}

function readVisibilities(value: unknown, parameters: readonly AbiParameter[], path: string): Visibility[] {
  const given = value ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    throw wrongVisibility(path, given, 'an object like { "secret": "private" }');
  }
  const names = parameters.map(({ name }) => name);
  const chosen = new Map<string, Visibility>();
  const mistakes = new MistakeList();
  for (const [name, visibility] of Object.entries<unknown>({ ...given })) {
    const place = `${path}.${name}`;
    if (mistakes.isFull) break;
    if (!names.includes(name)) mistakes.add(unknownName(place, name, "argument", names));
    else if (visibility === "public" || visibility === "private") chosen.set(name, visibility);
    else mistakes.add(wrongVisibility(place, visibility, '"public" or "private"'));
  }
  mistakes.throwIfAny();
  return names.map((name) => chosen.get(name) ?? "public");
}

function refusePrivateBeforePublic(
  parameters: readonly AbiParameter[],
  visibilities: readonly Visibility[],
  path: string,
): void {
  const firstPrivate = visibilities.indexOf("private");
  const lastPublic = visibilities.lastIndexOf("public");
  if (firstPrivate === -1 || firstPrivate > lastPublic) return;
  const [hidden, shown] = [parameters[firstPrivate]?.name ?? "", parameters[lastPublic]?.name ?? ""];
  throw hdpError("HDP-7014", { hidden, shown }, { path: `${path}.${hidden}` });
}

function wrongVisibility(path: string, value: unknown, allowed: string): HdpError {
  return hdpError("HDP-7012", { value: String(value).slice(0, 80), type: "visibility", allowed }, { path });
}
