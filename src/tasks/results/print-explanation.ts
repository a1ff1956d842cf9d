import { jsonText } from "../../base/json.js";
import type { ExplainedSample, Explanation } from "../../plugin/actions/inspection-actions.js";
import { describeTask } from "../../request/describe-task.js";
import { toTaskJson } from "../../request/parse.js";
import { svgChart } from "./chart/svg-chart.js";
import { terminalChart } from "./chart/terminal-chart.js";
import { grouped, plural } from "../../base/text.js";
import { anchorText } from "../ui/results.js";
import { style, type Screen } from "../ui/screen.js";
import { spokenValue } from "../ui/units.js";

/** Formats of `--out`, by the file's extension. */
export const EXPLANATION_FORMATS: Readonly<Record<string, (explanation: Explanation) => string>> = {
  ".svg": svgChart,
  ".csv": csv,
  ".json": (explanation) => `${jsonText(explanationDocument(explanation), 2)}\n`,
};

/** Samples listed at the start and at the end of a long range. */
const LISTED = 6;

/** One task's samples: what it computes, a chart, the first and last values, the result. */
export function printExplanation(screen: Screen, explanation: Explanation, width: number): void {
  const { title, lines } = describeTask(explanation.task);
  const { samples, value, proven, elements, anchor } = explanation;
  screen.line();
  screen.line(`  ${style.strong("Task")}  ${title}`);
  for (const line of [...lines, `hash ${explanation.taskHash}`]) screen.line(`        ${line}`);
  screen.line();
  for (const line of terminalChart(explanation, width - 2)) screen.line(`  ${line}`);
  screen.line();
  for (const line of sampleTable(explanation)) screen.line(`  ${line}`);
  screen.line();
  screen.line(`  ${style.strong("Value")}  ${style.strong(grouped(value))}`);
  const spoken = spokenValue(value, explanation.task);
  if (spoken !== undefined) screen.line(`         ${spoken}`);
  const left = elements - BigInt(samples.length);
  const dropped = left === 0n ? "" : `, ${grouped(left)} of excluded types left out`;
  screen.line(`         ${plural(samples.length, "sample")}, ${proven ? "all" : "not all"} proven${dropped}`);
  if (proven && anchor !== undefined) screen.line(`         proven under ${anchorText(anchor)}`);
  screen.line("         Nothing was finalized.");
}

/** The explanation for programs; the task as it is written in a task file. */
export function explanationDocument(explanation: Explanation): unknown {
  const { task, taskHash, unit, elements, value, proven, anchor, samples } = explanation;
  return { taskHash, task: toTaskJson(task), unit, elements, value, proven, anchor, samples };
}

function csv({ samples, unit }: Explanation): string {
  const rows = samples.map(({ position, value, proven, aggregate }) =>
    [position, value, proven ? "true" : "false", aggregate].join(","),
  );
  return `${[[unit, "value", "proven", "aggregate"].join(","), ...rows].join("\n")}\n`;
}

function sampleTable({ samples, unit, task }: Explanation): readonly string[] {
  const isLong = samples.length > 2 * LISTED + 1;
  const shown = isLong ? [...samples.slice(0, LISTED), ...samples.slice(-LISTED)] : samples;
  const head = [unit, "value", "proven", `${task.compute.aggregateFnId} so far`];
  const rows = shown.map(row);
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("   ");
  const table = [style.faint(line(head)), ...rows.map(line)];
  if (!isLong) return table;
  const between = `… ${grouped(samples.length - shown.length)} more between; --out samples.csv has them all`;
  return [...table.slice(0, LISTED + 1), style.faint(between), ...table.slice(LISTED + 1)];
}

function row({ position, value, proven, aggregate }: ExplainedSample): readonly string[] {
  return [grouped(position), grouped(value), proven ? "yes" : "no", grouped(aggregate)];
}
