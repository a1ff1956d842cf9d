import { randomBytes } from "node:crypto";
import { styleText } from "node:util";

import { shownJson } from "../../base/json.js";
import { SECRETS } from "../../base/secrets.js";
import { grouped, printableLines } from "../../base/text.js";

/** Where a command prints lines for people. */
export interface Screen {
  line(text?: string): void;
}

/** A screen that can also print the command's document. */
export interface CommandScreen extends Screen {
  /** Prints the JSON document; nothing without `--json`. */
  document(value: unknown): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of a terminal. */
  readonly columns?: number;
}

/**
 * Prints lines on standard output, or on standard error where a document is asked for. A line may quote a service, a node
 * or a file: it is made printable here, so that only {@link style} reaches the terminal as an escape sequence.
 */
export function terminalScreen(
  json: boolean,
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream } = process,
): CommandScreen {
  const people = json ? stderr : stdout;
  return {
    line: (text = "") => {
      // Some terminals do not know their width, and say 0.
      const { columns: width = 0 } = people;
      const columns = people.isTTY !== true ? Infinity : width === 0 ? 80 : width;
      for (const line of wrapped(SECRETS.redact(text), columns)) {
        people.write(
          `${printableLines(line)
            .replace(/\s*\n\s*/g, " ")
            .replaceAll(MARK, ESCAPE)}\n`,
        );
      }
    },
    document: (value) => {
      if (json) stdout.write(`${documentText(value)}\n`);
    },
  };
}

/** Returns JSON in which characters that would act on a terminal are JSON's escapes. */
function documentText(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return SECRETS.redact(shownJson(value, 2)).replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    character.split("").map(escaped).join(""),
  );
}

const ESCAPE = "\u001b";
/** Stands for the escape character until a line is written; no text from outside can hold it. */
const MARK = randomBytes(8).toString("hex");
const CODE = `${MARK}\\[\\d+m`;

/** Colours only repeat a mark or a word. styleText leaves text plain with NO_COLOR and without a terminal. */
const styled =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, printableLines(text)).replaceAll(ESCAPE, MARK);

/** Styles parts of a {@link Screen}'s lines. */
export const style = {
  good: styled("green"),
  bad: styled("red"),
  strong: styled("bold"),
  faint: styled("dim"),
  /** The bars of a chart. */
  bar: styled("cyan"),
  /** What values are compared with. */
  limit: styled("yellow"),
  command: styled(["blue", "italic"]),
} as const;

/** Returns the mark before what went well or did not. */
export function mark(isGood: boolean): string {
  return isGood ? style.good("✔") : style.bad("✘");
}

/** Words with the space before them. What is to be copied is one: a styled part, a command from `npx` on. */
const WORDS = new RegExp(`\\s*(?:\\S*(?:${CODE})+.*?(?:${CODE})+\\S*|npx .*|\\S+)`, "g");
const CODES = new RegExp(CODE, "g");

/** A label, and the gap to the text beside it. */
const LABEL = /^ {2,4}\S+(?: \S+){0,3} {2,}(?=\S)/;
/** A hash or a longer word, which a line ends with. */
const LONG_END = /\S{60,}$/;

/**
 * Returns a line in pieces of at most so many columns. The later ones stand below the text beside a label, where that is
 * in the line's left half, or are indented by two more. No word is cut.
 */
export function wrapped(line: string, columns: number): readonly string[] {
  const plain = (text: string): string => text.replace(CODES, "");
  const visible = (text: string): number => plain(text).length;
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  const over = visible(line) - columns;
  if (over <= 0) return [line];
  // A hash stays beside its label, a little further left.
  if (over <= spaces - 4 && LONG_END.test(plain(line))) return [line.slice(over)];
  const label = LABEL.exec(plain(line))?.[0].length ?? columns;
  const indent = " ".repeat(label <= columns / 2 ? label : (/^ */.exec(plain(line))?.[0].length ?? 0) + 2);
  const pieces: string[] = [];
  let piece = "";
  for (const [word] of line.matchAll(WORDS)) {
    if (piece.trim() === "" || visible(piece + word) <= columns) piece += word;
    else {
      pieces.push(piece.trimEnd());
      const start = word.trimStart();
      const room = columns - visible(start);
      // A word that is too long for the indentation, a hash on a narrow terminal, begins further left.
      piece = `${indent.slice(0, Math.max(4, room))}${start}`;
    }
  }
  return [...pieces, piece.trimEnd()];
}

/** Prints an empty line, and lines below it. */
export function printBlock(screen: Screen, ...lines: readonly string[]): void {
  screen.line();
  for (const line of lines) screen.line(line);
}

/** A label and its value; an empty label continues the value above. */
export type Field = readonly [label: string, value: string];

/** Prints a block of labelled values, aligned below each other. */
export function printFields(screen: Screen, fields: readonly Field[]): void {
  const width = Math.max(...fields.map(([label]) => label.length));
  printBlock(screen, ...fields.map(([label, value]) => `  ${style.strong(label.padEnd(width))}  ${value}`));
}

const NUMBER = /^[\d,.]*( %)?$/;

/**
 * Prints rows under a header, columns as wide as their widest cell, numbers right-aligned; below each row its notes.
 *
 * @param notes by row
 */
export function printTable(
  screen: Screen,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  notes: readonly (readonly string[])[] = [],
): void {
  const columns = header.map((title, column) => ({
    width: rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
    isNumeric: rows.every((row) => NUMBER.test(row[column] ?? "")),
  }));
  const line = (row: readonly string[]): string =>
    columns
      .map(({ width, isNumeric }, column) => (isNumeric ? row[column]?.padStart(width) : row[column]?.padEnd(width)))
      .join("  ")
      .trimEnd();
  printBlock(screen, `  ${style.faint(line(header))}`);
  rows.forEach((row, index) => {
    screen.line(`  ${line(row)}`);
    for (const note of notes[index] ?? []) screen.line(`      ${note}`);
  });
}

/** A record may have millions of lines. */
const MAX_LINES = 1_000;

/** Prints a record whose fields are not published as JSON, under a title. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  const lines = shownJson(record, 2).split("\n");
  printBlock(screen, `  ${style.strong(title)}`, ...lines.slice(0, MAX_LINES).map((line) => `    ${line}`));
  if (lines.length > MAX_LINES)
    screen.line(`    … and ${grouped(lines.length - MAX_LINES)} more lines (--json has all)`);
}
