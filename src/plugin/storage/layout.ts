import type { Hex } from "viem";
import { z } from "zod";

import { toWord } from "../../base/hex.js";
import { keccak256 } from "../../base/keccak.js";
import { hdpError, type HdpError } from "../../errors/hdp-error.js";
import { type MappingKey, mappingSlot } from "../../request/storage-slots.js";

/** A mapping's key, the name of a struct's member, an array's index, or `length` of a dynamic array. */
export type StorageKey = Exclude<MappingKey, string> | string;

const placeSchema = z.object({
  label: z.string(),
  slot: z.string(),
  offset: z.number(),
  type: z.string(),
});
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
/** A contract's storage layout as the Solidity compiler writes it. */
export type Layout = z.infer<typeof layoutSchema>;

/** The content of a slot: its type's name in the layout, and whether it has the slot to itself. */
export interface Stored {
  readonly type: string;
  readonly isAlone: boolean;
}

/** A variable of a contract or a member of a struct, with its slot from the start of either. */
export interface Variable extends Stored {
  readonly label: string;
  readonly slot: bigint;
}

/** How the parts of a type are placed. Only a `word` is a value with its own slot; `bytes` are string and bytes. */
export type Parts =
  | { readonly kind: "word" }
  | { readonly kind: "bytes" }
  | { readonly kind: "mapping"; readonly keyType: string; readonly value: Stored }
  | { readonly kind: "struct"; readonly members: readonly Variable[] }
  | {
      readonly kind: "array";
      /** Undefined for a dynamic array. */
      readonly length: bigint | undefined;
      /** More than 1 where small elements share slots. */
      readonly perSlot: bigint;
      /** Slots of an element that does not share a slot. */
      readonly slotsEach: bigint;
      readonly element: Stored;
    };

/** Returns a contract's variables, in the order of their declaration. */
export function listVariables(storage: Layout["storage"]): readonly Variable[] {
  return storage.map(({ label, slot, type }) => {
    const isAlone = storage.filter((other) => other.slot === slot).length === 1;
    return { label, slot: BigInt(slot), type, isAlone };
  });
}

/** Returns how the parts of a type are placed, by the compiler's rules for storage. */
export function typeParts({ types }: Layout, name: string): Parts {
  const type = types?.[name];
  if (type?.encoding === "mapping" && type.value !== undefined) {
    return { kind: "mapping", keyType: type.key ?? "", value: { type: type.value, isAlone: true } };
  }
  if (type?.members !== undefined) return { kind: "struct", members: listVariables(type.members) };
  if (type?.base !== undefined) {
    const size = Number(types?.[type.base]?.numberOfBytes ?? 32);
    const perSlot = BigInt(Math.max(Math.floor(32 / size), 1));
    // Fixed arrays have their length at the end of their type's name.
    const length =
      type.encoding === "dynamic_array" ? undefined : /\)(\d+)_storage$/.exec(name)?.[1];
    return {
      kind: "array",
      length: length === undefined ? undefined : BigInt(length),
      perSlot,
      slotsEach: BigInt(Math.ceil(size / 32)),
      element: { type: type.base, isAlone: perSlot === 1n },
    };
  }
  return type?.encoding === "inplace" && Number(type.numberOfBytes) <= 32
    ? { kind: "word" }
    : { kind: "bytes" };
}

/** Returns the slot of a value. @param name of contract and variable, for errors @throws HdpError HDP-6126 */
export function slotIn(
  layout: Layout,
  name: string,
  variable: string,
  keys: readonly StorageKey[],
): Hex {
  const first = findMember(listVariables(layout.storage), variable, name);
  let { slot } = first;
  let at: Stored = first;
  for (const [position, key] of keys.entries()) {
    const parts = typeParts(layout, at.type);
    if (parts.kind === "mapping") {
      slot = BigInt(mappedSlot(slot, parts.keyType, key, name));
      at = parts.value;
    } else if (parts.kind === "struct") {
      const member = findMember(parts.members, keyText(key), name);
      slot += member.slot;
      at = member;
    } else if (parts.kind === "array") {
      const { length, perSlot, slotsEach, element } = parts;
      if (key === "length") {
        if (position < keys.length - 1 || length !== undefined)
          throw noSlot(name, "it has no length in storage");
        return toWord(slot);
      }
      const start = length === undefined ? BigInt(keccak256(wordBytes(slot))) : slot;
      slot = BigInt.asUintN(256, start + (parseIndex(key, length, name) / perSlot) * slotsEach);
      at = element;
    } else throw noSlot(name, `it has no part named "${keyText(key)}"`);
  }
  if (typeParts(layout, at.type).kind !== "word") {
    throw noSlot(name, "it is not a value of one word: name its keys and members");
  }
  if (!at.isAlone)
    throw noSlot(name, "it shares its slot with other variables, and a task samples whole slots");
  return toWord(slot);
}

function parseIndex(key: StorageKey, length: bigint | undefined, name: string): bigint {
  const index = typeof key !== "object" && /^\d+$/.test(String(key)) ? BigInt(key) : undefined;
  if (index !== undefined && (length === undefined || index < length)) return index;
  const allowed = length === undefined ? "" : ` below ${length.toString()}`;
  throw noSlot(name, `"${keyText(key)}" is not an index of its array: give an integer${allowed}`);
}

function mappedSlot(slot: bigint, keyType: string, key: StorageKey, name: string): Hex {
  if (typeof key !== "string") return mappingSlot(slot, key);
  if (keyType.startsWith("t_string")) return mappingSlot(slot, { text: key });
  const digits = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(key)?.[1];
  // Keys of type bytes are hashed as they are, those of type bytes4 or bytes20 at the left of their word.
  if (keyType.startsWith("t_bytes_") && digits !== undefined) {
    return keccak256(Buffer.concat([Buffer.from(digits, "hex"), wordBytes(slot)]));
  }
  if (
    /^t_bytes\d+$/.test(keyType) &&
    digits?.length === 2 * Number(keyType.slice("t_bytes".length))
  ) {
    return mappingSlot(slot, `0x${digits.padEnd(64, "0")}`);
  }
  if (key.startsWith("0x")) return mappingSlot(slot, `0x${key.slice(2)}`);
  throw noSlot(name, `"${key}" is not a key of its mapping`);
}

function wordBytes(slot: bigint): Uint8Array {
  return Buffer.from(toWord(slot).slice(2), "hex");
}

function findMember(members: readonly Variable[], label: string, name: string): Variable {
  const found = members.find((member) => member.label === label);
  if (found !== undefined) return found;
  throw noSlot(
    name,
    `there is no "${label}"; there are ${members.map((member) => member.label).join(", ")}`,
  );
}

function keyText(key: StorageKey): string {
  return typeof key === "object" ? key.text : String(key);
}

function noSlot(name: string, reason: string): HdpError {
  return hdpError("HDP-6126", { name, reason }, { path: "variable" });
}
