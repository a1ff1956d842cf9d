import { styleText } from "node:util";

import { jsonText } from "../../base/json-text.js";

/** Where a command writes: lines for people, and at most one document for programs. */
export interface Screen {
  /** A line for people: standard output, or standard error when a document is asked for. */
  line(text?: string): void;
  /** The command's JSON document; nothing without `--json`. */
  document(value: unknown): void;
}

/** The process's own streams. */
export function terminalScreen(json: boolean): Screen {
  const people = json ? process.stderr : process.stdout;
  return {
    line: (text = "") => people.write(`${text}\n`),
    document: (value) => {
      if (json) process.stdout.write(`${jsonText(value, 2)}\n`);
    },
  };
}

// styleText leaves plain text when colours are unwelcome (NO_COLOR, not a terminal). Colour only repeats what a mark
// or word says.
export const style = {
  good: (text: string): string => styleText("green", text),
  bad: (text: string): string => styleText("red", text),
  strong: (text: string): string => styleText("bold", text),
  faint: (text: string): string => styleText("dim", text),
  command: (text: string): string => styleText(["blue", "italic"], text),
};
