import { isRecord } from "../../base/collections.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { CairoValue } from "../../request/lifecycle.js";
import {
  decodeByteArray,
  encodeByteArray,
  feltToInteger,
  integerToFelt,
  MAX_VALUE_DEPTH,
  missingName,
  MistakeList,
  outOfRange,
  readBytes31,
  readFelt,
  readInteger,
  tooDeep,
  unknownName,
  wrongForm,
} from "./scalar.js";
import { type CairoMember, type CairoType, shortName, type TypeTable } from "./type-table.js";

/**
 * Felts of a value of a Cairo type, as Cairo's `Serde` writes them.
 *
 * @param path place of the value in the input, for errors: `arguments.recipients[2].amount`.
 * @throws HdpError HDP-7009 to HDP-7013
 */
export function encodeValue(table: TypeTable, typeName: string, value: unknown, path: string, depth = 0): bigint[] {
  if (depth > MAX_VALUE_DEPTH) throw tooDeep(path, shortName(typeName));
  const type = table.type(typeName);
  const encode = (partType: string, part: unknown, partPath: string): bigint[] =>
    encodeValue(table, partType, part, partPath, depth + 1);
  switch (type.kind) {
    case "felt":
      return [readFelt(value, path)];
    case "integer":
      return [integerToFelt(readInteger(value, path, type.name, type.min, type.max))];
    case "limbs":
      return toLimbs(readInteger(value, path, type.name, 0n, 2n ** BigInt(128 * type.limbs) - 1n), type.limbs);
    case "address":
      return [readInteger(value, path, type.name, 0n, type.max)];
    case "bytes31":
      return [readBytes31(value, path)];
    case "bool":
      if (typeof value !== "boolean") throw wrongForm(path, value, "bool", "true or false");
      return [value ? 1n : 0n];
    case "byteArray":
      return encodeByteArray(value, path);
    case "unit":
      if (value !== null && value !== undefined) throw wrongForm(path, value, "value of the empty type ()", "null");
      return [];
    case "nonZero": {
      const felts = encode(type.inner, value, path);
      if (felts.every((felt) => felt === 0n)) throw nonZeroError(table.type(type.inner), path);
      return felts;
    }
    case "array": {
      const items = readList(value, path, shortName(typeName), "a list");
      return [BigInt(items.length), ...joined(items, (item, i) => encode(type.element, item, `${path}[${i}]`))];
    }
    case "fixedArray": {
      const items = readList(value, path, shortName(typeName), `a list of ${type.length}`, type.length);
      return joined(items, (item, i) => encode(type.element, item, `${path}[${i}]`));
    }
    case "tuple": {
      const length = type.elements.length;
      const items = readList(value, path, shortName(typeName), `a list of ${length}`, length);
      return joined(type.elements, (element, i) => encode(element, items[i], `${path}[${i}]`));
    }
    case "option": {
      const inner = readOption(value);
      return inner === undefined ? [1n] : [0n, ...encode(type.inner, inner.value, inner.named ? `${path}.Some` : path)];
    }
    case "struct": {
      const read = (member: CairoMember, part: unknown): bigint[] =>
        encode(member.type, part, `${path}.${member.name}`);
      return encodeMembers(value, type.members, { path, typeName: shortName(type.name), what: "member" }, read).flat();
    }
    case "enum": {
      const { index, variant, content } = readVariant(table, value, type, path);
      return [BigInt(index), ...encode(variant.type, content, `${path}.${variant.name}`)];
    }
  }
}

/** The felts of all parts; the mistakes of all of them together. */
function joined<T>(parts: readonly T[], encode: (part: T, index: number) => bigint[]): bigint[] {
  const mistakes = new MistakeList();
  const felts = parts.map((part, index) => mistakes.of(() => encode(part, index)) ?? []);
  mistakes.throwIfAny();
  return felts.flat();
}

/**
 * The felts of named values, a list for each name in the order of the ABI. Unknown and missing names are mistakes, and
 * all mistakes are told together.
 */
