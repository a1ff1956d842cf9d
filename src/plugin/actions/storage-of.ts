import { readFile } from "node:fs/promises";

import type { Hex } from "viem";
import { z } from "zod";

import { HdpError } from "../../base/errors.js";
import { keccak256 } from "../../base/keccak.js";
import { toWord } from "../../base/word.js";
import { type MappingKey, mappingSlot } from "../../request/storage-slots.js";
import type { Scope } from "../session.js";

export interface StorageActions {
  /**
   * The storage slot of a contract's variable, from the compiler's storage layout: keys of mappings, names of struct
   * members and indices of arrays follow the variable. For `storage(address, slot)`.
   *
   * @throws HdpError HDP-6125 without a layout, HDP-6126 for what is no word of its own
   * @example storage(vault.address, await hdp.storageOf("Vault", "accounts", holder, "balance"))
   */
  readonly storageOf: (contract: string, variable: string, ...keys: readonly StorageKey[]) => Promise<Hex>;
}

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
type Layout = z.infer<typeof layoutSchema>;
type Place = z.infer<typeof placeSchema>;

export function storageActions({ project }: Scope): StorageActions {
  return {
    storageOf: async (contract, variable, ...keys) => {
      const { artifacts } = project;
      const { inputSourceName = "", contractName, buildInfoId } = await artifacts.readArtifact(contract);
      const path = buildInfoId === undefined ? undefined : await artifacts.getBuildInfoOutputPath(buildInfoId);
      const build: unknown = path === undefined ? undefined : JSON.parse(await readFile(path, "utf8"));
      const at = z.object({
        output: z.object({
          contracts: z.record(z.record(z.object({ storageLayout: layoutSchema.optional() }))),
        }),
      });
      const found = at.safeParse(build).data?.output.contracts[inputSourceName]?.[contractName]?.storageLayout;
      if (found === undefined) throw noLayout(contract);
      return slotIn(found, `${contractName}.${variable}`, variable, keys);
    },
  };
}

/** @throws HdpError HDP-6126 for what is no word of its own */
export function slotIn(layout: Layout, name: string, variable: string, keys: readonly StorageKey[]): Hex {
  let siblings: readonly Place[] = layout.storage;
  let place = memberOf(siblings, variable, name);
  let slot = BigInt(place.slot);
  let alone = isAlone(place, siblings);
  let type = layout.types?.[place.type];
  for (const key of keys) {
    if (type?.encoding === "mapping" && type.value !== undefined) {
      const isText = type.key?.startsWith("t_string") ?? false;
      place = { ...place, type: type.value };
      slot = BigInt(mappingSlot(slot, isText && typeof key === "string" ? { text: key } : asKey(key, name)));
      type = layout.types?.[type.value];
      alone = true;
    } else if (type?.members !== undefined) {
      siblings = type.members;
      place = memberOf(siblings, keyText(key), name);
      slot += BigInt(place.slot);
      alone = isAlone(place, siblings);
      type = layout.types?.[place.type];
    } else if (type?.base !== undefined) {
      const size = Number(layout.types?.[type.base]?.numberOfBytes ?? 32);
      // Small elements share slots; others begin one each.
      const perSlot = BigInt(Math.max(Math.floor(32 / size), 1));
      const index = indexOf(key, place.type, name);
      if (index === undefined) {
        if (keys.at(-1) !== key || type.encoding !== "dynamic_array") throw noWord(name, "it has no length in storage");
        return toWord(slot);
      }
      const start = type.encoding === "dynamic_array" ? BigInt(keccak256(wordBytes(slot))) : slot;
      slot = BigInt.asUintN(256, start + (index / perSlot) * BigInt(Math.ceil(size / 32)));
      place = { ...place, type: type.base };
      alone = perSlot === 1n;
      type = layout.types?.[type.base];
    } else throw noWord(name, `it has nothing by the key "${keyText(key)}"`);
  }
  if (
    type?.encoding !== "inplace" ||
    type.members !== undefined ||
    type.base !== undefined ||
    Number(type.numberOfBytes) > 32
  ) {
    throw noWord(name, "it is no value of one word: name its keys and members");
  }
  if (!alone) throw noWord(name, "it shares its slot with other variables, and a task samples whole slots");
  return toWord(slot);
}

/** The index of an array's element, undefined for `length`. Fixed arrays have theirs at the end of their type's name. */
function indexOf(key: StorageKey, type: string, name: string): bigint | undefined {
  if (key === "length") return undefined;
  const text = typeof key === "bigint" || typeof key === "number" || typeof key === "string" ? String(key) : "";
  const length = /\)(\d+)_storage$/.exec(type)?.[1];
  const index = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (index !== undefined && (length === undefined || index < BigInt(length))) return index;
  const allowed = length === undefined ? "" : ` below ${length}`;
  throw noWord(name, `"${keyText(key)}" is no index of its array: give an integer${allowed}`);
}

function wordBytes(slot: bigint): Uint8Array {
  return Buffer.from(toWord(slot).slice(2), "hex");
}

function memberOf(places: readonly Place[], label: string, name: string): Place {
  const found = places.find((place) => place.label === label);
  if (found !== undefined) return found;
  throw noWord(name, `there is no "${label}"; there are ${places.map((place) => place.label).join(", ")}`);
}

function isAlone(place: Place, siblings: readonly Place[]): boolean {
  return siblings.filter(({ slot }) => slot === place.slot).length === 1;
}

const keyText = (key: StorageKey): string => (typeof key === "object" ? key.text : String(key));

function asKey(key: StorageKey, name: string): MappingKey {
  if (typeof key !== "string") return key;
  if (key.startsWith("0x")) return `0x${key.slice(2)}`;
  throw noWord(name, `"${key}" is no key of its mapping`);
}

function noLayout(contract: string): HdpError {
  return new HdpError({
    code: "HDP-6125",
    path: "contract",
    message: `the storage layout of ${contract} was not kept when it was compiled.`,
    hints: [
      'Ask the compiler for it in hardhat.config.ts: settings: { outputSelection: { "*": { "*": ["storageLayout"] } } },',
      "and build again: npx hardhat build --force",
    ],
  });
}

function noWord(name: string, why: string): HdpError {
  return new HdpError({ code: "HDP-6126", path: "variable", message: `${name}: ${why}.`, hints: [] });
}
