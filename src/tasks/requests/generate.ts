import { relative } from "node:path";

import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { namedPath } from "../../base/files.js";
import { plural } from "../../base/text.js";
import { printableLines, shellWord } from "../../errors/printable.js";
import { hdpError, suggested } from "../../errors/hdp-error.js";
import type { ContractLayout, Layout, Stored } from "../../plugin/actions/storage-of.js";
import { partsOf, readLayout, variablesOf } from "../../plugin/actions/storage-of.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { pathFromHere, requireOutput, writeOutput } from "../../plugin/project-files.js";
import { describeTask } from "../../request/describe-task.js";
import { taskHash } from "../../request/task-hash.js";
import {
  command,
  type CommandContext,
  type Flags,
  networkOption,
  type Optional,
} from "../run-command.js";
import { preview } from "../ui/preview.js";
import { printFields, style } from "../ui/screen.js";
import { type FileRequest, readRequest, readRequests } from "./task-files.js";
import {
  computeFixtures,
  fixtureFormat,
  renderFixtures,
  requireNames,
  stemOf,
} from "./task-fixtures.js";

type Output = { out: string } & Flags<"check">;

export const types = command(
  async ({ files, ...output }: Output & { files: string[] }, context) => {
    const { hre, screen } = context;
    const requests = await readRequests(
      files,
      hre,
      networkOption(hre) === undefined ? undefined : screen,
    );
    const again = suggested("hdp types", files, { after: `--out ${shellWord(output.out)}` });
    await writeOrCheck(renderTaskTypes(requests), { from: "task files", again }, output, context);
    for (const { file } of requests) screen.line(`    ${file}`);
    return { out: output.out, files: requests.map(({ file }) => file) };
  },
);

export const storage = command(
  async ({ contracts, ...output }: Output & { contracts: string[] }, context) => {
    const { hre, screen } = context;
    // Tests may import the library before it exists; contracts do not.
    await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    await hre.artifacts.clearCache();
    const layouts = await Promise.all(
      contracts.map(async (contract) => await readLayout(hre.artifacts, contract)),
    );
    const libraries = storageLibraries(layouts);
    const again = suggested("hdp storage", contracts, { after: `--out ${shellWord(output.out)}` });
    await writeOrCheck(
      renderStorage(libraries, contracts),
      { from: "compiler's layout", again },
      output,
      context,
    );
    for (const { library, functions, without } of libraries) {
      screen.line(`    ${library}  ${plural(functions.length, "function")}`);
      for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
    }
    const written = libraries.map(({ contract, library, functions, without }) => {
      return { contract, library, functions: functions.length, without };
    });
    return { out: output.out, libraries: written };
  },
);

/** Writes a generated file; with `--check`, throws if it is out of date. `again` is the command that writes it. */
async function writeOrCheck(
  text: string,
  made: { from: string; again: string },
  { out, check }: Output,
  { hre, screen }: CommandContext,
): Promise<void> {
  const { root } = hre.config.paths;
  if (check) await requireOutput(out, root, text, made);
  else await writeOutput(out, root, text);
  screen.line(
    `  ${style.good("✔")} ${pathFromHere(out, root)}  ${check ? `matches the ${made.from}` : "written"}`,
  );
}

type FixtureArguments = { files: string[] } & Optional<"format" | "out" | "recording">;

export const fixtures = command(
  async ({ files, format, out, recording }: FixtureArguments, { hre, screen }) => {
    const parsed = fixtureFormat(format ?? formatOf(out));
    const { root } = hre.config.paths;
    const connection = await hre.network.getOrCreate();
    const paths = files.map((file) => relative(root, namedPath(file, root)));
    const replayed = recording && namedPath(recording, root);
    const computed = await computeFixtures(paths, hre.config, connection, { recording: replayed });
    const text = renderFixtures(computed, parsed);
    if (out === undefined) {
      process.stdout.write(printableLines(text));
      return;
    }
    await writeOutput(out, root, text);
    printFields(screen, [["Fixtures", pathFromHere(out, root)]]);
    for (const { name, taskHash } of computed) screen.line(`  ${name}  ${taskHash}`);
  },
);