export function encodeMembers(
  value: unknown,
  members: readonly CairoMember[],
  { path, typeName, what }: { readonly path: string; readonly typeName: string; readonly what: string },
  encode: (member: CairoMember, part: unknown) => bigint[],
): bigint[][] {
  if (!isRecord(value)) throw wrongForm(path, value, typeName, `an object with ${names(members).join(", ")}`);
  const mistakes = new MistakeList();
  for (const name of Object.keys(value)) {
    if (mistakes.isFull) break;
    if (!names(members).includes(name)) mistakes.add(unknownName(`${path}.${name}`, name, what, names(members)));
  }
  const felts = members.map((member) => {
    if (Object.hasOwn(value, member.name)) return mistakes.of(() => encode(member, value[member.name])) ?? [];
    mistakes.add(missingName(path, member.name, what, shortName(member.type)));
    return [];
  });
  mistakes.throwIfAny();
  return felts;
}

function readOption(value: unknown): { readonly value: unknown; readonly named: boolean } | undefined {
  if (value === null || value === undefined) return undefined;
  if (isRecord(value) && Object.keys(value).length === 1) {
    if (Object.hasOwn(value, "Some")) return { value: value["Some"], named: true };
    if (Object.hasOwn(value, "None") && value["None"] === null) return undefined;
  }
  return { value, named: false };
}

function readVariant(
  table: TypeTable,
  value: unknown,
  type: CairoType & { readonly kind: "enum" },
  path: string,
): { readonly index: number; readonly variant: CairoMember; readonly content: unknown } {
  const allowed = names(type.variants);
  const keys = isRecord(value) ? Object.keys(value) : [];
  const name = typeof value === "string" ? value : keys.length === 1 ? keys[0] : undefined;
  if (name === undefined) {
    const takes = `{ "Variant": value }, or "Variant" where it holds nothing, of ${allowed.join(", ")}`;
    throw wrongForm(path, value, shortName(type.name), takes);
  }
  const index = allowed.indexOf(name);
  const variant = type.variants[index];
  if (variant === undefined) throw unknownName(path, name, "variant", allowed);
  if (typeof value === "string" && table.type(variant.type).kind !== "unit") {
    throw wrongForm(path, value, shortName(type.name), `{ "${name}": ${shortName(variant.type)} }`);
  }
  return { index, variant, content: isRecord(value) ? value[name] : null };
}

function readList(value: unknown, path: string, typeName: string, takes: string, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
    throw wrongForm(path, value, typeName, takes);
  }
  return value;
}

function toLimbs(value: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, limb) => BigInt.asUintN(128, value >> BigInt(128 * limb)));
}

function nonZeroError(inner: CairoType, path: string): Error {
  const max = inner.kind === "integer" || inner.kind === "address" ? inner.max : 2n ** 256n - 1n;
  return outOfRange(path, 0n, "a NonZero type", 1n, max);
}

function names(members: readonly CairoMember[]): string[] {
  return members.map((member) => member.name);
}

/** Values that one decoding may make: more than any input list holds. */
const MAX_VALUES = 1_000_000;

/** Takes values off the front of a list of felts. */
export class FeltReader {
  readonly #table: TypeTable;
  readonly #felts: readonly bigint[];
  #position = 0;
  #values = 0;

  public constructor(table: TypeTable, felts: readonly bigint[]) {
    this.#table = table;
    this.#felts = felts;
  }

  public get position(): number {
    return this.#position;
  }

  public get remaining(): number {
    return this.#felts.length - this.#position;
  }

