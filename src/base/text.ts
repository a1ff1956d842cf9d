import type { ZodError } from "zod";

import { coverSecrets } from "./secrets.js";

/** Returns an integer with its digits in groups, "71,204". `toLocaleString` takes a millisecond to load its tables. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns `1 task`, `3 tasks`, `1,200 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${grouped(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}

/** Returns the nearest word: a prefix, a suffix, swapped letters, or at most a third differs. Ignores case, `-`, `_` and spaces. */
export function nearest<T extends string>(word: string, words: readonly T[]): T | undefined {
  const plain = (one: string): string => one.toLowerCase().replaceAll(/[-_\s]/g, "");
  const wanted = plain(word);
  if (wanted === "" || wanted.length > 64) return undefined;
  const [best] = words
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3))
    ? best.candidate
    : undefined;
}

/** Returns the edits (Levenshtein) between two words. A part, or the same letters in another order, counts as one. */
function distanceTo(wanted: string, candidate: string): number {
  if (wanted === candidate) return 0;
  const letters = (word: string): string => word.split("").sort().join("");
  const isPart = wanted.length >= 3 && (candidate.startsWith(wanted) || candidate.endsWith(wanted));
  return isPart || letters(wanted) === letters(candidate) ? 1 : editDistance(wanted, candidate);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Characters that could move the cursor, change the clipboard, reverse the direction of text or hide a line. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Returns the text on one line of at most `max` characters, with spaces for control and format characters. */
export function printable(text: string, max = 500): string {
  const line = text
    .slice(0, max * 8)
    .replace(UNPRINTABLE, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

/** Returns text of several lines without control and format characters. Tabs and line feeds stay. */
export function printableLines(text: string, max = 100_000): string {
  const lines = text.replace(/[^\P{C}\n\t]+|[\p{Zl}\p{Zp}]+/gu, " ");
  return lines.length <= max ? lines : `${lines.slice(0, max - 1)}…`;
}

/** Makes the texts of a foreign error and of its causes printable and removes keys: they may quote a node. */
export function makePrintable(error: unknown): void {
  coverSecrets(error, (text) => printableLines(text, 10_000));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns text from outside as a word of a command for a POSIX shell; ids and paths of plain names need no quotes. */
export function shellWord(text: string): string {
  if (/^[\w./][\w.:/-]*$/.test(text)) return text;
  return `'${printable(text, 200).replaceAll("'", `'\\''`)}'`;
}

/** Returns the first issue of a refused value, as zod lists them, with its path as text: `tasks[0].name`. */
export function firstIssue({
  issues: [issue],
}: Pick<ZodError, "issues">): Record<"path" | "message", string> {
  const path =
    issue?.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("") ?? "";
  return { path: path.replace(/^\./, ""), message: issue?.message ?? "it is invalid" };
}
