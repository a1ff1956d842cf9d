import { readFile } from "node:fs/promises";

import type { Hex } from "viem";
import { z } from "zod";

import { HdpError } from "../../base/errors.js";
import { toWord } from "../../base/word.js";
import { type MappingKey, mappingSlot } from "../../request/storage-slots.js";
import type { Scope } from "../session.js";

export interface StorageActions {
  /**
   * The storage slot of a contract's variable, from the compiler's storage layout: keys of mappings and names of struct
   * members follow the variable. For `storage(address, slot)`.
   *
   * @throws HdpError HDP-6125 without a layout, HDP-6126 for what is no word of its own
   * @example storage(vault.address, await hdp.storageOf("Vault", "accounts", holder, "balance"))
   */
  readonly storageOf: (contract: string, variable: string, ...keys: readonly StorageKey[]) => Promise<Hex>;
}

/** A mapping's key, or the name of a struct's member. */
export type StorageKey = Exclude<MappingKey, string> | string;

const placeSchema = z.object({ label: z.string(), slot: z.string(), offset: z.number(), type: z.string() });
const layoutSchema = z.object({
  storage: z.array(placeSchema),
  types: z
    .record(
      z.object({
        encoding: z.string(),
        numberOfBytes: z.string(),
        value: z.string().optional(),
        key: z.string().optional(),
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

function slotIn(layout: Layout, name: string, variable: string, keys: readonly StorageKey[]): Hex {
  let siblings: readonly Place[] = layout.storage;
  let place = memberOf(siblings, variable, name);
  let slot = BigInt(place.slot);
  let alone = isAlone(place, siblings);
  let type = layout.types?.[place.type];
  for (const key of keys) {
    if (type?.encoding === "mapping" && type.value !== undefined) {
      const isText = type.key?.startsWith("t_string") ?? false;
      slot = BigInt(mappingSlot(slot, isText && typeof key === "string" ? { text: key } : asKey(key, name)));
      type = layout.types?.[type.value];
      alone = true;
    } else if (type?.members !== undefined) {
      siblings = type.members;
      place = memberOf(siblings, keyText(key), name);
      slot += BigInt(place.slot);
      alone = isAlone(place, siblings);
      type = layout.types?.[place.type];
    } else throw noWord(name, `it has nothing by the key "${keyText(key)}"`);
  }
  if (type?.encoding !== "inplace" || type.members !== undefined || Number(type.numberOfBytes) > 32) {
    throw noWord(name, "it is no value of one word: name its keys and members");
  }
  if (!alone) throw noWord(name, "it shares its slot with other variables, and a task samples whole slots");
  return toWord(slot);
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
