import type { Hex } from "viem";

import { isFelt } from "../../base/felt.js";
import { toWord } from "../../base/hex.js";
import {
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
} from "../../request/output-root.js";
import type { Brought } from "../../store/failed-read.js";
import { isPlain, ofStoredWord } from "../../submission/brought-value.js";
import { differenceLine } from "../../submission/explanation-lines.js";
import { numbersOf } from "./solidity-words.js";

const HALF_LIMIT = 2n ** 128n;
/** Numbers of one source, the first: each costs a dozen hashes. */
const MAX_NUMBERS = 1_000;
/** Lengths of lists, and of how many numbers they are made, the first: at most 10,000 lists of a length. */
const LISTS = [
  { length: 2, count: 100 },
  { length: 3, count: 21 },
  { length: 4, count: 10 },
  { length: 5, count: 6 },
] as const;

/**
 * Says in what that which was brought differs from the result, by the numbers in the test's file, which it may have finalized.
 * @param test name of the test's function: its numbers come first
 */
export function explained(refused: Brought, text: string, test: string): readonly string[] {
  const own = text.indexOf(`function ${test}(`);
  const numbers = numbersIn(`${text.slice(Math.max(own, 0))}\n${text}`);
  return refused.kind === "root"
    ? ofRoots(toWord(refused.value), refused.word, numbers)
    : ofValue(refused, numbers);
}

function ofRoots(brought: Hex, word: Hex, numbers: readonly bigint[]): readonly string[] {
  const found = findOutputs([brought, word], numbers);
  const [asked, stored] = [found.get(brought), found.get(word)];
  if (asked === undefined && stored === undefined)
    return [`${NONE_HAS} the root that was brought, or the stored one.`];
  return [outputLine(asked ?? brought, stored ?? word)];
}

const NONE_HAS = "No number of the test's file that was tried, alone or in a list of up to 5, has";

function ofValue(refused: Brought, numbers: readonly bigint[]): readonly string[] {
  const { value, word } = refused;
  const valueOfRoot = (root: Hex): bigint | undefined => findValue(root, numbers);
  const { cause, differences } = ofStoredWord(refused, { valueOfRoot });
  if (cause === "word-brought") {
    const known = differences.map(({ found }) => `, ${found}`).join("");
    return [`The word of the result was brought: bring its value${known}.`];
  }
  if (differences.length > 0) return differences.map(differenceLine);
  const stored = findOutputs([word], numbers).get(word);
  return stored === undefined
    ? [`${NONE_HAS} the stored root ${word}.`]
    : [outputLine(`value ${value}`, stored)];
}

function outputLine(asked: string, found: string): string {
  return differenceLine({ field: "output", asked, found });
}

/** Returns the numbers that stand in a Solidity source: what a test may have finalized. */
export function numbersIn(source: string): readonly bigint[] {
  return numbersOf(source).slice(0, MAX_NUMBERS);
}

/** Returns what words of results stand for, by numbers, or lists of them, that they may be the roots of. */
export function findOutputs(
  words: readonly Hex[],
  numbers: readonly bigint[],
): ReadonlyMap<Hex, string> {
  const found = new Map<Hex, string>();
  for (const word of words) {
    const output = findNumber(word, numbers);
    if (output !== undefined) found.set(word, output);
  }
  for (const [root, text] of rootsOfLists(numbers)) {
    if (words.every((word) => found.has(word))) break;
    if (words.includes(root) && !found.has(root)) found.set(root, text);
  }
  return found;
}

/** Returns what a word stands for, by numbers that it may be the root of; undefined where it is of none. */
function findNumber(word: Hex, numbers: readonly bigint[]): string | undefined {
  if (isPlain(word)) return `plain word ${BigInt(word)}`;
  const felt = numbers.find((one) => isFelt(one) && rootOfFelt(one) === word);
  if (felt !== undefined) return `felt ${felt}`;
  const value = findValue(word, numbers);
  return value === undefined ? undefined : `marked_u256 ${value}`;
}

function findValue(root: Hex, numbers: readonly bigint[]): bigint | undefined {
  return numbers.find((one) => rootOfValue(one) === root);
}

/** Returns the roots of lists of numbers, in each form of output, with their words. */
function* rootsOfLists(numbers: readonly bigint[]): Generator<readonly [root: Hex, text: string]> {
  for (const { length, count } of LISTS)
    for (const list of listsOf(numbers.slice(0, count), length)) {
      const text = `[${list.join(", ")}]`;
      if (list.every((one) => one < HALF_LIMIT)) yield [rootOfMarked(list), `marked ${text}`];
      yield [rootOfFelt(outputDigest(list)), `digest ${text}`];
      if (list.every(isFelt)) yield [unorderedRoot(list), `felts ${text}, in any order`];
    }
}

/** Returns every list of a length, in every order. */
function* listsOf(numbers: readonly bigint[], length: number): Generator<readonly bigint[]> {
  const shorter = length === 1 ? [[]] : listsOf(numbers, length - 1);
  for (const list of shorter) for (const one of numbers) yield [...list, one];
}
