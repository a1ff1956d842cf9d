import type { Hex } from "viem";
import { z } from "zod";

import { HdpError } from "../../errors/hdp-error.js";
import { keccak256 } from "../../base/keccak.js";
import { toWord } from "../../base/hex.js";
import { type MappingKey, mappingSlot } from "../../request/storage-slots.js";

/** A mapping's key, the name of a struct's member, an array's index, or `length` of a dynamic array. */
export type StorageKey = Exclude<MappingKey, string> | string;

const placeSchema = z.object({ label: z.string(), slot: z.string(), offset: z.number(), type: z.string() });
/** The compiler's `storageLayout`. */
export const layoutSchema = z.object({
  storage: z.array(placeSchema),
  types: z
    .record(
      z.object({
        encoding: z.string(),
        numberOfBytes: z.string(),
        value: z.string().optional(),
        key: z.string().optional(),
        base: z.string().optional(),
        members: z.array(placeSchema).optional(),
      }),
    )
    .nullable(),
});
export type Layout = z.infer<typeof layoutSchema>;

/** What lies at a slot: its type's name in the layout, and whether it has the slot for itself. */
export interface Stored {
  readonly type: string;
  readonly isAlone: boolean;
}

/** A variable of a contract or a member of a struct, `slot` from the beginning of either. */
export interface Variable extends Stored {
  readonly label: string;
  readonly slot: bigint;
}

/** How what is inside a type is placed. Only a `word` is a value that has a slot; text and bytes have none. */
export type Inside =
  | { readonly kind: "word" }
  | { readonly kind: "text" }
  | { readonly kind: "mapping"; readonly keyType: string; readonly value: Stored }
  | { readonly kind: "struct"; readonly members: readonly Variable[] }
  | {
      readonly kind: "array";
      /** Undefined of a dynamic array. */
      readonly length: bigint | undefined;
      /** More than 1 where small elements share slots. */
      readonly perSlot: bigint;
      /** Slots of an element that shares none. */
      readonly slotsEach: bigint;
      readonly element: Stored;
    };

/** A contract's variables, in the order of their declaration. */
export function variablesOf({ storage }: Layout): readonly Variable[] {
  return variables(storage);
}

/** How what is inside a type is placed, by the compiler's rules for storage. */
export function insideOf({ types }: Layout, name: string): Inside {
  const type = types?.[name];
  if (type?.encoding === "mapping" && type.value !== undefined) {
    return { kind: "mapping", keyType: type.key ?? "", value: { type: type.value, isAlone: true } };
  }
  if (type?.members !== undefined) return { kind: "struct", members: variables(type.members) };
  if (type?.base !== undefined) {
    const size = Number(types?.[type.base]?.numberOfBytes ?? 32);
    const perSlot = BigInt(Math.max(Math.floor(32 / size), 1));
    // Fixed arrays have their length at the end of their type's name.
    const length = /\)(\d+)_storage$/.exec(name)?.[1];
    return {
      kind: "array",
      length: type.encoding === "dynamic_array" || length === undefined ? undefined : BigInt(length),
      perSlot,
      slotsEach: BigInt(Math.ceil(size / 32)),
      element: { type: type.base, isAlone: perSlot === 1n },
    };
  }
  return { kind: type?.encoding === "inplace" && Number(type.numberOfBytes) <= 32 ? "word" : "text" };
}

/** @throws HdpError HDP-6126 for what is no word of its own */
export function slotIn(layout: Layout, name: string, variable: string, keys: readonly StorageKey[]): Hex {
  const first = memberOf(variablesOf(layout), variable, name);
  let { slot } = first;
  let at: Stored = first;
  for (const [position, key] of keys.entries()) {
    const inside = insideOf(layout, at.type);
    if (inside.kind === "mapping") {
      slot = BigInt(mappedSlot(slot, inside.keyType, key, name));
      at = inside.value;
    } else if (inside.kind === "struct") {
      const member = memberOf(inside.members, keyText(key), name);
      slot += member.slot;
      at = member;
    } else if (inside.kind === "array") {
      const { length, perSlot, slotsEach, element } = inside;
      const index = indexOf(key, length, name);
      if (index === undefined) {
        if (position < keys.length - 1 || length !== undefined) throw noWord(name, "it has no length in storage");
        return toWord(slot);
      }
      const start = length === undefined ? BigInt(keccak256(wordBytes(slot))) : slot;
      slot = BigInt.asUintN(256, start + (index / perSlot) * slotsEach);
      at = element;
    } else throw noWord(name, `it has nothing by the key "${keyText(key)}"`);
  }
  if (insideOf(layout, at.type).kind !== "word") {
    throw noWord(name, "it is no value of one word: name its keys and members");
  }
  if (!at.isAlone) throw noWord(name, "it shares its slot with other variables, and a task samples whole slots");
  return toWord(slot);
}

function variables(places: readonly z.infer<typeof placeSchema>[]): readonly Variable[] {
  return places.map(({ label, slot, type }) => ({
    label,
    slot: BigInt(slot),
    type,
    isAlone: places.filter((other) => other.slot === slot).length === 1,
  }));
}

/** The index of an array's element, undefined for `length`. */
function indexOf(key: StorageKey, length: bigint | undefined, name: string): bigint | undefined {
  if (key === "length") return undefined;
  const text = typeof key === "bigint" || typeof key === "number" || typeof key === "string" ? String(key) : "";
  const index = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (index !== undefined && (length === undefined || index < length)) return index;
  const allowed = length === undefined ? "" : ` below ${length.toString()}`;
  throw noWord(name, `"${keyText(key)}" is no index of its array: give an integer${allowed}`);
}

function mappedSlot(slot: bigint, keyType: string, key: StorageKey, name: string): Hex {
  if (typeof key !== "string") return mappingSlot(slot, key);
  if (keyType.startsWith("t_string")) return mappingSlot(slot, { text: key });
  const digits = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(key)?.[1];
  // Keys of type bytes enter as they are, those of type bytes4 or bytes20 from the left of their word.
  if (keyType.startsWith("t_bytes_") && digits !== undefined) {
    return keccak256(Buffer.concat([Buffer.from(digits, "hex"), wordBytes(slot)]));
  }
  if (/^t_bytes\d+$/.test(keyType) && digits?.length === 2 * Number(keyType.slice("t_bytes".length))) {
    return mappingSlot(slot, `0x${digits.padEnd(64, "0")}`);
  }
  if (key.startsWith("0x")) return mappingSlot(slot, `0x${key.slice(2)}`);
  throw noWord(name, `"${key}" is no key of its mapping`);
}

function wordBytes(slot: bigint): Uint8Array {
  return Buffer.from(toWord(slot).slice(2), "hex");
}

function memberOf(members: readonly Variable[], label: string, name: string): Variable {
  const found = members.find((member) => member.label === label);
  if (found !== undefined) return found;
  throw noWord(name, `there is no "${label}"; there are ${members.map((member) => member.label).join(", ")}`);
}

const keyText = (key: StorageKey): string => (typeof key === "object" ? key.text : String(key));

function noWord(name: string, why: string): HdpError {
  return new HdpError({ code: "HDP-6126", path: "variable", message: `${name}: ${why}.`, hints: [] });
}