  /** @throws HdpError HDP-7016 where the felts do not hold a value of the type, HDP-7009, HDP-7012 */
  public read(typeName: string, path: string, depth = 0): CairoValue {
    if (depth > MAX_VALUE_DEPTH) throw tooDeep(path, shortName(typeName));
    if (++this.#values > MAX_VALUES) throw undecodable(path, `more than ${MAX_VALUES} values`);
    const type = this.#table.type(typeName);
    const part = (partType: string, partPath: string): CairoValue => this.read(partType, partPath, depth + 1);
    switch (type.kind) {
      case "felt":
        return this.#next(path);
      case "integer":
        return this.#integer(path, type.name, type.min, type.max);
      case "limbs":
        return this.#limbs(path, type.limbs);
      case "address":
        return `0x${this.#integer(path, type.name, 0n, type.max).toString(16)}`;
      case "bytes31":
        return `0x${this.#integer(path, "bytes31", 0n, 2n ** 248n - 1n).toString(16)}`;
      case "bool":
        return this.#integer(path, "bool", 0n, 1n) === 1n;
      case "byteArray":
        return this.#byteArray(path);
      case "unit":
        return null;
      case "nonZero": {
        const value = part(type.inner, path);
        if (value === 0n) throw undecodable(path, "0 is not a NonZero value");
        return value;
      }
      case "array":
        return this.#list(this.#length(path), (i) => part(type.element, `${path}[${i}]`));
      case "fixedArray":
        return this.#list(type.length, (i) => part(type.element, `${path}[${i}]`));
      case "tuple":
        return type.elements.map((element, i) => part(element, `${path}[${i}]`));
      case "option": {
        if (this.#integer(path, "Option", 0n, 1n) === 1n) return null;
        const value = part(type.inner, path);
        return this.#needsSome(type.inner) ? { Some: value } : value;
      }
      case "struct":
        return Object.fromEntries(
          type.members.map((member) => [member.name, part(member.type, `${path}.${member.name}`)]),
        );
      case "enum": {
        const last = BigInt(type.variants.length - 1);
        const variant = type.variants[Number(this.#integer(path, shortName(type.name), 0n, last))];
        if (variant === undefined) throw undecodable(path, "the enum has no variants");
        if (this.#table.type(variant.type).kind === "unit") return variant.name;
        return { [variant.name]: part(variant.type, `${path}.${variant.name}`) };
      }
    }
  }

  #next(path: string): bigint {
    const felt = this.#felts[this.#position];
    if (felt === undefined) throw undecodable(path, `there are only ${this.#felts.length} felts`);
    this.#position += 1;
    return felt;
  }

  #integer(path: string, typeName: string, min: bigint, max: bigint): bigint {
    const felt = this.#next(path);
    const value = feltToInteger(felt, min, max);
    if (value === undefined) throw undecodable(path, `the felt ${felt} is not a value of ${typeName}`);
    return value;
  }

  #limbs(path: string, count: number): bigint {
    let value = 0n;
    for (let limb = 0; limb < count; limb += 1) {
      value += this.#integer(path, "a 128-bit limb", 0n, 2n ** 128n - 1n) << BigInt(128 * limb);
    }
    return value;
  }

  #length(path: string): number {
    const length = this.#next(path);
    if (length > BigInt(this.remaining)) {
      throw undecodable(path, `its length is ${length}, but only ${this.remaining} felts follow`);
    }
    return Number(length);
  }

  #list(length: number, item: (index: number) => CairoValue): CairoValue[] {
    const values: CairoValue[] = [];
    for (let index = 0; index < length; index += 1) values.push(item(index));
    return values;
  }

  #byteArray(path: string): CairoValue {
    const words: bigint[] = [];
    const count = this.#length(path);
    for (let word = 0; word < count; word += 1) words.push(this.#next(path));
    const rest = this.#next(path);
    const restLength = Number(this.#integer(path, "the length of a pending word", 0n, 30n));
    const text = decodeByteArray(words, rest, restLength);
    if (text === undefined) throw undecodable(path, "a word of the ByteArray has more bytes than it may have");
    return text;
  }

  /** Whether the bare value could be taken for None, or for the `Some` around it. */
  #needsSome(inner: string): boolean {
    const isOptionName = ({ name }: { readonly name: string }): boolean => name === "Some" || name === "None";
    const type = this.#table.type(inner);
    if (type.kind === "struct") return type.members.some(isOptionName);
    if (type.kind === "enum") return type.variants.some(isOptionName);
    return type.kind === "option" || type.kind === "unit";
  }
}

/** HDP-7016: felts that are no value of the ABI's type. */
export function undecodable(path: string, problem: string): HdpError {
  return hdpError("HDP-7016", { problem }, { path });
}
