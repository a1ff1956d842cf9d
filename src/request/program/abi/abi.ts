import { z } from "zod";

import { HdpError } from "../../errors.js";
import { noMainFunction } from "../main-function.js";

/** A name with its Cairo type: a function's parameter, a struct's member or an enum's variant. */
export interface AbiParameter {
  readonly name: string;
  /** Full Cairo type, like `core::array::Array::<core::felt252>`. */
  readonly type: string;
}

export interface AbiFunction {
  readonly type: "function";
  readonly name: string;
  /** Without `self`, which Cairo does not list. */
  readonly inputs: readonly AbiParameter[];
  /** None or one. */
  readonly outputs: readonly { readonly type: string }[];
}

export interface AbiStruct {
  readonly type: "struct";
  readonly name: string;
  readonly members: readonly AbiParameter[];
}

export interface AbiEnum {
  readonly type: "enum";
  readonly name: string;
  readonly variants: readonly AbiParameter[];
}

export interface AbiInterface {
  readonly type: "interface";
  readonly name: string;
  readonly items: readonly AbiFunction[];
}

/** Entries that module inputs do not need: constructors, events, impls. */
export interface AbiOther {
  readonly type: "impl" | "constructor" | "event" | "l1_handler";
  readonly name?: string;
}

/** The `abi` of a Sierra class. Give it `as const` to have argument types. */
export type Abi = readonly (AbiFunction | AbiStruct | AbiEnum | AbiInterface | AbiOther)[];

const name = z.string().min(1).max(2000);
const parameter = z.object({ name, type: name });
const functionEntry = z.object({
  type: z.literal("function"),
  name,
  inputs: z.array(parameter).max(1000),
  outputs: z.array(z.object({ type: name })).max(1),
});
const abiSchema = z
  .array(
    z.discriminatedUnion("type", [
      functionEntry,
      z.object({ type: z.literal("struct"), name, members: z.array(parameter).max(1000) }),
      z.object({ type: z.literal("enum"), name, variants: z.array(parameter).max(1000) }),
      z.object({ type: z.literal("interface"), name, items: z.array(functionEntry).max(1000) }),
      z.object({ type: z.literal("impl") }),
      z.object({ type: z.literal("constructor") }),
      z.object({ type: z.literal("event") }),
      z.object({ type: z.literal("l1_handler") }),
    ]),
  )
  .max(10_000);

/**
 * The ABI of a Sierra class (`*.contract_class.json`) that was parsed from JSON.
 *
 * @throws HdpError HDP-7005 where it is no Sierra class, HDP-7006 where its ABI is not in Cairo 2's form.
 */
export function parseSierraAbi(json: unknown, source: { readonly file?: string | undefined } = {}): Abi {
  if (typeof json !== "object" || json === null || !("sierra_program" in json) || !("abi" in json)) {
    const compiled = typeof json === "object" && json !== null && "bytecode" in json;
    throw new HdpError({
      code: "HDP-7005",
      path: source.file,
      message: compiled
        ? "this is a compiled class, which has no ABI, where the Sierra class is needed."
        : "not a Sierra class: it needs `sierra_program` and `abi`.",
      hints: ["Scarb writes it beside the compiled class: <package>_<contract>.contract_class.json (`sierra = true`)."],
    });
  }
  return parseAbi(json.abi, source);
}

/** An ABI alone. @throws HdpError HDP-7006 where it is not in Cairo 2's form. */
export function parseAbi(json: unknown, source: { readonly file?: string | undefined } = {}): Abi {
  const parsed = abiSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = (issue?.path ?? []).reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}.${key}`),
    "abi",
  );
  throw new HdpError({
    code: "HDP-7006",
    path: source.file,
    message: `${place} is not as Cairo 2 writes it: ${issue?.message ?? "wrong form"}.`,
    hints: ["Build the module again and give the Sierra class as Scarb wrote it."],
  });
}

/**
 * The function that the data processor calls: `main`, by itself or in an interface.
 *
 * @throws HdpError HDP-7007 where there is none.
 */
export function mainFunction(abi: Abi): AbiFunction {
  for (const entry of abi) {
    const functions = entry.type === "function" ? [entry] : entry.type === "interface" ? entry.items : [];
    const found = functions.find((candidate) => candidate.name === "main");
    if (found !== undefined) return found;
  }
  throw noMainFunction();
}
