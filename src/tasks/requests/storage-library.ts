import { type Layout, typeParts, type Stored, listVariables } from "../../plugin/storage/layout.js";
import type { ContractLayout } from "../../plugin/storage/read-layout.js";
import { toWord } from "../../base/hex.js";
import { requireNames } from "./task-fixtures.js";

/** A Solidity library of the slots of one contract. */
interface StorageLibrary {
  readonly contract: string;
  /** `contracts/Vault.sol:Vault` */
  readonly fullName: string;
  /** `StorageOfVault` */
  readonly library: string;
  readonly functions: readonly string[];
  readonly without: readonly { readonly path: string; readonly why: string }[];
}

/** A place in storage, and the Solidity expression of its slot: `hash` + `slots` + `terms`. */
interface Place {
  /** `Vault.accounts[key].balance` */
  readonly path: string;
  /** Names of variable and members, which make the function's name. */
  readonly labels: readonly string[];
  /** `address _key` */
  readonly parameters: readonly string[];
  readonly checks: readonly string[];
  readonly hash?: string | undefined;
  readonly slots: bigint;
  readonly terms: readonly string[];
}

const HELPER = "HdpSampledProperty";

/** Returns functions such as `accounts_balance(key)` that compute slots as `hdp.storageOf` does. @throws HDP-6086 */
export function storageLibraries(contracts: readonly ContractLayout[]): readonly StorageLibrary[] {
  const libraries = contracts.map(({ contractName: contract, sourceName, layout }) => {
    const { places, without } = listPlaces(contract, layout);
    const library = `StorageOf${contract}`;
    return {
      contract,
      fullName: `${sourceName}:${contract}`,
      library,
      functions: writeFunctions(places),
      without,
    };
  });
  const names = libraries.map(({ library, fullName }) => ({ name: library, from: fullName }));
  requireNames("contracts", names, "contracts");
  return libraries;
}

/** Returns the Solidity source of libraries. */
export function renderStorageLibraries(
  libraries: readonly StorageLibrary[],
  named: readonly string[],
): string {
  return `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.21 <0.9.0;

// Storage slots, written by \`npx hardhat hdp storage ${named.join(" ")}\`.
// To change them, run it again.

import {${HELPER}} from "hardhat-hdp/contracts/libraries/${HELPER}.sol";

${libraries.map(librarySource).join("\n")}`;
}

