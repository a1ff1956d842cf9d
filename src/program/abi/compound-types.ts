import { isRecord } from "../../base/collections.js";
import type { CairoValue } from "../../request/lifecycle.js";
import { type Place } from "../../request/reader.js";
import { MAX_UNKNOWN_KEYS, reportUnknown, word } from "../../request/value-readers.js";
import type { AbiParameter } from "./abi.js";
import { type CairoType, type FindType, type Part, partOf, shortName, undecodable } from "./cairo-type.js";
import { UNIT } from "./scalar-types.js";

/** The felts of all parts; null where a part has mistakes. */
function joined(parts: readonly (readonly bigint[] | null)[]): bigint[] | null {
  const felts = parts.filter((part) => part !== null);
  return felts.length === parts.length ? felts.flat() : null;
}

export function nonZero(name: string, inner: Part): CairoType {
  return {
    name,
    size: inner.size,
    encode: (value, place, depth) => {
      const felts = inner.encode(value, place, depth + 1);
      return felts?.every((felt) => felt === 0n) === true ? place.reportType(value, "a number other than 0") : felts;
    },
    decode: (felts, path, depth) => {
      const value = inner.decode(felts, path, depth + 1);
      if (value === 0n) throw undecodable(path, "0 is not a NonZero value");
      return value;
    },
  };
}

/** An array with its length in front of its items or, where `length` is given, always so many items. */
export function list(name: string, element: Part, length?: number): CairoType {
  return {
    name,
    size: (depth) => times(length, element.size(depth + 1)),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
        return place.reportType(value, `${length === undefined ? "a list" : `a list of ${length}`} (${name})`);
      }
      const items = joined(value.map((item: unknown, at) => element.encode(item, place.at(at), depth + 1)));
      return items === null || length !== undefined ? items : [BigInt(value.length), ...items];
    },
    decode: (felts, path, depth) => {
      const values: CairoValue[] = [];
      const count = length ?? felts.length(path);
      for (let at = 0; at < count; at += 1) values.push(element.decode(felts, `${path}[${at}]`, depth + 1));
      return values;
    },
  };
}

function times(count: number | undefined, size: number | undefined): number | undefined {
  return count === undefined || size === undefined ? undefined : count * size;
}

function sum(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

export function tuple(name: string, elements: readonly Part[]): CairoType {
  return {
    name,
    size: (depth) => sum(elements.map((element) => element.size(depth + 1))),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || value.length !== elements.length) {
        return place.reportType(value, `a list of ${elements.length} (${name})`);
      }
      return joined(elements.map((element, at) => element.encode(value[at], place.at(at), depth + 1)));
    },
    decode: (felts, path, depth) => elements.map((element, at) => element.decode(felts, `${path}[${at}]`, depth + 1)),
  };
}

/** An `Option`: null for None; Some with or without its name, which is needed where the value could be taken for None. */
export function option(name: string, inner: string, find: FindType): CairoType {
  const part = partOf(find, inner);
  return {
    name,
    isLikeOption: true,
    size: () => undefined,
    encode: (value, place, depth) => {
      if (value === null || value === undefined) return [1n];
      const [only, ...others] = isRecord(value) ? Object.entries(value) : [];
      const isNamed = only !== undefined && others.length === 0;
      if (isNamed && only[0] === "None" && only[1] === null) return [1n];
      const felts =
        isNamed && only[0] === "Some"
          ? part.encode(only[1], place.at("Some"), depth + 1)
          : part.encode(value, place, depth + 1);
      return felts === null ? null : [0n, ...felts];
    },
    decode: (felts, path, depth) => {
      if (felts.integer(path, "Option", 0n, 1n) === 1n) return null;
      const value = part.decode(felts, path, depth + 1);
      return find(inner)?.isLikeOption === true ? { Some: value } : value;
    },
  };
}

/** Names that a struct or an enum shares with `Option`. */
function hasOptionName(members: readonly AbiParameter[]): boolean {
  return members.some(({ name }) => name === "Some" || name === "None");
}

export function struct(name: string, members: readonly AbiParameter[], find: FindType): CairoType {
  return {
    name,
    isLikeOption: hasOptionName(members),
    size: (depth) => sum(members.map(({ type }) => partOf(find, type).size(depth + 1))),
    encode: (value, place, depth) => {
      const parts = encodeMembers(value, members, find, place, depth + 1);
      return parts === null ? null : joined(parts);
    },
    decode: (felts, path, depth) =>
      Object.fromEntries(
        members.map((member) => [
          member.name,
          partOf(find, member.type).decode(felts, `${path}.${member.name}`, depth + 1),
        ]),
      ),
  };
}

/** The felts of each of the named values, in the order of the ABI; null after reporting unknown names. */
export function encodeMembers(
  value: unknown,
  members: readonly AbiParameter[],
  find: FindType,
  place: Place,
  depth: number,
): (readonly bigint[] | null)[] | null {
  const names = members.map(({ name }) => name);
  if (!isRecord(value)) return place.reportType(value, `an object with the keys ${names.join(", ")}`);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN_KEYS)) reportUnknown(name, value[name], names, place.at(name));
  const parts = members.map(({ name, type }) =>
    Object.hasOwn(value, name)
      ? partOf(find, type).encode(value[name], place.at(name), depth)
      : place.at(name).report("HDP-1101", { expected: `a ${shortName(type)}` }),
  );
  return unknown.length > 0 ? null : parts;
}

export function enumeration(name: string, variants: readonly AbiParameter[], find: FindType): CairoType {
  const names = variants.map((variant) => variant.name);
  const variantName = word(names, `a variant of ${name}`);
  const isUnit = ({ type }: AbiParameter): boolean => find(type) === UNIT;
  return {
    name,
    isLikeOption: hasOptionName(variants),
    size: () => undefined,
    encode: (value, place, depth) => {
      const [only, ...others] = isRecord(value) ? Object.keys(value) : [];
      const chosen = typeof value === "string" ? value : others.length === 0 ? only : undefined;
      if (chosen === undefined) {
        const form = `{ "Variant": value }, or "Variant" where it holds nothing, of ${names.join(", ")}`;
        return place.reportType(value, form);
      }
      const known = variantName.read(chosen, place);
      const variant = variants.find((one) => one.name === known);
      if (variant === undefined) return null;
      if (typeof value === "string" && !isUnit(variant)) {
        return place.reportType(value, `{ "${chosen}": ${shortName(variant.type)} }`);
      }
      const content = isRecord(value) ? value[chosen] : null;
      const felts = partOf(find, variant.type).encode(content, place.at(chosen), depth + 1);
      return felts === null ? null : [BigInt(variants.indexOf(variant)), ...felts];
    },
    decode: (felts, path, depth) => {
      const variant = variants[Number(felts.integer(path, name, 0n, BigInt(variants.length - 1)))];
      if (variant === undefined) throw undecodable(path, "the enum has no variants");
      if (isUnit(variant)) return variant.name;
      return { [variant.name]: partOf(find, variant.type).decode(felts, `${path}.${variant.name}`, depth + 1) };
    },
  };
}
