import type { Hex } from "viem";

import { isSameHex, toWord } from "../base/hex.js";
import { areMarked } from "../request/output-root.js";
import type { FieldDifference } from "../request/task-differences.js";
import { type TaskForm, valueWord } from "../request/task-form.js";
import type { AskedRead, Brought } from "../store/failed-read.js";
import type { HashedTask } from "./asked-task.js";
import { findOutputs, findValue, isPlain } from "./output-words.js";
import type { KnownState, ReadFinding, StoredTask } from "./read-finding.js";
import type { TaskSearch } from "./task-search.js";
import { numbersNear, scaledBy } from "./task-variations.js";

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
  const numbers = [...recordedNumbers(taskHash, known), ...(brought.numbers ?? [])];
  const options = { form, valueOfRoot, numbers, isOver: known.isOver };
  const found = ofOtherForm(brought, form) ?? ofStoredWord(brought, options);
  const isExplained =
    found.cause === "word-brought" ||
    found.cause === "other-form" ||
    found.differences.some(({ field }) => field === "form");
  if (isExplained) return found;
  return ofWords(read, wordsOf(brought), found.differences, { search, known }) ?? found;
}

/** Bits of a value in a marked felt. */
const VALUE_BITS = 128;

/** Returns the numbers of the outputs that were computed for submissions of a task. */
function recordedNumbers(taskHash: Hex, { submissions }: KnownState): readonly bigint[] {
  return submissions
    .flatMap(({ parts }) => parts.flatMap(({ computed }) => computed ?? []))
    .filter((one) => isSameHex(one.taskHash, taskHash))
    .flatMap(({ output = [] }) =>
      areMarked(output) ? output.map((felt) => BigInt.asUintN(VALUE_BITS, felt)) : output,
    );
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
  if (kind === "root") {
    const [difference] = ofRoots(toWord(value), word, { numbers: [BigInt(word)] });
    return { cause: "other-form", differences: [difference] };
  }
  const stored = BigInt(word);
  return stored === value
    ? otherForm("word", valueWord(value, form), word)
    : otherForm("value", String(value), String(stored));
}

interface StoredWordOptions {
  /** The form of the task, where it is known. */
  readonly form?: TaskForm | undefined;
  /** Returns the value whose root a word is, where it is known. */
  readonly valueOfRoot?: ((root: Hex) => bigint | undefined) | undefined;
  /** What the result, and what was brought, may be made of. */
  readonly numbers?: readonly bigint[] | undefined;
  /** Returns whether the search for their lists has taken its time. */
  readonly isOver?: (() => boolean) | undefined;
}

/** Returns in what a brought value differs from the result, by the stored word. */
export function ofStoredWord(brought: Brought, options: StoredWordOptions = {}): ReadFinding {
  const { kind, value, word } = brought;
  if (kind === "root")
    return { cause: "other-value", differences: ofRoots(toWord(value), word, options) };
  const { form, valueOfRoot, numbers = [] } = options;
  const isRoot = form !== "datalake" && !isPlain(word);
  const stored = isRoot
    ? (valueOfRoot?.(word) ?? valueNear(value, word) ?? findValue(word, numbers))
    : BigInt(word);
  const difference = (asked: string): readonly FieldDifference[] =>
    stored === undefined ? [] : [{ field: "value", asked, found: String(stored) }];
  if (isRoot && BigInt(word) === value)
    return { cause: "word-brought", differences: difference(word) };
  for (const [found, asked] of FORMS)
    if (valueWord(value, found) === word)
      return { cause: "other-value", differences: [{ field: "form", asked, found }] };
  return stored === undefined
    ? ofOtherOutput(brought, options)
    : { cause: "other-value", differences: difference(String(value)) };
}

/** A value was brought, and the stored root is not that of a value which is known. */
function ofOtherOutput(
  { value, word }: Brought,
  { numbers = [], isOver }: StoredWordOptions,
): ReadFinding {
  const found = findOutputs([word], [value, ...numbers], isOver).get(word);
  return found === undefined
    ? { cause: "other-root", differences: [] }
    : { cause: "other-value", differences: [{ field: "output", asked: `value ${value}`, found }] };
}

/** Returns how two roots differ: in what they are of, where that is known of one of them. */
function ofRoots(
  brought: Hex,
  word: Hex,
  { valueOfRoot, numbers = [], isOver }: StoredWordOptions,
): readonly [FieldDifference] {
  const values = [brought, word].flatMap((root) => valueOfRoot?.(root) ?? []);
  const outputs = findOutputs([brought, word], [...new Set([...values, ...numbers])], isOver);
  const field = outputs.size > 0 ? "output" : "root";
  const [asked = brought, found = word] = [outputs.get(brought), outputs.get(word)];
  return [{ field, asked, found }];
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
