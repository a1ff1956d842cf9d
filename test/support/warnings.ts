import { stripVTControlCharacters } from "node:util";

/** Keeps the lines that are given to console.warn, without colour, until `stop` is called. */
export function recordWarnings(): { readonly lines: readonly string[]; stop(): void } {
  const lines: string[] = [];
  const { warn } = console;
  console.warn = (text: string): void => void lines.push(stripVTControlCharacters(text));
  return {
    lines,
    stop: () => {
      console.warn = warn;
    },
  };
}
