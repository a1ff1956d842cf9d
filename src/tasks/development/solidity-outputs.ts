import type { Hex } from "viem";

import { isFelt } from "../../base/felt.js";
import { toWord } from "../../base/hex.js";
import { rootOfFelt, rootOfValue } from "../../request/output-root.js";
import type { Brought } from "../../store/failed-read.js";
import { isPlain, ofStoredWord } from "../../submission/brought-value.js";
import { differenceLine } from "../../submission/explanation-lines.js";

const WORD_LIMIT = 2n ** 256n;
/** Numbers of one source, the first: each costs a dozen hashes. */
const MAX_NUMBERS = 1_000;

const NUMBER =
  /(?<![\w.])(?:(?<hex>0x[\da-fA-F]+)|(?<decimal>\d[\d_]*(?:\.\d+)?)(?:[eE](?<exponent>\d{1,2}))?(?:\s*(?<unit>wei|gwei|ether))?)(?![\w.])/g;

const DECIMALS: Readonly<Record<string, number>> = { gwei: 9, ether: 18 };

/** Says in what that which was brought differs from the result, by the numbers in the test's file, which it may have finalized. */
export function explained(refused: Brought, text: string): readonly string[] {
  const numbers = numbersIn(text);
  const { kind, value, word } = refused;
  const stored = findOutput(word, numbers);
  if (kind === "root") {
    const brought = findOutput(toWord(value), numbers);
    if (brought === undefined && stored === undefined) return [];
    return [outputLine(brought ?? toWord(value), stored ?? word)];
  }
  const valueOfRoot = (root: Hex): bigint | undefined => findValue(root, numbers);
  const { cause, differences } = ofStoredWord(refused, { valueOfRoot });
  if (cause === "word-brought") {
    const known = differences.map(({ found }) => `, ${found}`).join("");
    return [`The word of the result was brought: bring its value${known}.`];
  }
  if (differences.length === 0 && stored !== undefined)
    return [outputLine(`value ${value}`, stored)];
  return differences.map(differenceLine);
}

function outputLine(asked: string, found: string): string {
  return differenceLine({ field: "output", asked, found });
}

/** Returns the numbers that stand in a Solidity source, `7 gwei` and `1e18` among them: what a test may have finalized. */
export function numbersIn(source: string): readonly bigint[] {
  const numbers = [...source.matchAll(NUMBER)].map(({ groups = {} }) => toNumber(groups));
  return [...new Set(numbers)].filter((one) => one < WORD_LIMIT).slice(0, MAX_NUMBERS);
}

function toNumber({ hex, decimal = "", exponent, unit = "" }: NumberParts): bigint {
  if (hex !== undefined) return BigInt(hex);
  const [whole, fraction = ""] = decimal.replaceAll("_", "").split(".");
  const places = Number(exponent ?? 0) + (DECIMALS[unit] ?? 0);
  return BigInt(`${whole}${fraction.slice(0, places).padEnd(places, "0")}`);
}

interface NumberParts {
  readonly hex?: string;
  readonly decimal?: string;
  readonly exponent?: string;
  readonly unit?: string;
}

/** Returns what a word of a result stands for, by numbers that it may be the root of; undefined where it is of none. */
export function findOutput(word: Hex, numbers: readonly bigint[]): string | undefined {
  if (isPlain(word)) return `plain word ${BigInt(word)}`;
  const felt = numbers.find((one) => isFelt(one) && rootOfFelt(one) === word);
  if (felt !== undefined) return `felt ${felt}`;
  const value = findValue(word, numbers);
  return value === undefined ? undefined : `marked_u256 ${value}`;
}

function findValue(root: Hex, numbers: readonly bigint[]): bigint | undefined {
  return numbers.find((one) => rootOfValue(one) === root);
}
