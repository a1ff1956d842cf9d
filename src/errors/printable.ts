import { coverSecrets } from "./secrets.js";

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

/** Returns text from outside as a word of a command for a POSIX shell; ids and paths of plain names need no quotes. */
export function shellWord(text: string): string {
  if (/^[\w./][\w.:/-]*$/.test(text)) return text;
  return `'${printable(text, 200).replaceAll("'", `'\\''`)}'`;
}
