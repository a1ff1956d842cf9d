import { grouped } from "../../base/text.js";
import { shownJson } from "../../base/json.js";
import { style, type Screen } from "./screen.js";

/** Rows under a header, columns as wide as their widest cell; below each row its notes, where there are any. */
export function printTable(
  screen: Screen,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  notes: readonly (readonly string[])[] = [],
): void {
  const widths = header.map(({ length }, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), length),
  );
  const padded = (row: readonly string[]): string[] => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  screen.line();
  screen.line(`  ${style.faint(padded(header).join("  ").trimEnd())}`);
  rows.forEach((row, index) => {
    screen.line(`  ${padded(row).join("  ").trimEnd()}`);
    for (const note of notes[index] ?? []) screen.line(`      ${note}`);
  });
}

/** Nobody reads more, and a record may have millions. */
const MOST_LINES = 1_000;

/** A record whose fields are not published, under a title: shown as it came. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  screen.line();
  screen.line(`  ${style.strong(title)}`);
  const lines = shownJson(record, 2).split("\n");
  for (const line of lines.slice(0, MOST_LINES)) screen.line(`    ${line}`);
  if (lines.length > MOST_LINES)
    screen.line(`    … and ${grouped(lines.length - MOST_LINES)} more lines (--json has all)`);
}
