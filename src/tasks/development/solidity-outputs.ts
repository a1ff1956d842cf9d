import type { Hex } from "viem";
import { parseUnits } from "viem/utils";

import { isFelt } from "../../base/felt.js";
import { rootOfFelt, rootOfValue } from "../../request/output-root.js";

const WORD_LIMIT = 2n ** 256n;
/** A root is a hash: nobody finds one with so many leading zeros. */
const LEAST_ROOT = 2n ** 128n;
/** Numbers of one source, the first: each costs a dozen hashes. */
const MAX_NUMBERS = 1_000;

const NUMBER =
  /(?<![\w.])(?:(?<hex>0x[\da-fA-F]+)|(?<decimal>\d[\d_]*(?:\.\d+)?)(?:[eE](?<exponent>\d{1,2}))?(?:\s*(?<unit>wei|gwei|ether))?)(?![\w.])/g;

const DECIMALS: Readonly<Record<string, number>> = { gwei: 9, ether: 18 };

/** Returns the numbers that stand in a Solidity source, `7 gwei` and `1e18` among them: what a test may have finalized. */
export function numbersIn(source: string): readonly bigint[] {
  const numbers = [...source.matchAll(NUMBER)].map(({ groups = {} }) => toNumber(groups));
  return [...new Set(numbers)].filter((one) => one < WORD_LIMIT).slice(0, MAX_NUMBERS);
}

function toNumber({ hex, decimal = "", exponent, unit = "" }: NumberParts): bigint {
  if (hex !== undefined) return BigInt(hex);
  return parseUnits(decimal.replaceAll("_", ""), Number(exponent ?? 0) + (DECIMALS[unit] ?? 0));
}

interface NumberParts {
  readonly hex?: string;
  readonly decimal?: string;
  readonly exponent?: string;
  readonly unit?: string;
}

/** Returns what a word of a result stands for, by numbers that it may be the root of; undefined where it is of none. */
export function findOutput(word: Hex, numbers: readonly bigint[]): string | undefined {
  if (BigInt(word) < LEAST_ROOT) return `plain word ${BigInt(word)}`;
  const felt = numbers.find((one) => isFelt(one) && rootOfFelt(one) === word);
  if (felt !== undefined) return `felt ${felt}`;
  const value = findValue(word, numbers);
  return value === undefined ? undefined : `marked_u256 ${value}`;
}

/** Returns the value among numbers whose root a word is. */
export function findValue(root: Hex, numbers: readonly bigint[]): bigint | undefined {
  return numbers.find((one) => rootOfValue(one) === root);
}
