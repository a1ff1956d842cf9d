import type { Explanation } from "../../../plugin/actions/inspection-actions.js";
import { grouped } from "../../../base/text.js";
import { axisFor, axisLabels, thresholdOf } from "./axis.js";
import { binSamples, describeBins, type Bin } from "./bins.js";

const ROWS = 8;
const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const FULL = "█";
const RANGE = "░";
const THRESHOLD = "┄";
/** Bars wider than this say no more. */
const WIDEST_BAR = 6;
const NARROWEST_PLOT = 10;

/** The samples as bars, at most `width` characters wide. Characters only: it reads the same without colour. */
export function terminalChart({ samples, unit, task }: Explanation, width: number): readonly string[] {
  const values = samples.map(({ value }) => value);
  const threshold = thresholdOf(task, values);
  const axis = axisFor([...values, ...(threshold === undefined ? [] : [threshold])]);
  const [top = "", bottom = "", limit = ""] = axisLabels([
    axis.top,
    axis.bottom,
    ...(threshold === undefined ? [] : [threshold]),
  ]);
  const margin = Math.max(top.length, bottom.length, limit.length);
  const limitRow =
    threshold === undefined ? -1 : Math.min(ROWS - 1, ROWS - 1 - Math.floor(axis.height(threshold) * (ROWS - 1)));
  const plot = Math.max(NARROWEST_PLOT, width - margin - 2);
  const bins = binSamples(samples, plot);
  const bar = Math.max(1, Math.min(WIDEST_BAR, Math.floor(plot / bins.length)));
  const columns = bins.map((bin) => column(bin, axis.height));
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const label = row === limitRow ? limit : row === 0 ? top : row === ROWS - 1 ? bottom : "";
    const cells = columns.map((cell) => {
      const text = drawn(cell[ROWS - 1 - row] ?? " ", bar);
      return row === limitRow ? text.replaceAll(" ", THRESHOLD) : text;
    });
    return `${label.padStart(margin)} ${label === "" ? "│" : "┤"}${cells.join("")}`.trimEnd();
  });
  const drawnWidth = bins.length * bar;
  const last = bins.at(-1)?.last;
  const lastShown = last === undefined || bins[0]?.first === last ? "" : grouped(last);
  const ends = `${grouped(bins[0]?.first ?? 0n)} `.padEnd(Math.max(0, drawnWidth - lastShown.length)) + lastShown;
  const indent = " ".repeat(margin + 2);
  return [
    ...lines,
    `${" ".repeat(margin)} └${"─".repeat(drawnWidth)}`,
    `${indent}${ends.trimEnd()}   ${unit}`,
    ...notes(axis.bottom, bottom, describeBins(bins, "column"), limit).map((note) => `${indent}${note}`),
  ];
}

function notes(bottom: bigint, label: string, bins: string | undefined, threshold: string): string[] {
  const all: string[] = [];
  if (bins !== undefined) all.push(`${bins} (${RANGE})`);
  if (threshold !== "") all.push(`${THRESHOLD} is what is compared with: ${threshold}`);
  if (bottom !== 0n) all.push(`the axis begins at ${label}, not at 0`);
  return all;
}

/** A bar's cells from the bottom up: exact to an eighth for one sample, solid up to the lowest of several. */
function column({ min, max, samples }: Bin, height: (value: bigint) => number): readonly string[] {
  if (samples === 1) {
    // Something is drawn for the lowest value too, or it would look like a missing one.
    const eighths = Math.max(1, Math.round(height(max) * ROWS * 8));
    return Array.from({ length: ROWS }, (_, row) => EIGHTHS[Math.max(0, Math.min(8, eighths - row * 8))] ?? " ");
  }
  const low = Math.round(height(min) * ROWS);
  const high = Math.max(1, Math.round(height(max) * ROWS));
  return Array.from({ length: ROWS }, (_, row) => (row < low ? FULL : row < high ? RANGE : " "));
}

/** Bars of three and more characters have a gap between them. */
function drawn(cell: string, bar: number): string {
  return bar >= 3 ? `${cell.repeat(bar - 1)} ` : cell.repeat(bar);
}
