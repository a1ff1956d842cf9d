import { style, type Screen } from "./screen.js";

/** Rows under a header, columns as wide as their widest cell. */
export function printTable(screen: Screen, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const padded = (row: readonly string[]): string[] => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  screen.line();
  screen.line(`  ${style.faint(padded(header).join("  ").trimEnd())}`);
  for (const row of rows) screen.line(`  ${padded(row).join("  ").trimEnd()}`);
}
