import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { firstIssue, grouped } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { ClassSource } from "../compiled-class.js";

const name = z.string().min(1).max(2000);
/** `type` is a full Cairo type, like `core::array::Array::<core::felt252>`. */
const parameter = z.object({ name, type: name });
const parameters = z.array(parameter).max(1000).readonly();
const functionEntry = z.object({
  type: z.literal("function"),
  name,
  /** Without `self`, which Cairo does not list. */
  inputs: parameters,
  /** None or one. */
  outputs: z
    .array(z.object({ type: name }))
    .max(1)
    .readonly(),
});
const struct = z.object({ type: z.literal("struct"), name, members: parameters });
const enumeration = z.object({ type: z.literal("enum"), name, variants: parameters });
const items = z.array(functionEntry).max(1000).readonly();
const interfaceEntry = z.object({ type: z.literal("interface"), name, items });
/** Entries that module inputs do not need. */
const other = z.object({ type: z.enum(["impl", "constructor", "event", "l1_handler"]) });
const abiSchema = z
  .array(z.discriminatedUnion("type", [functionEntry, struct, enumeration, interfaceEntry, other]))
  .max(10_000)
  .readonly();

/** A named type: a parameter, a member or a variant. */
export type AbiParameter = Readonly<z.output<typeof parameter>>;
/** A function of an ABI. */
export type AbiFunction = Readonly<z.output<typeof functionEntry>>;
/** A struct of an ABI. */
export type AbiStruct = Readonly<z.output<typeof struct>>;
/** An enum of an ABI. */
export type AbiEnum = Readonly<z.output<typeof enumeration>>;
/** An interface of an ABI. */
export type AbiInterface = Readonly<z.output<typeof interfaceEntry>>;

/** The `abi` of a Sierra class. Give it `as const` to have argument types. */
export type Abi = z.output<typeof abiSchema>;

/** Maximum number of characters of an ABI as JSON; modules have some ten thousand. */
const MAX_CHARACTERS = 2 ** 19;

/** Returns the ABI of a Sierra class that was parsed from JSON. @throws HdpError HDP-7005 where it has none */
export function parseSierraAbi(json: unknown, source: ClassSource = {}): Abi {
  const { abi, sierra_program, bytecode }: Readonly<Record<string, unknown>> = isRecord(json)
    ? json
    : {};
  if (sierra_program !== undefined && abi !== undefined) return parseAbi(abi, source);
  const isCompiled = bytecode !== undefined;
  const problem = isCompiled
    ? "a compiled class has none"
    : "the file has no `sierra_program` and `abi`";
  throw hdpError("HDP-7005", { problem }, { path: source.file });
}

/** Returns an ABI that was parsed from JSON, without its class. @throws HdpError HDP-7005 where it is not in Cairo 2's form */
export function parseAbi(json: unknown, { file }: ClassSource = {}): Abi {
  const { data, error } = abiSchema.safeParse(json);
  const characters = JSON.stringify(data ?? []).length;
  if (data !== undefined && characters <= MAX_CHARACTERS) return data;
  const tooLong = `it has ${grouped(characters)} characters, more than the ${grouped(MAX_CHARACTERS)} that are read`;
  const { path, message } = firstIssue(error ?? { issues: [] });
  const problem =
    error === undefined ? tooLong : `abi${path} is not as Cairo 2 writes it: ${message}`;
  throw hdpError("HDP-7005", { problem }, { path: file });
}

/** Returns the function that the data processor calls: `main`, by itself or in an interface. */
export function mainFunction(abi: Abi): AbiFunction {
  for (const entry of abi) {
    const found = functionsIn(entry).find((candidate) => candidate.name === "main");
    if (found !== undefined) return found;
  }
  throw hdpError("HDP-7007", { found: undefined });
}

/** Returns the functions that an entry declares: by itself, or in an interface. */
function functionsIn(entry: Abi[number]): readonly AbiFunction[] {
  if (entry.type === "function") return [entry];
  return entry.type === "interface" ? entry.items : [];
}

/*
 * Types of argument values from an ABI given `as const`. abi-wan-kanabi, the ecosystem's mapping, is not used: it has
 * no signed integers, fixed arrays and NonZero, and its meaning of Option and enums changes for the whole program as
 * soon as any file imports starknet.js.
 */

/** An integer: text in decimal or hex, a bigint, or a safe integer. */
export type IntegerValue = string | bigint | number;
/** Text as UTF-8, or bytes. */
export type ByteArrayValue = string | { readonly bytes: string };

type IntegerName =
  | "core::felt252"
  | "core::bytes_31::bytes31"
  | `core::integer::${"u" | "i"}${8 | 16 | 32 | 64 | 128}`
  | "core::integer::u256"
  | "core::integer::u512"
  | "core::starknet::contract_address::ContractAddress"
  | "core::starknet::class_hash::ClassHash"
  | "core::starknet::storage_access::StorageAddress"
  | "core::starknet::eth_address::EthAddress";

interface Scalars extends Readonly<Record<IntegerName, IntegerValue>> {
  readonly "core::bool": boolean;
  readonly "core::byte_array::ByteArray": ByteArrayValue;
  readonly "()": null | undefined;
}