function librarySource({ fullName, library, functions, without }: StorageLibrary): string {
  const left = without.map(({ path, why }) => `///   ${path}: ${why}\n`).join("");
  return `/// @title ${library}
/// @notice Storage slots of ${fullName}, by the compiler's layout.
${left === "" ? "" : `/// @dev Left out, because they have no slot of their own:\n${left}`}library ${library} {
${functions.join("\n")}}
`;
}

/** Returns the values of a contract that have a slot of their own, found through all its variables. */
function listPlaces(
  contract: string,
  layout: Layout,
): { places: readonly Place[]; without: StorageLibrary["without"] } {
  const places: Place[] = [];
  const without: { path: string; why: string }[] = [];
  const walk = (place: Place, { type, isAlone }: Stored, around: readonly string[]): void => {
    const parts = typeParts(layout, type);
    const { path } = place;
    if (around.includes(type)) without.push({ path, why: "a struct inside itself" });
    else if (parts.kind === "bytes")
      without.push({ path, why: "text and bytes are not values of one word" });
    else if (parts.kind === "word") {
      if (isAlone) places.push(place);
      else without.push({ path, why: "it shares its slot with others" });
    } else if (parts.kind === "mapping")
      walk(mappingValuePlace(place, parts.keyType), parts.value, around);
    else if (parts.kind === "struct") {
      for (const { label, slot, ...member } of parts.members) {
        walk(memberPlace(place, label, slot), member, [...around, type]);
      }
    } else {
      if (parts.length === undefined) places.push(memberPlace(place, "length", 0n));
      walk(elementPlace(place, parts.length, parts.slotsEach), parts.element, around);
    }
  };
  const start: Place = {
    path: contract,
    labels: [],
    parameters: [],
    checks: [],
    slots: 0n,
    terms: [],
  };
  for (const { label, slot, ...variable } of listVariables(layout.storage))
    walk(memberPlace(start, label, slot), variable, []);
  return { places, without };
}

function memberPlace(place: Place, label: string, slot: bigint): Place {
  const { path, labels, slots } = place;
  return { ...place, path: `${path}.${label}`, labels: [...labels, label], slots: slots + slot };
}

function mappingValuePlace(place: Place, keyType: string): Place {
  const name = parameterName("key", place);
  const { type, word, helper = "mappingSlot" } = keyForms(keyType, `_${name}`);
  return {
    ...within(place, name, type),
    hash: `${helper}(${slotSum(place)}, ${word})`,
    slots: 0n,
    terms: [],
  };
}

function elementPlace(place: Place, length: bigint | undefined, slotsEach: bigint): Place {
  const name = parameterName("index", place);
  const element = within(place, name, "uint256");
  if (length === undefined) {
    const hash = `elementSlot(${slotSum(place)}, _${name}, ${slotsEach.toString()})`;
    return { ...element, hash, slots: 0n, terms: [] };
  }
  const check = `require(_${name} < ${length}, "${element.path}: ${name} is not below ${length}");`;
  const term = slotsEach === 1n ? `_${name}` : `_${name} * ${slotsEach}`;
  return { ...element, checks: [...place.checks, check], terms: [...place.terms, term] };
}

function within(place: Place, name: string, type: string): Place {
  return {
    ...place,
    path: `${place.path}[${name}]`,
    parameters: [...place.parameters, `${type} _${name}`],
  };
}

/** Returns the name of a parameter: `key`, `key2` and so on. */
function parameterName(base: "key" | "index", { parameters }: Place): string {
  const count = parameters.filter((parameter) => parameter.includes(` _${base}`)).length;
  return count === 0 ? base : `${base}${count + 1}`;
}

/**
 * Returns the Solidity type of a mapping's key, by its name in the layout, and how the helper reads it. Contracts are
 * addresses and enums integers, so that the library needs no imports; a key of a user-defined type is its word.
 */
function keyForms(keyType: string, key: string): { type: string; word: string; helper?: string } {
  const helper = "mappingSlotOfBytes";
  if (keyType.startsWith("t_string"))
    return { type: "string memory", word: `bytes(${key})`, helper };
  if (keyType.startsWith("t_bytes_")) return { type: "bytes memory", word: key, helper };
  if (/^t_(address|contract)/.test(keyType)) return { type: "address", word: key };
  if (keyType.startsWith("t_enum")) return { type: "uint8", word: `bytes32(uint256(${key}))` };
  const type = /^t_(bool|u?int\d+|bytes\d+)$/.exec(keyType)?.[1] ?? "bytes32";
  if (type === "bool") return { type, word: `bytes32(uint256(${key} ? 1 : 0))` };
  if (type === "bytes32") return { type, word: key };
  if (type.startsWith("bytes")) return { type, word: `bytes32(${key})` };
  return {
    type,
    word: type.startsWith("int") ? `bytes32(uint256(int256(${key})))` : `bytes32(uint256(${key}))`,
  };
}

function slotSum({ hash, slots, terms }: Place): string {
  const first = hash === undefined ? [] : [`uint256(${HELPER}.${hash})`];
  const second = slots === 0n ? [] : [slotText(slots)];
  return [...first, ...second, ...terms].join(" + ") || "0";
}

/** Returns a number of slots; one of a namespace, which has 256 bits, in hexadecimal digits. */
function slotText(slots: bigint): string {
  return slots < 2n ** 64n ? slots.toString() : toWord(slots);
}

function writeFunctions(places: readonly Place[]): readonly string[] {
  const taken = new Set<string>();
  return places.map((place) => {
    const { path, labels, parameters, checks, hash, slots, terms } = place;
    const isHash = hash !== undefined && slots === 0n && terms.length === 0;
    const result = isHash ? `${HELPER}.${hash}` : `bytes32(uint256(${slotSum(place)}))`;
    // Functions with the same number of parameters need different names.
    const name = labels.join("_").replaceAll(".", "_");
    let free = name;
    for (let number = 2; taken.has(`${free}/${parameters.length}`); number++)
      free = `${name}_${number}`;
    taken.add(`${free}/${parameters.length}`);
    return `    /// @notice Slot of ${path}.
    function ${free}(${parameters.join(", ")}) internal pure returns (bytes32) {
${[...checks, `return ${result};`].map((line) => `        ${line}\n`).join("")}    }
`;
  });
}
