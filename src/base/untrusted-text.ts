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
