/** An integer with its digits in groups, "71,204". Asking the locale's tables for it takes a millisecond. */
export function grouped(integer: bigint | number): string {
  return integer.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 task`, `3 tasks`, `1,200 tasks`. */
export function plural(count: number | bigint, word: string): string {
  return `${grouped(count)} ${word}${BigInt(count) === 1n ? "" : "s"}`;
}

/**
 * The word a person most likely meant, or undefined when none is near: letter case, `-`, `_` and spaces do not count,
 * a word may be the beginning or the end of the right one, otherwise at most a third of the letters may differ.
 */
export function nearest<T extends string>(word: string, words: readonly T[]): T | undefined {
  const wanted = plain(word);
  if (wanted === "" || wanted.length > 64) return undefined;
  const ranked = words
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : undefined;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Edits between the words; the beginning or the end of a word counts as one edit from it. */
function distanceTo(wanted: string, candidate: string): number {
  if (wanted === candidate) return 0;
  const edits = editDistance(wanted, candidate);
  return wanted.length >= 3 && (candidate.startsWith(wanted) || candidate.endsWith(wanted))
    ? Math.min(edits, 1)
    : edits;
}

/** Levenshtein distance, one row at a time. */
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

/**
 * Text of a service, a node, a module, a file or a journal is data: printed as it came it could move the cursor,
 * change the clipboard, turn the direction of writing or hide what a line says.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

const LONGEST = 500;

/**
 * The text on one line: control and format characters (escapes, those that turn the direction of writing) become
 * spaces, and what is beyond `longest` characters is left out. What follows an escape stays: it is plain text then.
 */
export function printable(text: string, longest = LONGEST): string {
  // What is cut off anyway is not searched.
  const line = text
    .slice(0, longest * 8)
    .replace(UNPRINTABLE, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** The same for text of several lines and its indentation: tabs and line feeds stay. */
export function printableLines(text: string, longest = 100_000): string {
  const lines = text.replace(/[^\P{C}\n\t]+|[\p{Zl}\p{Zp}]+/gu, " ");
  return lines.length <= longest ? lines : `${lines.slice(0, longest - 1)}…`;
}

/** Causes of an error that are looked at. */
const MOST_CAUSES = 8;
/** What is left of a message and of a stack. */
const LONGEST_MESSAGE = 10_000;

/** Makes an error of others, which a program prints as it is, printable with its causes: it may quote a node. */
export function makePrintable(error: unknown): void {
  for (let depth = 0, one = error; depth < MOST_CAUSES && one instanceof Error; depth += 1, one = one.cause) {
    for (const name of ["message", "stack", "formattedMessage"] as const) {
      const text: unknown = Reflect.get(one, name);
      if (typeof text !== "string") continue;
      const shown = printableLines(text, LONGEST_MESSAGE);
      if (shown !== text) Reflect.defineProperty(one, name, { value: shown, configurable: true, writable: true });
    }
  }
}

const PLAIN_ID = /^[A-Za-z0-9_.:-]{1,200}$/;

/** Whether an id can stand in a command as it is. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id) && !id.startsWith("-");
}

/** An id from outside as a word of a command that a person may copy into a POSIX shell. */
export function shellWord(text: string): string {
  if (isPlainId(text)) return text;
  return `'${printable(text, 200).replaceAll("'", `'\\''`)}'`;
}