function formatOf(out: string | undefined): string {
  const extension = out?.split(".").at(-1) ?? "";
  const formats: Readonly<Record<string, string>> = {
    sol: "solidity",
    ts: "typescript",
    json: "json",
    txt: "txt",
  };
  return formats[extension] ?? "cairo";
}

export const record = command(
  async ({ files, out }: { files: string[] } & Optional<"out">, { hre, screen }) => {
    if (out === undefined) {
      const example = "npx hardhat hdp record tasks/fee.json --out fixtures/fee.json";
      throw hdpError(
        "HDP-6016",
        { what: "file for the recorded chain data", example },
        { path: "--out" },
      );
    }
    const requests = await Promise.all(
      files.map(async (file) => await readRequest(file, hre, screen)),
    );
    const tasks = requests.flatMap((request) => request.tasks);
    const { hdp, networkName } = await hre.network.getOrCreate();
    preview(screen, { tasks }, knownPrograms(hre.config));
    screen.line(`  ${style.strong("Reading from")}  network "${networkName}", with proofs`);
    screen.line();
    const { taskHashes, chains, starknet = [] } = await hdp.record(tasks, { to: out });
    for (const { chain, nodeChainId, blocks, nodes } of chains) {
      const read = `${plural(blocks.length, "block")} and ${plural(nodes.length, "proof node")}`;
      screen.line(`  ${style.good("✔")} ${chain} (the node's chain id is ${nodeChainId}): ${read}`);
    }
    for (const { chain, headers, storage } of starknet)
      screen.line(
        `  ${style.good("✔")} ${chain}: ${plural(headers.length + storage.length, "value")}, unproven`,
      );
    const written = pathFromHere(out, hre.config.paths.root);
    screen.line(
      `  Written to ${written}. In a test: ${style.command(`await hdp.replay("${out}")`)}`,
    );
    screen.line(
      "  Block hashes in it, and Starknet's values, come from the nodes; all else is proven under the hashes.",
    );
    const recorded = chains.map(({ chain, nodeChainId, blocks, nodes }) => {
      return { chain, nodeChainId, blocks: blocks.length, nodes: nodes.length };
    });
    return {
      networkName,
      out,
      taskHashes,
      chains: recorded,
      starknet: starknet.map(({ chain }) => chain),
    };
  },
);

/**
 * Returns a TypeScript module with the requests of task files by name: `tasks.baseFee` of `tasks/base-fee.json`.
 *
 * @throws HdpError HDP-6086 where two files would have the same name
 */
export function renderTaskTypes(files: readonly FileRequest[]): string {
  const names = files.map(({ file }) => ({ name: `tasks.${nameOf(file)}`, from: file }));
  requireNames("files", names, "files");
  const entries = files.map(({ file, request }) => {
    const hashes = request.tasks.map((task) => taskHash(task));
    const [only, ...others] = hashes;
    const hash = only !== undefined && others.length === 0 ? { hash: only } : {};
    const titles = request.tasks.map((task) => describeTask(task).title).join("; ");
    const value = source({ file, ...hash, hashes, request }, "  ");
    return `  /** ${titles.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n  ${nameOf(file)}: ${value},\n`;
  });
  return `// The tasks of this project, written by \`npx hardhat hdp types\`. To change them, run it again.
import type { TaskRequest } from "hardhat-hdp/request";

interface TaskFile {
  readonly file: string;
  /** Where the file has one task. */
  readonly hash?: \`0x\${string}\`;
  readonly hashes: readonly \`0x\${string}\`[];
  readonly request: TaskRequest;
}

export const tasks = {
${entries.join("")}} as const satisfies Readonly<Record<string, TaskFile>>;
`;
}

/** Returns a file's name in camel case, without folders and extension. */
function nameOf(path: string): string {
  const joined = stemOf(path)
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join("");
  const name = joined.slice(0, 1).toLowerCase() + joined.slice(1);
  return /^[a-z]/.test(name) ? name : `task${name}`;
}

