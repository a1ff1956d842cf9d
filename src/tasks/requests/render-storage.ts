import { HdpError } from "../../errors/hdp-error.js";
import type { ContractLayout } from "../../plugin/actions/storage-of.js";
import { insideOf, type Layout, type Stored, variablesOf } from "../../plugin/actions/storage-layout.js";

/** A function of a library: what it names, and its parts in Solidity. */
interface SlotFunction {
  readonly name: string;
  /** `Vault.accounts[key].balance` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly type: string;
}

interface Without {
  readonly path: string;
  readonly why: string;
}

/** One step from a contract to a slot. */
type Step =
  | { readonly kind: "member"; readonly label: string; readonly slot: bigint }
  | { readonly kind: "mapping"; readonly keyType: string }
  | { readonly kind: "array"; readonly length: bigint | undefined; readonly slotsEach: bigint }
  | { readonly kind: "length" };

const HELPER = "HdpSampledProperty";

/** A library of a contract's slots. */
export interface StorageLibrary {
  readonly contract: string;
  /** `contracts/Vault.sol:Vault` */
  readonly fullName: string;
  /** `StorageOfVault` */
  readonly library: string;
  /** One for each value that has a slot of its own. */
  readonly functions: readonly SlotFunction[];
  readonly without: readonly Without[];
}

/**
 * One library a contract, and in it a function a variable, `accounts_balance(key)`, that answers its slot as
 * `hdp.storageOf` does.
 *
 * @throws HdpError HDP-6089 where two contracts have one name
 */
export function storageLibraries(contracts: readonly ContractLayout[]): readonly StorageLibrary[] {
  const taken = new Map<string, string>();
  return contracts.map(({ contractName: contract, sourceName, layout }) => {
    const fullName = `${sourceName}:${contract}`;
    const library = `StorageOf${contract}`;
    const other = taken.get(contract);
    if (other !== undefined) throw sameName(library, other, fullName);
    taken.set(contract, fullName);
    return { contract, fullName, library, ...slotFunctions(contract, layout) };
  });
}

/**
 * A Solidity file of libraries.
 *
 * @param named the contracts as the command was given them
 */
export function renderStorage(contracts: readonly StorageLibrary[], named: readonly string[]): string {
  const libraries = contracts.map(({ fullName, library, functions, without }) => {
    const lines = [
      `/// @title ${library}`,
      `/// @notice Storage slots of ${fullName}, by the compiler's layout.`,
      ...(without.length === 0 ? [] : ["/// @dev Not here, for they have no slot of their own:"]),
      ...without.map(({ path, why }) => `///   ${path}: ${why}`),
      `library ${library} {`,
      functions.map((one) => functionSource(one)).join("\n\n"),
      "}",
    ];
    return lines.filter((line) => line !== "").join("\n");
  });
  return `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.20 <0.9.0;

// Storage slots, written by \`npx hardhat hdp:storage ${named.join(" ")}\`.
// To change them, run it again.

import {${HELPER}} from "hardhat-hdp/contracts/libraries/${HELPER}.sol";

${libraries.join("\n\n")}
`;
}

function slotFunctions(contract: string, layout: Layout): Pick<StorageLibrary, "functions" | "without"> {
  const slots: (readonly Step[])[] = [];
  const without: Without[] = [];
  const walk = (at: Stored, steps: readonly Step[], around: readonly string[]): void => {
    const leave = (why: string): unknown => without.push({ path: pathOf(contract, steps), why });
    const inside = insideOf(layout, at.type);
    if (around.includes(at.type)) leave("a struct inside itself");
    else if (inside.kind === "text") leave("text and bytes are no value of one word");
    else if (inside.kind === "word") {
      if (at.isAlone) slots.push(steps);
      else leave("it shares its slot with others");
    } else if (inside.kind === "mapping") {
      walk(inside.value, [...steps, { kind: "mapping", keyType: inside.keyType }], around);
    } else if (inside.kind === "struct") {
      for (const { label, slot, ...member } of inside.members) {
        walk(member, [...steps, { kind: "member", label, slot }], [...around, at.type]);
      }
    } else {
      const { length, slotsEach, element } = inside;
      if (length === undefined) slots.push([...steps, { kind: "length" }]);
      walk(element, [...steps, { kind: "array", length, slotsEach }], around);
    }
  };
  for (const { label, slot, ...variable } of variablesOf(layout)) {
    walk(variable, [{ kind: "member", label, slot }], []);
  }
  return { functions: named(contract, slots), without };
}

/** Names that no other function with as many parameters has, and parameters that hide no function. */
function named(contract: string, slots: readonly (readonly Step[])[]): readonly SlotFunction[] {
  const taken = new Set<string>();
  const names = slots.map((steps) => {
    const name = steps.flatMap((step) => labelOf(step) ?? []).join("_");
    const count = steps.filter(({ kind }) => kind === "mapping" || kind === "array").length;
    for (let number = 1; ; number++) {
      const free = number === 1 ? name : `${name}_${number.toString()}`;
      const signature = `${free}/${count.toString()}`;
      if (taken.has(signature)) continue;
      taken.add(signature);
      return free;
    }
  });
  const functionNames = new Set(names);
  return slots.map((steps, position) => {
    const parameters = parametersOf(steps).map(({ name, type }) => {
      let free = name;
      while (functionNames.has(free)) free += "_";
      return { name: free, type };
    });
    const path = pathOf(contract, steps);
    return { name: names[position] ?? "", path, parameters, body: bodyOf(path, steps, parameters) };
  });
}

function labelOf(step: Step): string | undefined {
  if (step.kind === "member") return step.label;
  return step.kind === "length" ? "length" : undefined;
}

/** `key` and `index`, with numbers where there are several. */
function parametersOf(steps: readonly Step[]): readonly Parameter[] {
  const count = { key: 0, index: 0 };
  const keyed = steps.flatMap((step): { base: "key" | "index"; number: number; type: string }[] => {
    if (step.kind === "mapping") return [{ base: "key", number: ++count.key, type: parameterType(step.keyType) }];
    return step.kind === "array" ? [{ base: "index", number: ++count.index, type: "uint256" }] : [];
  });
  return keyed.map(({ base, number, type }) => ({
    name: count[base] === 1 ? base : `${base}${number.toString()}`,
    type,
  }));
}

function pathOf(contract: string, steps: readonly Step[]): string {
  const names = parametersOf(steps).map(({ name }) => name);
  const parts = steps.map((step) => {
    const label = labelOf(step);
    return label === undefined ? `[${names.shift() ?? ""}]` : `.${label}`;
  });
  return contract + parts.join("");
}

function bodyOf(path: string, steps: readonly Step[], parameters: readonly Parameter[]): readonly string[] {
  const rest = [...parameters];
  const checks: string[] = [];
  // What a helper has hashed, if anything, and what is added to it.
  let hashed: string | undefined;
  let whole = 0n;
  let offsets: string[] = [];
  const terms = (): readonly string[] => [
    ...(hashed === undefined ? [] : [`uint256(${hashed})`]),
    ...(whole === 0n ? [] : [whole.toString()]),
    ...offsets,
  ];
  const integer = (): string => (terms().length === 0 ? "0" : terms().join(" + "));
  const hash = (source: string): void => {
    hashed = source;
    whole = 0n;
    offsets = [];
  };
  for (const step of steps) {
    if (step.kind === "member") whole += step.slot;
    if (step.kind === "member" || step.kind === "length") continue;
    const { name, type } = rest.shift() ?? { name: "", type: "" };
    if (step.kind === "mapping") hash(mapped(integer(), name, type));
    else if (step.length === undefined) {
      hash(`${HELPER}.elementSlot(${integer()}, ${name}, ${step.slotsEach.toString()})`);
    } else {
      const length = step.length.toString();
      checks.push(
        `require(${name} < ${length}, ${JSON.stringify(`${path}: ${name.replace(/_+$/, "")} is not below ${length}`)});`,
      );
      offsets.push(step.slotsEach === 1n ? name : `${name} * ${step.slotsEach.toString()}`);
    }
  }
  const isHash = hashed !== undefined && terms().length === 1;
  return [...checks, `return ${isHash ? (hashed ?? "") : `bytes32(uint256(${integer()}))`};`];
}

function mapped(slot: string, key: string, type: string): string {
  if (type === "string memory") return `${HELPER}.mappingSlotOfBytes(${slot}, bytes(${key}))`;
  if (type === "bytes memory") return `${HELPER}.mappingSlotOfBytes(${slot}, ${key})`;
  return `${HELPER}.mappingSlot(${slot}, ${wordOf(key, type)})`;
}

/** A key as the helper takes it: an address, or the word that abi.encode makes of it. */
function wordOf(key: string, type: string): string {
  if (type === "address" || type === "bytes32") return key;
  if (type === "bool") return `bytes32(uint256(${key} ? 1 : 0))`;
  if (type.startsWith("bytes")) return `bytes32(${key})`;
  return type.startsWith("int") ? `bytes32(uint256(int256(${key})))` : `bytes32(uint256(${key}))`;
}

/**
 * The type of a mapping's key by its name in the layout. Contracts are addresses and enums integers, so that the library
 * imports nothing; what a type of one's own is made of is not in the layout: it is given as the word of abi.encode.
 */
function parameterType(keyType: string): string {
  if (keyType.startsWith("t_string")) return "string memory";
  if (keyType.startsWith("t_bytes_")) return "bytes memory";
  if (keyType.startsWith("t_address") || keyType.startsWith("t_contract")) return "address";
  if (keyType.startsWith("t_enum")) return "uint8";
  return /^t_(bool|u?int\d+|bytes\d+)$/.exec(keyType)?.[1] ?? "bytes32";
}

function functionSource({ name, path, parameters, body }: SlotFunction): string {
  const list = parameters.map((parameter) => `${parameter.type} ${parameter.name}`).join(", ");
  return [
    `    /// @notice Slot of ${path}.`,
    `    function ${name}(${list}) internal pure returns (bytes32) {`,
    ...body.map((line) => `        ${line}`),
    "    }",
  ].join("\n");
}

function sameName(library: string, first: string, second: string): HdpError {
  return new HdpError({
    code: "HDP-6089",
    path: "contracts",
    message: `two contracts would be ${library}: ${first} and ${second}.`,
    hints: [
      "Libraries are named after their contracts. Name one of them, and write the other to a file of its own: --out.",
    ],
  });
}
