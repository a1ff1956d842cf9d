import type { Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import { splitWord } from "../../base/hex.js";

/** Forms in which fixtures are written: constants of three languages, or the two file formats that `snforge_std` reads. */
export const FIXTURE_FORMATS = ["cairo", "solidity", "typescript", "json", "txt"] as const;

export type FixtureFormat = (typeof FIXTURE_FORMATS)[number];

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

/**
 * Names the tasks of files: `fee` for the only task of `tasks/fee.json`, `history_1`, `history_2` for several.
 *
 * @throws HDP-8014 where two tasks would have the same name
 */
export function nameFixtures(files: readonly FixtureFile[]): readonly Fixture[] {
  const taken = new Map<string, string>();
  return files.flatMap(({ path, tasks }) => {
    const stem = identifier(path);
    return tasks.map((task, position) => {
      const name = tasks.length === 1 ? stem : `${stem}_${(position + 1).toString()}`;
      const other = taken.get(name);
      if (other !== undefined) throw sameName(name, other, path);
      taken.set(name, path);
      return { name, ...task };
    });
  });
}

/** The text of a fixture file. */
export function renderFixtures(fixtures: readonly Fixture[], format: FixtureFormat): string {
  switch (format) {
    case "cairo":
      return cairoConstants(fixtures);
    case "solidity":
      return solidityConstants(fixtures);
    case "typescript":
      return typescriptConstants(fixtures);
    case "json":
      return jsonFixtures(fixtures);
    case "txt":
      return textFixtures(fixtures);
  }
}

/** `FEE_TASK` and `FEE_RESULT`, both u256. */
function cairoConstants(fixtures: readonly Fixture[]): string {
  const constants = fixtures.map(({ name, title, taskHash, word }) => {
    const upper = name.toUpperCase();
    const value = BigInt(word);
    return `/// Task hash: ${oneLine(title)}.
pub const ${upper}_TASK: u256 = ${taskHash};
/// Its result, ${value.toString()}.
pub const ${upper}_RESULT: u256 = 0x${value.toString(16)};
`;
  });
  return `//! Task hashes and results, written by \`npx hardhat hdp fixtures\`.
//! To change them, run it again.

${constants.join("\n")}`;
}

/** `FEE_TASK`, a bytes32, and `FEE_RESULT`, a uint256, at file level: `import {FEE_TASK} from "./Fixtures.sol";`. */
function solidityConstants(fixtures: readonly Fixture[]): string {
  const constants = fixtures.map(({ name, title, taskHash, word }) => {
    const upper = name.toUpperCase();
    return `// Task hash: ${oneLine(title)}.
bytes32 constant ${upper}_TASK = ${taskHash};
// Its result.
uint256 constant ${upper}_RESULT = ${BigInt(word).toString()};
`;
  });
  return `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.20 <0.9.0;

// Task hashes and results, written by \`npx hardhat hdp fixtures\`.
// To change them, run it again.

${constants.join("\n")}`;
}

/** `FEE_TASK`, hexadecimal text of its own type, and `FEE_RESULT`, a bigint. */
function typescriptConstants(fixtures: readonly Fixture[]): string {
  const constants = fixtures.map(({ name, title, taskHash, word }) => {
    const upper = name.toUpperCase();
    return `/** Task hash: ${oneLine(title)}. */
export const ${upper}_TASK = "${taskHash}";
/** Its result. */
export const ${upper}_RESULT = ${BigInt(word).toString()}n;
`;
  });
  return `// Task hashes and results, written by \`npx hardhat hdp fixtures\`.
// To change them, run it again.

${constants.join("\n")}`;
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
  return `${[BigInt(fixtures.length), ...felts].map(String).join("\n")}\n`;
}

/**
 * JSON for `FileParser::parse_json`, which reads numbers in the order of their flattened keys and takes hexadecimal
 * text for a byte array. JSON numbers are only sure to be read exactly up to 64 bits, so a word is four of them, the
 * lowest first: the type is `JsonFixture`, one for each name, in alphabetical order.
 */
function jsonFixtures(fixtures: readonly Fixture[]): string {
  const entries = [...fixtures]
    .sort((a, b) => (`${a.name}.` < `${b.name}.` ? -1 : 1))
    .map(({ name, taskHash, word }) => {
      return `  "${name}": {\n    "result": ${limbs(word)},\n    "task": ${limbs(taskHash)}\n  }`;
    });
  return `{\n${entries.join(",\n")}\n}\n`;
}

/** Written by hand: numbers this long are no numbers to JavaScript. */
function limbs(word: Hex): string {
  const value = BigInt(word);
  const parts = [0n, 64n, 128n, 192n].map((shift, position) => {
    return `"limb${position.toString()}": ${((value >> shift) & 0xffffffffffffffffn).toString()}`;
  });
  return `{ ${parts.join(", ")} }`;
}

/** The file's name without folders and extension, as a Cairo identifier. */
function identifier(path: string): string {
  const stem = (path.split(/[/\\]/).at(-1) ?? "").replace(/\.[^.]*$/, "");
  const words = stem
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(words) ? words : `task_${words}`.replace(/_$/, "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function sameName(name: string, first: string, second: string): HdpError {
  return new HdpError({
    code: "HDP-8014",
    message: `two tasks would be the fixture "${name}": of ${first} and of ${second}.`,
    hints: ["Fixtures are named after their task files. Rename one of the files, or write two fixture files."],
  });
}
