import { win32 } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";
import { numberToHex } from "viem/utils";

import { keysOf } from "../../base/collections.js";
import { shortString } from "../../base/felt.js";
import { splitHalves } from "../../base/hex.js";
import { type HdpError, hdpError, isHdpError } from "../../errors/hdp-error.js";
import type { HdpConnection } from "../../plugin/hdp.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { Session } from "../../plugin/session.js";
import { readTaskFile } from "../../plugin/task-input.js";
import { describeTask } from "../../request/describe-task.js";
import type { InjectedStateProofs, StateNode } from "../../request/state-trie.js";
import { findDatalake, HDP_FORM, type TaskForm } from "../../request/task-form.js";
import { taskHash as hashOf } from "../../request/task-hash.js";
import { parseChoice } from "../options.js";
import { wrapped } from "../ui/screen.js";

/** A task with the value that it has over the connected chains. */
interface TaskFixture {
  readonly title: string;
  readonly taskHash: Hex;
  /** A datalake task's value; the stored word of a module of the user's own. */
  readonly result: bigint;
  /** Form of a datalake task; a module of the user's own has none to choose. */
  readonly form?: TaskForm | undefined;
  readonly module?: ModuleFixture | undefined;
}

/** A task with the name of its constants. */
export interface Fixture extends TaskFixture {
  /** Lower-case name, `fee` or `history_2`; a Cairo identifier. */
  readonly name: string;
}

interface ModuleFixture {
  readonly programHash: Hex;
  /** The public inputs: those of the task hash. */
  readonly inputs: readonly bigint[];
  readonly output: readonly bigint[];
  readonly injectedState: readonly InjectedStateProofs[];
}

/** The tasks of one file with their hashes and results. */
export interface FixtureFile {
  readonly path: string;
  readonly tasks: readonly TaskFixture[];
}

/** A language in which fixtures are constants, `FEE_TASK` and `FEE_RESULT`. */
interface Language {
  readonly head?: readonly string[];
  /** Returns lines after the notice, such as imports, for the fixtures. */
  readonly imports?: (fixtures: readonly Fixture[]) => readonly string[];
  readonly comment: string;
  readonly constants: (name: string, fixture: Fixture) => readonly string[];
}

/** Variants of `HdpForm`, in Solidity and in Cairo. */
const FORM_VARIANTS: Readonly<Record<TaskForm, string>> = {
  datalake: "Datalake",
  module: "Module",
};

const hasForm = ({ form }: Fixture): boolean => form !== undefined;

const CAIRO: Language = {
  comment: "//!",
  imports: cairoImports,
  constants: (name, { title, taskHash, result, form, module }) => [
    ...wrapped(`Task hash: ${title}.`, WIDTH - "/// ".length).map((line) => `/// ${line.trim()}`),
    ...cairoConstant(`${name}_TASK: u256`, taskHash),
    `/// Its result, ${result}.`,
    ...cairoConstant(`${name}_RESULT: u256`, hex(result)),
    "/// Both: a row of `#[test_case]`.",
    ...cairoItems(`${name}: (u256, u256)`, [`${name}_TASK`, `${name}_RESULT`], ["(", ")"]),
    ...(form === undefined
      ? []
      : [
          "/// Its form: `HdpTask { hash, form }`.",
          ...cairoConstant(`${name}_FORM: HdpForm`, `HdpForm::${FORM_VARIANTS[form]}`),
        ]),
    ...(module === undefined ? [] : moduleConstants(name, module)),
  ],
};

function cairoImports(fixtures: readonly Fixture[]): readonly string[] {
  const hasProofs = fixtures.some(({ module }) =>
    module?.injectedState.some(({ writes, reads }) => writes.length + reads.length > 0),
  );
  const uses = [
    ...(hasProofs ? ["use hardhat_hdp::injected_state::StateNode;"] : []),
    ...(fixtures.some(hasForm) ? ["use hardhat_hdp::task::HdpForm;"] : []),
  ];
  return uses.length === 0 ? [] : ["", ...uses];
}

