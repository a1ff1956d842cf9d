import type { HardhatConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { keysOf } from "../../base/collections.js";
import { splitWord } from "../../base/hex.js";
import { hdpError } from "../../errors/hdp-error.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { Session } from "../../plugin/session.js";
import { readTaskFile } from "../../plugin/task-input.js";
import type { ChainIdentifier } from "../../request/chains.js";
import { describeTask } from "../../request/describe-task.js";
import { oneOf } from "../run-command.js";
import { cairoName, requireNames, stemOf } from "./names.js";

/** A finalized task as a fixture. */
export interface Fixture {
  /** Lower-case name, `fee` or `history_2`; a Cairo identifier. */
  readonly name: string;
  /** What the task computes, for people. */
  readonly title: string;
  readonly taskHash: Hex;
  /** The finalized result, 32 bytes. */
  readonly word: Hex;
}

/** A task file's finalized tasks, in request order. */
export interface FixtureFile {
  /** As the user named it. */
  readonly path: string;
  readonly tasks: readonly Omit<Fixture, "name">[];
}

/** A language in which fixtures are constants, `FEE_TASK` and `FEE_RESULT`. */
interface Language {
  readonly head?: readonly string[];
  readonly comment: string;
  readonly constants: (name: string, fixture: Fixture, result: bigint) => readonly string[];
}

const CAIRO: Language = {
  comment: "//!",
  constants: (name, { title, taskHash }, result) => [
    `/// Task hash: ${title}.`,
    `pub const ${name}_TASK: u256 = ${taskHash};`,
    `/// Its result, ${result}.`,
    `pub const ${name}_RESULT: u256 = 0x${result.toString(16)};`,
  ],
};

/** Constants of a file: `import {FEE_TASK} from "./Fixtures.sol";`. */
const SOLIDITY: Language = {
  head: ["// SPDX-License-Identifier: UNLICENSED", "pragma solidity >=0.8.20 <0.9.0;", ""],
  comment: "//",
  constants: (name, { title, taskHash }, result) => [
    `// Task hash: ${title}.`,
    `bytes32 constant ${name}_TASK = ${taskHash};`,
    "// Its result.",
    `uint256 constant ${name}_RESULT = ${result};`,
  ],
};

const TYPESCRIPT: Language = {
  comment: "//",
  constants: (name, { title, taskHash }, result) => [
    `/** Task hash: ${title}. */`,
    `export const ${name}_TASK = "${taskHash}";`,
    "/** Its result. */",
    `export const ${name}_RESULT = ${result}n;`,
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

export type FixtureFormat = keyof typeof FORMATS;

/** Returns the text of a fixture file. */
export function renderFixtures(fixtures: readonly Fixture[], format: FixtureFormat): string {
  return FORMATS[format](fixtures);
}

/** Returns the format that a user names. @throws HdpError HDP-6003 */
export function fixtureFormat(text: string): FixtureFormat {
  return oneOf(text, keysOf(FORMATS), { what: "a format of fixtures", path: "--format" });
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
): Promise<readonly Fixture[]> {
  const { hdp } = connection;
  const { kind, description } = (await Session.of(connection).processor()).info;
  if (kind !== "local") {
    const what = "fixtures are computed by the local data processor";
    throw hdpError("HDP-6060", { what, network: connection.networkName, description });
  }
  const source = { folder: config.paths.root, programs: knownPrograms(config) };
  const anyDestination = async (): Promise<ChainIdentifier> => await Promise.resolve("STARKNET_SEPOLIA");
  const requests = await Promise.all(
    paths.map(async (path) => ({ path, tasks: (await readTaskFile(path, source, anyDestination)).tasks })),
  );
  const files: FixtureFile[] = [];
  for (const { path, tasks } of requests) {
    const results = await hdp.run(tasks);
    const titles = tasks.map((task) => describeTask(task).title);
    files.push({
      path,
      tasks: results.map(({ taskHash, word }, position) => ({ title: titles[position] ?? "", taskHash, word })),
    });
  }
  return nameFixtures(files);
}

/**
 * Names the tasks of files: `fee` for the only task of `tasks/fee.json`, `history_1`, `history_2` for several.
 *
 * @throws HdpError HDP-6086 where two tasks would have the same name
 */
export function nameFixtures(files: readonly FixtureFile[]): readonly Fixture[] {
  const fixtures = files.flatMap(({ path, tasks }) => {
    const stem = cairoName(stemOf(path).replace(/([a-z0-9])([A-Z])/g, "$1_$2"), "task");
    return tasks.map((task, position) => {
      return { name: tasks.length === 1 ? stem : `${stem}_${position + 1}`, from: path, task };
    });
  });
  requireNames("fixtures", fixtures);
  return fixtures.map(({ name, task }) => ({ name, ...task }));
}

function constants(fixtures: readonly Fixture[], { head = [], comment, constants: linesOf }: Language): string {
  const notice = [
    `${comment} Task hashes and results, written by \`npx hardhat hdp fixtures\`.`,
    `${comment} To change them, run it again.`,
  ];
  const lines = fixtures.flatMap((fixture) => {
    const title = fixture.title.replace(/\s+/g, " ");
    return ["", ...linesOf(fixture.name.toUpperCase(), { ...fixture, title }, BigInt(fixture.word))];
  });
  return `${[...head, ...notice, ...lines].join("\n")}\n`;
}

/**
 * Felts, one a line, as `FileParser::<Array<Fixture>>::parse_txt` takes them: the number of fixtures, then for each
 * task low, task high, result low, result high.
 */
function textFixtures(fixtures: readonly Fixture[]): string {
  const felts = fixtures.flatMap(({ taskHash, word }) => {
    const task = splitWord(taskHash);
    const result = splitWord(word);
    return [task.low, task.high, result.low, result.high];
  });
  return `${[fixtures.length, ...felts].join("\n")}\n`;
}

/**
 * JSON for `FileParser::parse_json`, which reads numbers in the order of their flattened keys and takes hexadecimal
 * text for a byte array. It reads JSON numbers exactly up to 64 bits, so a word is four of them, the lowest first: the
 * type is `JsonFixture`, one for each name, in alphabetical order.
 */
function jsonFixtures(fixtures: readonly Fixture[]): string {
  const entries = [...fixtures]
    .sort((a, b) => (`${a.name}.` < `${b.name}.` ? -1 : 1))
    .map(({ name, taskHash, word }) => {
      return `  "${name}": {\n    "result": ${limbs(word)},\n    "task": ${limbs(taskHash)}\n  }`;
    });
  return `{\n${entries.join(",\n")}\n}\n`;
}

/** Written without JSON.stringify, which would round numbers of 64 bits. */
function limbs(word: Hex): string {
  const parts = [0n, 64n, 128n, 192n].map((shift, position) => {
    return `"limb${position}": ${BigInt.asUintN(64, BigInt(word) >> shift)}`;
  });
  return `{ ${parts.join(", ")} }`;
}
