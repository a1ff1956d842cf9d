import { shownJson } from "../../base/json.js";
import { grouped } from "../../base/text.js";
import { style, type Screen } from "./screen.js";

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
  screen.line();
  screen.line(`  ${style.faint(line(header))}`);
  rows.forEach((row, index) => {
    screen.line(`  ${line(row)}`);
    for (const note of notes[index] ?? []) screen.line(`      ${note}`);
  });
}

/** A record may have millions of lines. */
const MAX_LINES = 1_000;

/** Prints a record whose fields are not published as JSON, under a title. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  screen.line();
  screen.line(`  ${style.strong(title)}`);
  const lines = shownJson(record, 2).split("\n");
  for (const line of lines.slice(0, MAX_LINES)) screen.line(`    ${line}`);
  if (lines.length > MAX_LINES)
    screen.line(`    … and ${grouped(lines.length - MAX_LINES)} more lines (--json has all)`);
}