/** Returns the Cairo constants of a module's run: its inputs, its output and the proofs of its injected state. */
function moduleConstants(
  name: string,
  { programHash, inputs, output, injectedState }: ModuleFixture,
): string[] {
  const felts = (suffix: string, list: readonly bigint[]): string[] =>
    cairoItems(`${name}_${suffix}: [felt252; ${list.length}]`, list.map(hex));
  const proof = (
    id: string,
    says: string,
    list: readonly bigint[],
    nodes: readonly StateNode[],
  ): string[] => [
    `/// ${says}.`,
    ...felts(id, list),
    "/// The nodes that prove it.",
    ...cairoItems(`${name}_${id}_NODES: [StateNode; ${nodes.length}]`, nodes.map(cairoNode)),
  ];
  const tries = injectedState.map(({ label, ...state }) => ({
    trie: shortString(label),
    ...state,
  }));
  const writes = tries.flatMap(({ trie, writes: all }) => all.map((write) => ({ trie, ...write })));
  const reads = tries.flatMap(({ trie, reads: all }) => all.map((read) => ({ trie, ...read })));
  return [
    "/// Hash of the module's program.",
    ...cairoConstant(`${name}_PROGRAM_HASH: felt252`, programHash),
    "/// Its public inputs.",
    ...felts("INPUTS", inputs),
    "/// What it returned.",
    ...felts("OUTPUT", output),
    ...writes.flatMap(({ trie, rootBefore, rootAfter, key, value, nodes }, index) => {
      const says = `Written to ${trie}: root before, root after, key, value`;
      return proof(`WRITE_${index + 1}`, says, [rootBefore, rootAfter, key, value], nodes);
    }),
    ...reads.flatMap(({ trie, root, key, value, nodes }, index) =>
      proof(`READ_${index + 1}`, `Read from ${trie}: root, key, value`, [root, key, value], nodes),
    ),
  ];
}

const hex = (felt: bigint): string => `0x${felt.toString(16)}`;

/** Maximum width of a line that `scarb fmt` does not change. */
const WIDTH = 100;

function cairoConstant(declaration: string, value: string): string[] {
  const line = `pub const ${declaration} = ${value};`;
  return line.length <= WIDTH ? [line] : [`pub const ${declaration} =`, `    ${value};`];
}

/** Returns a list or a tuple: on one line if it fits, else one item per line. */
function cairoItems(
  declaration: string,
  items: readonly string[],
  [open, close] = ["[", "]"],
): string[] {
  const line = `pub const ${declaration} = ${open}${items.join(", ")}${close};`;
  if (line.length <= WIDTH) return [line];
  return [
    "#[cairofmt::skip]",
    `pub const ${declaration} = ${open}`,
    ...items.map((item) => `    ${item},`),
    `${close};`,
  ];
}

function cairoNode(node: StateNode): string {
  const [child, rest, length] =
    node.kind === "binary" ? [node.left, node.right, 0] : [node.child, node.path, node.length];
  return `StateNode { child: ${hex(child)}, right_or_path: ${hex(rest)}, length: ${length} }`;
}

/** Constants of a file: `import {FEE_TASK} from "./Fixtures.sol";`. */
const SOLIDITY: Language = {
  head: ["// SPDX-License-Identifier: UNLICENSED", "pragma solidity >=0.8.21 <0.9.0;", ""],
  comment: "//",
  imports: (fixtures) =>
    fixtures.some(hasForm)
      ? ["", 'import {HdpForm} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";']
      : [],
  constants: (name, { title, taskHash, result, form }) => [
    `// Task hash: ${title}.`,
    `bytes32 constant ${name}_TASK = ${taskHash};`,
    "// Its result.",
    `uint256 constant ${name}_RESULT = ${result};`,
    ...(form === undefined
      ? []
      : [
          `// Its form: HdpTask(${name}_TASK, ${name}_FORM).`,
          `HdpForm constant ${name}_FORM = HdpForm.${FORM_VARIANTS[form]};`,
        ]),
  ],
};

