import type { ZodError } from "zod";

/** Returns an integer with its digits in groups, "71,204". `toLocaleString` takes a millisecond to load its tables. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns `1 task`, `3 tasks`, `1,200 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${grouped(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}

/** Returns milliseconds as "0.1 s", "75 s", "2 min 5 s", "3 h 20 min", "12 d 4 h"; rounded first, so that no part reaches 60. */
export function elapsed(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 2880) return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
  const hours = Math.round(minutes / 60);
  return `${String(Math.floor(hours / 24))} d ${String(hours % 24)} h`;
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

/** Returns the message of an error, or the text of any other value that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the first issue of a refused value, as zod lists them, with its path as text: `tasks[0].name`. */
export function firstIssue({
  issues: [issue],
}: {
  readonly issues: ZodError["issues"];
}): Record<"path" | "message", string> {
  const path =
    issue?.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("") ?? "";
  return { path: path.replace(/^\./, ""), message: issue?.message ?? "it is invalid" };
}
