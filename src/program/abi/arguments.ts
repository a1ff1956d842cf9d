import { HdpError } from "../../base/errors.js";
import { formatFelt } from "../../base/felt.js";
import type { CairoValue } from "../../request/lifecycle.js";
import type { ModuleInput } from "../../request/task.js";
import { type Abi, type AbiParameter, mainFunction } from "./abi.js";
import { FeltReader, undecodable } from "./decode-value.js";
import { encodeMembers, encodeValue } from "./encode-value.js";
import { moduleParameters } from "./handle.js";
import { TypeTable } from "./type-table.js";
import { MistakeList, unknownName } from "./value-errors.js";

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
 * @throws HdpError HDP-7007 to HDP-7015, HDP-7019; of several the first, with all of them in `errors`. `path` names the wrong value: `arguments.recipients[2].amount`.
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
  throw new HdpError({
    code: "HDP-7014",
    path: `${path}.${hidden}`,
    message: `the private argument "${hidden}" stands before the public argument "${shown}".`,
    hints: [
      "The prover calls the module with all public inputs first: the two would change places.",
      `Move "${hidden}" behind all public parameters of \`main\`, or make "${shown}" private too.`,
    ],
  });
}

function wrongVisibility(path: string, value: unknown, allowed: string): HdpError {
  return new HdpError({
    code: "HDP-7015",
    path,
    message: `${String(value).slice(0, 80)} is not a visibility.`,
    hints: [`Allowed: ${allowed}`],
  });
}