const TYPESCRIPT: Language = {
  comment: "//",
  constants: (name, { title, taskHash, result, form }) => [
    `/** Task hash: ${title}. */`,
    `export const ${name}_TASK = "${taskHash}";`,
    "/** Its result. */",
    `export const ${name}_RESULT = ${result}n;`,
    ...(form === undefined
      ? []
      : [
          `/** Its form, a number of HdpForm: { hash: ${name}_TASK, form: ${name}_FORM }. */`,
          `export const ${name}_FORM = ${HDP_FORM[form]};`,
        ]),
  ],
};

/** Forms in which fixtures are written: constants of three languages, or the two file formats that `snforge_std` reads. */
const FORMATS = {
  cairo: (fixtures: readonly Fixture[]) => constants(fixtures, CAIRO),
  solidity: (fixtures: readonly Fixture[]) => constants(fixtures, SOLIDITY),
  typescript: (fixtures: readonly Fixture[]) => constants(fixtures, TYPESCRIPT),
  json: jsonFixtures,
  txt: textFixtures,
} as const;

/** The format of a file of fixtures. */
type FixtureFormat = keyof typeof FORMATS;

/** Returns fixtures as the text of a file in a format. */
export function renderFixtures(fixtures: readonly Fixture[], format: FixtureFormat): string {
  return FORMATS[format](fixtures);
}

/** Returns a format by its name. @throws HdpError HDP-6003 */
export function fixtureFormat(text: string): FixtureFormat {
  return parseChoice(text, keysOf(FORMATS), { what: "a format of fixtures", path: "--format" });
}

interface FixtureOptions {
  /** Path of a file that `hdp record` wrote: chains are read from it alone. */
  readonly recording?: string | undefined;
  /** Called with each file whose tasks fail, instead of throwing. */
  readonly onFailure?: ((path: string, error: HdpError) => void) | undefined;
}

/**
 * Runs the tasks of files with the local data processor and returns their results as fixtures. Results are kept in the
 * connection's own store whatever the destination is, since no hash depends on it.
 *
 * @throws HdpError HDP-6060 where a service would compute, HDP-6086 where two tasks would have the same name
 */
export async function computeFixtures(
  paths: readonly string[],
  config: HardhatConfig,
  connection: NetworkConnection<string>,
  { recording, onFailure }: FixtureOptions = {},
): Promise<readonly Fixture[]> {
  const { hdp } = connection;
  const { kind, description } = (await Session.of(connection).processor()).info;
  if (kind !== "local") {
    const what = "fixtures are computed by the local data processor";
    throw hdpError("HDP-6060", { what, network: connection.networkName, description });
  }
  const replay = recording === undefined ? undefined : await hdp.replay(recording);
  const files: FixtureFile[] = [];
  try {
    for (const path of paths) {
      try {
        files.push({ path, tasks: await makeFixtures(path, config, hdp) });
      } catch (error) {
        if (onFailure === undefined || !isHdpError(error)) throw error;
        onFailure(path, error);
      }
    }
  } finally {
    replay?.stop();
  }
  return nameFixtures(files);
}

/** Runs the tasks of a file, and returns them with their hashes and results. */
async function makeFixtures(
  path: string,
  config: HardhatConfig,
  hdp: HdpConnection,
): Promise<FixtureFile["tasks"]> {
  const source = { folder: config.paths.root, programs: knownPrograms(config) };
  const { tasks } = await readTaskFile(path, source);
  const results = await hdp.run(tasks);
  // A run that is not submitted includes the proof of its injected state.
  const runs = tasks.some(({ type }) => type === "Module") ? await hdp.program.run(tasks) : [];
  return tasks.flatMap((task, position): FixtureFile["tasks"] => {
    const result = results[position];
    if (result === undefined) return [];
    const { taskHash, word, value } = result;
    const { title } = describeTask(task);
    if (findDatalake(task) !== undefined) {
      const isModule = task.type === "Module" || taskHash !== hashOf(task);
      return [{ title, taskHash, result: value, form: isModule ? "module" : "datalake" }];
    }
    if (task.type !== "Module") return [];
    const run = runs.find((one) => one.taskHash === taskHash)?.run;
    const module = run && {
      programHash: task.programHash,
      inputs: task.inputs.flatMap(({ visibility, value: input }) =>
        visibility === "public" ? [BigInt(input)] : [],
      ),
      output: run.retdata,
      injectedState: run.injectedState,
    };
    return [{ title, taskHash, result: BigInt(word), module }];
  });
}

