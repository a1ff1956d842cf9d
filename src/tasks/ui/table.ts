import { shownJson } from "../../base/json-text.js";
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

/** A record whose fields are not published, under a title: shown as it came. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  screen.line();
  screen.line(`  ${style.strong(title)}`);
  for (const line of shownJson(record, 2).split("\n")) screen.line(`    ${line}`);
}