/** Writes a value as TypeScript; undefined members are left out. */
function source(value: unknown, indent: string): string {
  if (typeof value === "bigint") return `${value.toString()}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => source(one, inner))
    : Object.entries(value).flatMap(([key, one]) =>
        one === undefined
          ? []
          : [`${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${source(one, inner)}`],
      );
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

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
function storageLibraries(contracts: readonly ContractLayout[]): readonly StorageLibrary[] {
  const libraries = contracts.map(({ contractName: contract, sourceName, layout }) => {
    const { places, without } = placesOf(contract, layout);
    const library = `StorageOf${contract}`;
    return {
      contract,
      fullName: `${sourceName}:${contract}`,
      library,
      functions: functionsOf(places),
      without,
    };
  });
  const names = libraries.map(({ library, fullName }) => ({ name: library, from: fullName }));
  requireNames("contracts", names, "contracts");
  return libraries;
}

function renderStorage(libraries: readonly StorageLibrary[], named: readonly string[]): string {
  return `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.20 <0.9.0;

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
function placesOf(
  contract: string,
  layout: Layout,
): { places: readonly Place[]; without: StorageLibrary["without"] } {
  const places: Place[] = [];
  const without: { path: string; why: string }[] = [];
  const walk = (place: Place, { type, isAlone }: Stored, around: readonly string[]): void => {
    const parts = partsOf(layout, type);
    const { path } = place;
    if (around.includes(type)) without.push({ path, why: "a struct inside itself" });
    else if (parts.kind === "bytes")
      without.push({ path, why: "text and bytes are not values of one word" });
    else if (parts.kind === "word") {
      if (isAlone) places.push(place);
      else without.push({ path, why: "it shares its slot with others" });
    } else if (parts.kind === "mapping") walk(valueOf(place, parts.keyType), parts.value, around);
    else if (parts.kind === "struct") {
      for (const { label, slot, ...member } of parts.members) {
        walk(memberOf(place, label, slot), member, [...around, type]);
      }
    } else {
      if (parts.length === undefined) places.push(memberOf(place, "length", 0n));
      walk(elementOf(place, parts.length, parts.slotsEach), parts.element, around);
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
  for (const { label, slot, ...variable } of variablesOf(layout))
    walk(memberOf(start, label, slot), variable, []);
  return { places, without };
}

function memberOf(place: Place, label: string, slot: bigint): Place {
  const { path, labels, slots } = place;
  return { ...place, path: `${path}.${label}`, labels: [...labels, label], slots: slots + slot };
}

function valueOf(place: Place, keyType: string): Place {
  const name = parameterName("key", place);
  const { type, word, helper = "mappingSlot" } = keyForms(keyType, `_${name}`);
  return {
    ...within(place, name, type),
    hash: `${helper}(${sumOf(place)}, ${word})`,
    slots: 0n,
    terms: [],
  };
}

function elementOf(place: Place, length: bigint | undefined, slotsEach: bigint): Place {
  const name = parameterName("index", place);
  const element = within(place, name, "uint256");
  if (length === undefined) {
    const hash = `elementSlot(${sumOf(place)}, _${name}, ${slotsEach.toString()})`;
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

/** `key`, `key2` and so on. */
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

function sumOf({ hash, slots, terms }: Place): string {
  const first = hash === undefined ? [] : [`uint256(${HELPER}.${hash})`];
  const second = slots === 0n ? [] : [slots.toString()];
  return [...first, ...second, ...terms].join(" + ") || "0";
}

function functionsOf(places: readonly Place[]): readonly string[] {
  const taken = new Set<string>();
  return places.map((place) => {
    const { path, labels, parameters, checks, hash, slots, terms } = place;
    const isHash = hash !== undefined && slots === 0n && terms.length === 0;
    const result = isHash ? `${HELPER}.${hash}` : `bytes32(uint256(${sumOf(place)}))`;
    // Functions with the same number of parameters need different names.
    const name = labels.join("_");
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