/** Names tasks: `fee` for the only one of a file, `fee_1`, `fee_2` for several. @throws HdpError HDP-6086 */
export function nameFixtures(files: readonly FixtureFile[]): readonly Fixture[] {
  const fixtures = files.flatMap(({ path, tasks }) => {
    const stem = cairoName(fileStem(path).replace(/([a-z0-9])([A-Z])/g, "$1_$2"), "task");
    return tasks.map((task, position) => {
      return { name: tasks.length === 1 ? stem : `${stem}_${position + 1}`, from: path, task };
    });
  });
  requireNames("fixtures", fixtures);
  return fixtures.map(({ name, task }) => ({ name, ...task }));
}

function constants(
  fixtures: readonly Fixture[],
  { head = [], comment, imports = () => [], constants: linesOf }: Language,
): string {
  const notice = [
    `${comment} Task hashes and results, written by \`npx hardhat hdp fixtures\`.`,
    `${comment} To change them, run it again.`,
  ];
  const lines = fixtures.flatMap((fixture) => {
    const title = fixture.title.replace(/\s+/g, " ");
    return ["", ...linesOf(fixture.name.toUpperCase(), { ...fixture, title })];
  });
  return `${[...head, ...notice, ...imports(fixtures), ...lines].join("\n")}\n`;
}

/**
 * Returns felts, one per line, in the format of `FileParser::<Array<Fixture>>::parse_txt`: the number of fixtures, then
 * for each task low, task high, result low, result high.
 */
function textFixtures(fixtures: readonly Fixture[]): string {
  const felts = fixtures.flatMap(({ taskHash, result }) =>
    splitHalves(taskHash, numberToHex(result)),
  );
  return `${[fixtures.length, ...felts].join("\n")}\n`;
}

/**
 * Returns JSON for `FileParser::parse_json`, which reads numbers in the order of their flattened keys and hexadecimal
 * text as a byte array. It reads JSON numbers exactly up to 64 bits, so a word is four of them, the lowest first: the
 * type is `JsonFixture`, one for each name, in alphabetical order.
 */
function jsonFixtures(fixtures: readonly Fixture[]): string {
  const entries = [...fixtures]
    .sort((a, b) => (`${a.name}.` < `${b.name}.` ? -1 : 1))
    .map(({ name, taskHash, result }) => {
      return `  "${name}": {\n    "result": ${limbs(result)},\n    "task": ${limbs(BigInt(taskHash))}\n  }`;
    });
  return `{\n${entries.join(",\n")}\n}\n`;
}

/** Returns a word as JSON numbers. JSON.stringify would round numbers of 64 bits. */
function limbs(word: bigint): string {
  const parts = [0n, 64n, 128n, 192n].map((shift, position) => {
    return `"limb${position}": ${BigInt.asUintN(64, word >> shift)}`;
  });
  return `{ ${parts.join(", ")} }`;
}

/** Returns a path without its folders and its extension. */
export function fileStem(path: string): string {
  // win32 accepts slashes of both kinds.
  return win32.parse(path).name;
}

/** Returns a text as a Cairo name: `my_gate` for `My-Gate`, with the prefix if it would not begin with a letter. */
export function cairoName(text: string, prefix: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `${prefix}_${name}`.replace(/_$/, "");
}

/** Throws if two entries of a generated file would have one name. @throws HdpError HDP-6086 */
export function requireNames(
  what: string,
  things: readonly Record<"name" | "from", string>[],
  path?: string,
): void {
  const first = new Map<string, string>();
  for (const { name, from } of things) {
    const other = first.get(name);
    if (other !== undefined)
      throw hdpError("HDP-6086", { what, name, first: other, second: from }, { path });
    first.set(name, from);
  }
}
