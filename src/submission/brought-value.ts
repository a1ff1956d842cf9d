import type { Hex } from "viem";

import { isSameHex, toWord } from "../base/hex.js";
import type { FieldDifference } from "../request/task-differences.js";
import { type TaskForm, valueWord } from "../request/task-form.js";
import type { AskedRead, Brought } from "../store/failed-read.js";
import type { HashedTask } from "./asked-task.js";
import type { KnownState, ReadFinding, StoredTask } from "./read-finding.js";
import type { TaskSearch } from "./task-search.js";
import { numbersNear, scaledBy } from "./task-variations.js";

/** A root is a hash: nobody finds one with so many leading zeros. */
const LEAST_ROOT = 2n ** 128n;

/** Whether a word is a number, and no root. */
export function isPlain(word: Hex): boolean {
  return BigInt(word) < LEAST_ROOT;
}

/** The task is finalized, and the value that was brought is another one. */
export function ofBrought(
  read: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  known: KnownState,
): ReadFinding | undefined {
  const { brought, taskHash } = read;
  if (brought === undefined) return undefined;
  const valueOfRoot = (root: Hex): bigint | undefined => known.valueOf?.(taskHash, root);
  const form = asked?.form;
  const found = ofOtherForm(brought, form) ?? ofStoredWord(brought, { form, valueOfRoot });
  const isExplained =
    found.cause === "word-brought" ||
    found.cause === "other-form" ||
    found.differences.some(({ field }) => field === "form");
  if (isExplained) return found;
  return ofWords(read, wordsOf(brought), found.differences, { search, known }) ?? found;
}

/** The stored word is not of the form that the hash is of: it was chosen by hand. */
function ofOtherForm(
  { kind, value, word }: Brought,
  form: TaskForm | undefined,
): ReadFinding | undefined {
  const otherForm = (field: string, asked: string, found: string): ReadFinding => ({
    cause: "other-form",
    differences: [{ field, asked, found }],
  });
  if (form === "datalake")
    return kind === "value" && !isPlain(word) && valueWord(value, "module") === word
      ? otherForm("word", toWord(value), word)
      : undefined;
  if (form === undefined || !isPlain(word)) return undefined;
  if (kind === "root") return otherForm("root", toWord(value), word);
  const stored = BigInt(word);
  return stored === value
    ? otherForm("word", valueWord(value, form), word)
    : otherForm("value", String(value), String(stored));
}

interface StoredWordOptions {
  /** The form of the task, where it is known. */
  readonly form?: TaskForm | undefined;
  /** Returns the value whose root a word is, where it is known. */
  readonly valueOfRoot?: (root: Hex) => bigint | undefined;
}

/** Returns in what a brought value differs from the result, by the stored word. */
export function ofStoredWord(
  { kind, value, word }: Brought,
  { form, valueOfRoot }: StoredWordOptions = {},
): ReadFinding {
  if (kind === "root") {
    const difference = { field: "root", asked: toWord(value), found: word };
    return { cause: "other-value", differences: [difference] };
  }
  const isRoot = form !== "datalake" && !isPlain(word);
  const stored = isRoot ? (valueOfRoot?.(word) ?? valueNear(value, word)) : BigInt(word);
  const difference = (asked: string): readonly FieldDifference[] =>
    stored === undefined ? [] : [{ field: "value", asked, found: String(stored) }];
  if (isRoot && BigInt(word) === value)
    return { cause: "word-brought", differences: difference(word) };
  for (const [found, asked] of FORMS)
    if (valueWord(value, found) === word)
      return { cause: "other-value", differences: [{ field: "form", asked, found }] };
  const cause = stored === undefined ? "other-root" : "other-value";
  return { cause, differences: difference(String(value)) };
}

/** A form, and the other one. */
const FORMS = [
  ["datalake", "module"],
  ["module", "datalake"],
] as const;

/** What was brought is a result of another time, place or task. */
function ofWords(
  read: AskedRead,
  words: readonly Hex[],
  differences: readonly FieldDifference[],
  { search, known }: { readonly search: TaskSearch; readonly known: KnownState },
): ReadFinding | undefined {
  const { stored: results, underWay = [], finalizedHere, wordsOfOthers = [], network } = known;
  const isBrought = ({ word }: { readonly word?: Hex | undefined }): boolean =>
    word !== undefined && words.includes(word);
  const isAsked = ({ taskHash }: Pick<StoredTask, "taskHash">): boolean =>
    isSameHex(taskHash, read.taskHash);
  const isInStore = (one: StoredTask): boolean => isAsked(one) && isSameHex(one.store, read.store);

  if (underWay.some((one) => isAsked(one) && isBrought(one)))
    return { cause: "under-way", differences };
  const own = results.find(isInStore);
  if (own !== undefined && isBrought(own)) return { cause: "later-value", differences };
  if (own?.replacedWords?.some((word) => words.includes(word)) === true)
    return { cause: "replaced", differences };
  const wasHere = finalizedHere.some(
    (one) => isInStore(one) && one.network === network && isBrought(one),
  );
  // Only a store whose results are read from the chain's events is known to have lost one.
  if (own?.word !== undefined && wasHere) return { cause: "undone", differences };
  const elsewhere = results.find((one) => isAsked(one) && isBrought(one));
  if (elsewhere !== undefined) {
    const store = { field: "store", asked: read.store, found: elsewhere.store };
    return { cause: "other-store", nearest: elsewhere, differences: [...differences, store] };
  }
  const other = results.find(isBrought);
  if (other !== undefined)
    return { cause: "other-result", nearest: search.explained(other.taskHash), differences };
  return wordsOfOthers.some((word) => words.includes(word))
    ? { cause: "other-connection", differences }
    : undefined;
}

/** Returns the value of a root that differs from a value by its unit, its decimal point or a little. */
function valueNear(value: bigint, root: Hex): bigint | undefined {
  const candidates = [...scaledBy(value), ...numbersNear(value, [0n, 4n])];
  return candidates.find((one) => one < 2n ** 256n && valueWord(one, "module") === root);
}

/** Returns the words that stand for what was brought; none for a zero, which is the result of too many tasks. */
function wordsOf({ kind, value }: Brought): readonly Hex[] {
  if (value === 0n) return [];
  if (kind === "root") return [toWord(value)];
  return [valueWord(value, "datalake"), valueWord(value, "module")];
}
