import type { Brought } from "../../store/failed-read.js";
import { ofStoredWord } from "../../submission/brought-value.js";
import { differenceLine } from "../../submission/explanation-lines.js";
import { numbersOf } from "./solidity-words.js";

/** Numbers of one source, the first: each costs a dozen hashes. */
const MAX_NUMBERS = 1_000;

/**
 * Says in what that which was brought differs from the result, by the numbers in the test's file, which it may have finalized.
 * @param test name of the test's function: its numbers come first
 */
export function explained(refused: Brought, text: string, test: string): readonly string[] {
  const own = text.indexOf(`function ${test}(`);
  const numbers = numbersIn(`${text.slice(Math.max(own, 0))}\n${text}`);
  const { cause, differences } = ofStoredWord(refused, { numbers });
  if (cause === "word-brought") {
    const known = differences.map(({ found }) => `, ${found}`).join("");
    return [`The word of the result was brought: bring its value${known}.`];
  }
  if (cause === "other-root") return [`${NONE_HAS} the stored root ${refused.word}.`];
  const isUnknown = differences.some(({ field }) => field === "root");
  return isUnknown
    ? [`${NONE_HAS} the root that was brought, or the stored one.`]
    : differences.map(differenceLine);
}

const NONE_HAS = "No number of the test's file that was tried, alone or in a list of up to 5, has";

/** Returns the numbers that stand in a Solidity source: what a test may have finalized. */
export function numbersIn(source: string): readonly bigint[] {
  return numbersOf(source).slice(0, MAX_NUMBERS);
}
