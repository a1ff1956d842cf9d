import { encodeByteArray, integerToFelt, readBytes31, readFelt, readInteger } from "./scalar.js";
import { type CairoMember, type CairoType, shortName, type TypeTable } from "./type-table.js";
import {
  MAX_VALUE_DEPTH,
  MistakeList,
  missingName,
  outOfRange,
  tooDeep,
  unknownName,
  wrongForm,
} from "./value-errors.js";

/**
 * Felts of a value of a Cairo type, as Cairo's `Serde` writes them.
 *
 * @param path place of the value in the input, for errors: `arguments.recipients[2].amount`.
 * @throws HdpError HDP-7009 to HDP-7013, HDP-7019.
 */
export function encodeValue(table: TypeTable, typeName: string, value: unknown, path: string, depth = 0): bigint[] {
  if (depth > MAX_VALUE_DEPTH) throw tooDeep(path);
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
