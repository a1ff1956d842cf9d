import { randomBytes } from "node:crypto";
import { styleText } from "node:util";

import { shownJson } from "../../base/json.js";
import { SECRETS } from "../../errors/secrets.js";
import { grouped } from "../../base/text.js";
import { printableLines } from "../../errors/printable.js";

/** Where a command prints lines for people. */
export interface Screen {
  line(text?: string): void;
}

/** A screen that prints the document of `--json` too. */
export interface CommandScreen extends Screen {
  /** Prints the JSON document; nothing without `--json`. */
  document(value: unknown): void;
  /** Prints an empty line below what was printed, which an error follows. */
  endOutput(): void;
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const DEFAULT_COLUMNS = 80;

/** Returns the width to wrap lines at: some terminals report 0, and what is not a terminal has no width. */
function lineWidth({ isTTY, columns = 0 }: Stream): number {
  if (isTTY !== true) return Infinity;
  return columns === 0 ? DEFAULT_COLUMNS : columns;
}

/**
 * Returns a screen that prints on standard output, or on standard error if a document is requested. A line may quote a
 * service, a node or a file, so it is made printable here: only {@link style} writes escape sequences to the terminal.
 */
export function terminalScreen(
  json: boolean,
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream } = process,
): CommandScreen {
  const people = json ? stderr : stdout;
  let lastLine = "";
  const screen: CommandScreen = {
    line: (text = "") => {
      lastLine = text;
      for (const line of wrapped(SECRETS.redact(text), lineWidth(people))) {
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
    endOutput: () => {
      if (lastLine !== "") screen.line();
    },
  };
  return screen;
}

/** Returns JSON in which terminal control characters are escaped. */
function documentText(value: unknown): string {
  const escaped = (unit: string): string =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return SECRETS.redact(shownJson(value, 2)).replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    character.split("").map(escaped).join(""),
  );
}

const ESCAPE = "\u001b";
/** Replaces the escape character until a line is written; no external text can contain it. */
const MARK = randomBytes(8).toString("hex");
const CODE = `${MARK}\\[\\d+m`;

/** Colours only repeat a mark or a word. Without a terminal there are none: Node 22.13 heeds that for one format. */
const styled =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, printableLines(text)).replaceAll(ESCAPE, MARK);

/** Styles of text on a terminal, by what the text means. Without colours, they return the text as it is. */
export const style = {
  good: styled("green"),
  bad: styled("red"),
  warning: styled("yellow"),
  strong: styled("bold"),
  faint: styled("dim"),
  /** The bars of a chart. */
  bar: styled("cyan"),
  /** The threshold that values are compared with. */
  limit: styled("yellow"),
  command: (text: string): string => styled("blue")(styled("italic")(text)),
} as const;

/** Returns the sign of success or failure. */
export function mark(isGood: boolean): string {
  return isGood ? style.good("✔") : style.bad("✘");
}

/** Words with the space before them. A part for copying is one word: a styled part, or a command from `npx` on. */
const WORDS = new RegExp(`\\s*(?:\\S*(?:${CODE})+.*?(?:${CODE})+\\S*|npx .*|\\S+)`, "g");
const CODES = new RegExp(CODE, "g");

/** A label, and the gap to the text beside it. */
const LABEL = /^ {2,4}\S+(?: \S+){0,3} {2,}(?=\S)/;
/** A hash or another long word at the end of a line. */
const LONG_END = /\S{60,}$/;

/**
 * Returns a line in pieces of at most `columns` columns. Later pieces are aligned with the text beside a label, if that
 * is in the line's left half, or indented by two more. Words are not cut.
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
  const indent = " ".repeat(
    label <= columns / 2 ? label : (/^ */.exec(plain(line))?.[0].length ?? 0) + 2,
  );
  const pieces: string[] = [];
  let piece = "";
  for (const [word] of line.matchAll(WORDS)) {
    if (piece.trim() === "" || visible(piece + word) <= columns) piece += word;
    else {
      pieces.push(piece.trimEnd());
      const start = word.trimStart();
      const room = columns - visible(start);
      // A word that is too long for the indentation, such as a hash on a narrow terminal, begins further left.
      piece = `${indent.slice(0, Math.max(4, room))}${start}`;
    }
  }
  return [...pieces, piece.trimEnd()];
}

/** Prints an empty line, then lines. */
export function printBlock(screen: Screen, ...lines: readonly string[]): void {
  screen.line();
  for (const line of lines) screen.line(line);
}

/** A label and its value; an empty label continues the value above. */
export type Field = readonly [label: string, value: string];

/** Prints names and values in two columns. */
export function printFields(screen: Screen, fields: readonly Field[]): void {
  const width = Math.max(...fields.map(([label]) => label.length));
  printBlock(
    screen,
    ...fields.map(([label, value]) => `  ${style.strong(label.padEnd(width))}  ${value}`),
  );
}

const NUMBER = /^[\d,.]*( (%|wei|gwei|ether|gas))?$/;

/** Prints rows under a header, numbers right-aligned, and below each row its notes. */
export function printTable(
  screen: Screen,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  notes: readonly (readonly string[])[] = [],
): void {
  const columns = header.map((title, column) => ({
    width: rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
    // An id of digits alone is a name.
    isNumeric: title !== "ID" && rows.every((row) => NUMBER.test(row[column] ?? "")),
  }));
  const line = (row: readonly string[]): string =>
    columns
      .map(({ width, isNumeric }, column) =>
        isNumeric ? row[column]?.padStart(width) : row[column]?.padEnd(width),
      )
      .join("  ")
      .trimEnd();
  printBlock(screen, `  ${style.faint(line(header))}`);
  rows.forEach((row, index) => {
    screen.line(`  ${line(row)}`);
    for (const note of notes[index] ?? []) screen.line(`      ${note}`);
  });
}

/** Maximum number of printed lines: a record may have millions. */
const MAX_LINES = 1_000;

/** Prints a record as JSON under a title, for records whose fields are not published. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  const lines = shownJson(record, 2).split("\n");
  printBlock(
    screen,
    `  ${style.strong(title)}`,
    ...lines.slice(0, MAX_LINES).map((line) => `    ${line}`),
  );
  if (lines.length > MAX_LINES)
    screen.line(`    … and ${grouped(lines.length - MAX_LINES)} more lines (--json has all)`);
}
