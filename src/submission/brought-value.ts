import type { Hex } from "viem";

import { isSameHex, toWord } from "../base/hex.js";
import type { FieldDifference } from "../request/task-differences.js";
import { valueWord } from "../request/task-form.js";
import type { AskedRead, Brought } from "../store/failed-read.js";
import { type HashedTask, numbersNear, scaledBy } from "./asked-task.js";
import type { KnownState, ReadFinding, StoredTask } from "./read-finding.js";
import type { TaskSearch } from "./task-search.js";

/** The task is finalized, and the value that was brought is another one. */
export function ofBrought(
  read: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  known: KnownState,
): ReadFinding | undefined {
  const { brought, taskHash } = read;
  if (brought === undefined) return undefined;
  const { kind, value, word } = brought;
  const isValue = kind === "value";
  const rootValue = (): bigint | undefined =>
    known.valueOf?.(taskHash, word) ?? valueNear(value, word);
  const stored = asked?.form === "datalake" ? BigInt(word) : rootValue();
  const difference = (one: string, found: string): FieldDifference[] => [
    { field: isValue ? "value" : "root", asked: one, found },
  ];
  if (isValue && asked?.form !== "datalake" && BigInt(word) === value)
    return {
      cause: "word-brought",
      differences: stored === undefined ? [] : difference(word, String(stored)),
    };
  for (const [found, other] of [
    ["datalake", "module"],
    ["module", "datalake"],
  ] as const)
    if (isValue && valueWord(value, found) === word)
      return { cause: "other-value", differences: [{ field: "form", asked: other, found }] };
  const found = isValue ? stored?.toString() : word;
  const differences = found === undefined ? [] : difference(shownAs(kind, value), found);
  return (
    ofWords(read, wordsOf(brought), differences, { search, known }) ?? {
      cause: found === undefined ? "other-root" : "other-value",
      differences,
    }
  );
}

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

function shownAs(kind: Brought["kind"], value: bigint): string {
  return kind === "value" ? String(value) : toWord(value);
}