/** The value that a Cairo type takes; `unknown` for a type that the mapping cannot read. */
export type ValueOf<TAbi extends Abi, T extends string> = T extends keyof Scalars
  ? Scalars[T]
  : T extends `core::array::${"Array" | "Span"}::<${infer Element}>`
    ? readonly ValueOf<TAbi, Element>[]
    : T extends `core::option::Option::<${infer Inner}>`
      ? | ValueOf<TAbi, Inner>
        | { readonly Some: ValueOf<TAbi, Inner> }
        | { readonly None: null }
        | null
        | undefined
      : T extends `core::${"zeroable::NonZero" | "box::Box"}::<${infer Inner}>`
        ? ValueOf<TAbi, Inner>
        : T extends `core::internal::bounded_int::BoundedInt::<${string}>`
          ? IntegerValue
          : T extends `core::result::Result::<${infer Parts}>`
            ? ResultOf<TAbi, SplitTypes<Parts>>
            : T extends `[${infer Element}; ${number}]`
              ? readonly ValueOf<TAbi, Element>[]
              : T extends `(${infer Elements})`
                ? TupleOf<TAbi, SplitTypes<Elements>>
                : DeclaredOf<TAbi, T>;

/** Values of `main`'s parameters by name, without the data handle. */
export type ArgumentsOf<TAbi extends Abi> = Abi extends TAbi
  ? Readonly<Record<string, unknown>>
  : {
      readonly [Parameter in ModuleParameterOf<TAbi> as Parameter["name"]]: ValueOf<
        TAbi,
        Parameter["type"]
      >;
    };

/** Visibility of `main`'s parameters by name, without the data handle. */
export type VisibilityOf<TAbi extends Abi> = Abi extends TAbi
  ? Readonly<Record<string, "public" | "private">>
  : { readonly [Parameter in ModuleParameterOf<TAbi> as Parameter["name"]]?: "public" | "private" };

type Functions<TAbi extends Abi> =
  Extract<TAbi[number], AbiFunction> | Extract<TAbi[number], AbiInterface>["items"][number];
type Main<TAbi extends Abi> = Extract<Functions<TAbi>, { readonly name: "main" }>;
type ModuleParameterOf<TAbi extends Abi> = Main<TAbi>["inputs"] extends readonly [
  AbiParameter,
  ...infer Rest extends readonly AbiParameter[],
]
  ? Rest[number]
  : never;

type ResultOf<TAbi extends Abi, Parts extends readonly string[]> = Parts extends readonly [
  infer Ok extends string,
  infer Err extends string,
]
  ? { readonly Ok: ValueOf<TAbi, Ok> } | { readonly Err: ValueOf<TAbi, Err> }
  : unknown;

type TupleOf<TAbi extends Abi, Parts extends readonly string[]> = {
  readonly [Index in keyof Parts]: ValueOf<TAbi, Parts[Index]>;
};

type DeclaredOf<TAbi extends Abi, T extends string> =
  Extract<TAbi[number], AbiStruct & { readonly name: T }> extends infer Struct extends AbiStruct
    ? [Struct] extends [never]
      ? EnumOf<TAbi, Extract<TAbi[number], AbiEnum & { readonly name: T }>>
      : {
          readonly [Member in Struct["members"][number] as Member["name"]]: ValueOf<
            TAbi,
            Member["type"]
          >;
        }
    : never;

type EnumOf<TAbi extends Abi, Enum extends AbiEnum> = [Enum] extends [never]
  ? unknown
  : VariantOf<TAbi, Enum["variants"][number]>;
type VariantOf<TAbi extends Abi, Variant> = Variant extends AbiParameter
  ? { readonly [Name in Variant["name"]]: ValueOf<TAbi, Variant["type"]> } | UnitVariant<Variant>
  : never;
type UnitVariant<Variant extends AbiParameter> = Variant["type"] extends "()"
  ? Variant["name"]
  : never;

/** Splits at commas outside of brackets: joins pieces until their brackets balance. */
type SplitTypes<
  Text extends string,
  Open extends string = "",
> = Text extends `${infer Head},${infer Tail}`
  ? Opened<`${Open}${Head}`> extends Closed<`${Open}${Head}`>
    ? readonly [Trim<`${Open}${Head}`>, ...SplitTypes<Tail>]
    : SplitTypes<Tail, `${Open}${Head},`>
  : Trim<`${Open}${Text}`> extends ""
    ? readonly []
    : readonly [Trim<`${Open}${Text}`>];

type Trim<Text extends string> = Text extends ` ${infer Rest}` ? Trim<Rest> : Text;

type Opened<Text extends string> = [Count<Text, "<">, Count<Text, "(">, Count<Text, "[">];
type Closed<Text extends string> = [Count<Text, ">">, Count<Text, ")">, Count<Text, "]">];
type Count<
  Text extends string,
  Letter extends string,
  Found extends readonly 0[] = readonly [],
> = Text extends `${string}${Letter}${infer Rest}`
  ? Count<Rest, Letter, readonly [...Found, 0]>
  : Found["length"];
