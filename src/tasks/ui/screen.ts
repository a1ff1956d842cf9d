import { randomBytes } from "node:crypto";
import { styleText } from "node:util";

import { shownJson } from "../../base/json.js";
import { printableLines } from "../../base/untrusted-text.js";

/** Where a command prints lines for people. */
export interface Screen {
  line(text?: string): void;
}

/** A screen that can also print the command's document. */
export interface CommandScreen extends Screen {
  /** Prints the JSON document; nothing without `--json`. */
  document(value: unknown): void;
}

/** A label and its value; an empty label continues the value above. */
export type Field = readonly [label: string, value: string];

/** Prints a block of labelled values, aligned below each other. */
export function printFields(screen: Screen, fields: readonly Field[]): void {
  const width = Math.max(...fields.map(([label]) => label.length));
  screen.line();
  for (const [label, value] of fields) screen.line(`  ${style.strong(label.padEnd(width))}  ${value}`);
}

interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of a terminal. */
  readonly columns?: number;
}

/** Where a screen writes. */
export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/**
 * The process's own streams. What a line says may come from a service, a node, a file or a journal: this is the one
 * place where it is made printable, so that nothing but {@link style} reaches the terminal as an escape sequence.
 */
export function terminalScreen(json: boolean, { stdout, stderr }: Streams = process): CommandScreen {
  const people = json ? stderr : stdout;
  return {
    line: (text = "") => {
      const columns = people.isTTY === true ? people.columns : undefined;
      for (const one of columns === undefined ? [text] : wrapped(text, columns)) people.write(`${toTerminal(one)}\n`);
    },
    document: (value) => {
      if (json) stdout.write(`${documentText(value)}\n`);
    },
  };
}

/**
 * JSON with bigints as decimal text. Characters that would act on a terminal are written as JSON's escapes, which mean
 * the same.
 */
function documentText(value: unknown): string {
  return shownJson(value, 2).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

type Format = Parameters<typeof styleText>[0];

// No text from outside can hold it.
const KEY = randomBytes(8).toString("hex");
const FORMATS = {
  good: "green",
  bad: "red",
  strong: "bold",
  faint: "dim",
  command: ["blue", "italic"],
} as const satisfies Readonly<Record<string, Format>>;
type StyleName = keyof typeof FORMATS;

// Colour only repeats what a mark or word says. styleText leaves plain text when colours are unwelcome (NO_COLOR, not a
// terminal).
const styled =
  (name: StyleName) =>
  (text: string): string =>
    styleText(FORMATS[name], "x") === "x" ? text : `{${KEY}:${name}}${text}{${KEY}:}`;

/** Marks parts of a {@link Screen}'s lines; the marks become escape sequences there. */
export const style = {
  good: styled("good"),
  bad: styled("bad"),
  strong: styled("strong"),
  faint: styled("faint"),
  command: styled("command"),
} as const satisfies Readonly<Record<StyleName, (text: string) => string>>;

const MARKED = new RegExp(`\\{${KEY}:(\\w+)\\}(.*?)\\{${KEY}:\\}`, "g");

/**
 * A line in pieces that a terminal shows without cutting words, the later ones indented by two more. What is to be
 * copied stays whole: a word, a marked part, and a command from `npx` to the end of the line.
 */
export function wrapped(line: string, columns: number): readonly string[] {
  const visible = (text: string): number => text.replace(MARKED, "$2").length;
  if (visible(line) <= columns) return [line];
  const indent = `${/^ */.exec(line)?.[0] ?? ""}  `;
  const pieces: string[] = [];
  let piece = "";
  for (const [word] of line.matchAll(WORDS)) {
    if (piece.trim() === "" || visible(piece + word) <= columns) piece += word;
    else {
      pieces.push(piece.trimEnd());
      const start = word.trimStart();
      const room = columns - visible(start);
      // What fits no other way, a hash on a narrow terminal, begins further left.
      piece = `${room < 0 ? indent : indent.slice(0, room)}${start}`;
    }
  }
  return [...pieces, piece.trimEnd()];
}

/** One line as it is written to a terminal: its text printable, its marks as escape sequences. */
export function toTerminal(line: string): string {
  return printableLines(line)
    .replace(/\s*\n\s*/g, " ")
    .replace(MARKED, (whole, name: string, text: string) => (isStyle(name) ? styleText(FORMATS[name], text) : whole));
}

/** Words with the space before them; see {@link wrapped} for what counts as one. */
const WORDS = new RegExp(`\\s*(?:\\S*\\{${KEY}:\\w+\\}.*?\\{${KEY}:\\}\\S*|npx .*|\\S+)`, "g");

function isStyle(name: string): name is StyleName {
  return name in FORMATS;
}
