import { extname } from "node:path";

import { keysOf } from "../../base/collections.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { ExplainedSample, Explanation } from "../../plugin/actions/inspection-actions.js";
import { pathFromHere, writeOutput } from "../../plugin/project-files.js";
import { describeTask, IN_UNIT, spokenValue, sampleUnit } from "../../request/describe-task.js";
import { toTaskJson } from "../../request/task-json.js";
import type { Task } from "../../request/task.js";
import { type Flags, parseChoice, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { watchable, watchedFile } from "../watch.js";
import { readRequest } from "../requests/task-files.js";
import { anchorLines, shortHex, unprovenFirst, warningLine } from "../ui/format.js";
import { printTask } from "../ui/preview.js";
import { printBlock, printTable, type Screen, style } from "../ui/screen.js";

type Arguments = { file: string; task: number } & Optional<"out"> & Flags<"open" | "watch">;

/** Runs `hdp explain`: computes a task and shows the samples behind its value. */
export const explain = command(
  watchable(explainOnce, { watched: ({ file }, { hre }) => ({ files: [watchedFile(file, hre)] }) }),
);

async function explainOnce(
  { file, task, out, open }: Arguments,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  // Rejects a wrong extension before a long range is read.
  const format = out === undefined ? undefined : explanationFormat(out);
  const request = await readRequest(file, hre, screen);
  const { hdp } = await hre.network.getOrCreate();
  const explanation = await hdp.explain(request, { task });
  printExplanation(screen, explanation, process.stdout.isTTY ? process.stdout.columns : 80);
  if (out !== undefined && format !== undefined) {
    const { root } = hre.config.paths;
    await writeOutput(out, root, format(explanation));
    printBlock(screen, `  ${style.good("✔")} Written to ${pathFromHere(out, root)}`);
  }
  if (open) await (await import("../ui/run-page.js")).openRuns([explanation], screen);
  return explanationDocument(explanation);
}

/** Writers of an explanation by the extension of the file. */
export const EXPLANATION_FORMATS = {
  ".svg": svgChart,
  ".csv": csv,
  ".json": (explanation: Explanation): string =>
    `${jsonText(explanationDocument(explanation), 2)}\n`,
};

function explanationFormat(path: string): (explanation: Explanation) => string {
  const extensions = keysOf(EXPLANATION_FORMATS);
  const what = "an extension of the output";
  return EXPLANATION_FORMATS[
    parseChoice(extname(path).toLowerCase(), extensions, { what, path: "--out" })
  ];
}

const LISTED = 6;

/** Prints the samples of a task. */
export function printExplanation(screen: Screen, explanation: Explanation, width: number): void {
  const { samples, value, proven, elements, anchor, warnings = [] } = explanation;
  screen.line();
  printTask(screen, "Task", explanation.task, [hashLine(explanation)]);
  printBlock(screen, ...terminalChart(explanation, width - 2).map((line) => `  ${line}`));
  printSamples(screen, explanation);
  const spoken = spokenValue(value, explanation.task);
  const shown = style.strong(spoken ?? grouped(value));
  printBlock(screen, `  ${style.strong("Value")}  ${unprovenFirst(proven)}${shown}`);
  if (spoken !== undefined) screen.line(`         ${grouped(value)}`);
  const left = elements - BigInt(samples.length);
  const dropped = left === 0n ? "" : `, ${grouped(left)} of excluded types left out`;
  screen.line(
    `         ${plural(samples.length, "sample")}, ${proven ? "all" : "not all"} proven${dropped}`,
  );
  if (proven && anchor !== undefined)
    for (const line of anchorLines(anchor)) screen.line(`         ${line}`);
  for (const warning of warnings) screen.line(`         ${warningLine(warning)}`);
  screen.line("         Nothing was finalized: hdp:submit does that.");
}

function hashLine({ taskHash, form }: Explanation): string {
  return `hash ${taskHash}${form === "module" ? " (module form)" : ""}`;
}

function explanationDocument(explanation: Explanation): unknown {
  const { task, samples, ...rest } = explanation;
  return { task: toTaskJson(task), ...rest, samples };
}

function csv({ samples, unit }: Explanation): string {
  const rows = samples.map(({ position, value, proven, aggregate }) =>
    [position, value, proven, aggregate].join(","),
  );
  return `${[[unit, "value", "proven", "aggregate"].join(","), ...rows].join("\n")}\n`;
}

/** Words of samples without a value. */
const EMPTY: Readonly<Record<NonNullable<ExplainedSample["empty"]>, string>> = {
  account: "no account",
  code: "no code",
  storage: "no storage",
  slot: "empty",
};

function printSamples(screen: Screen, { samples, unit, task }: Explanation): void {
  const isLong = samples.length > 2 * LISTED + 1;
  const shown = isLong ? [...samples.slice(0, LISTED), ...samples.slice(-LISTED)] : samples;
  const valueUnit = sampleUnit(task);
  const inUnit = (value: bigint): string =>
    (valueUnit && IN_UNIT[valueUnit](value)) ?? grouped(value);
  const soFar = task.compute.aggregateFnId === "count" ? grouped : inUnit;
  const rows = shown.map(({ position, value, proven, empty, aggregate }) => {
    const why = empty === undefined ? "" : ` (${EMPTY[empty]})`;
    return [grouped(position), `${inUnit(value)}${why}`, proven ? "yes" : "no", soFar(aggregate)];
  });
  const between = `… ${grouped(samples.length - shown.length)} more between; --out samples.csv has them all`;
  const notes = rows.map((_, index) =>
    isLong && index === LISTED - 1 ? [style.faint(between)] : [],
  );
  const header = [
    unit.toUpperCase(),
    "VALUE",
    "PROVEN",
    `${task.compute.aggregateFnId.toUpperCase()} SO FAR`,
  ];
  printTable(screen, header, rows, notes);
}

const lowest = (values: readonly bigint[]): bigint =>
  values.reduce((a, b) => (b < a ? b : a), values[0] ?? 0n);
const highest = (values: readonly bigint[]): bigint =>
  values.reduce((a, b) => (b > a ? b : a), values[0] ?? 0n);

/** Returns at most `limit` bins of equally many samples; the last one has the rest. */
function binned(samples: readonly ExplainedSample[], limit: number) {
  const size = Math.max(1, Math.ceil(samples.length / Math.max(1, limit)));
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const own = samples.slice(index * size, (index + 1) * size);
    const values = own.map(({ value }) => value);
    return {
      first: own[0]?.position ?? 0n,
      last: own.at(-1)?.position ?? 0n,
      min: lowest(values),
      max: highest(values),
      samples: own.length,
      proven: own.every(({ proven }) => proven),
    };
  });
}

type Bin = ReturnType<typeof binned>[number];

/** Returns a value axis. It begins at 0, or at the lowest value if values differ by less than a quarter. */
function valueAxis({ samples, task: { compute } }: Explanation) {
  const values = samples.map(({ value }) => value);
  // The threshold of a count, unless it is far above all values.
  const compared =
    compute.aggregateFnId === "count" ? compute.aggregateFnCtx?.valueToCompare : undefined;
  const threshold =
    compared !== undefined && highest(values) * 2n >= compared ? compared : undefined;
  const all = threshold === undefined ? values : [...values, threshold];
  const [least, top] = [lowest(all), highest(all)];
  const bottom = least === top || (top - least) * 4n >= top ? 0n : least;
  const span = top === bottom ? 1n : top - bottom;
  const height = (value: bigint): number =>
    Number(((value - bottom) * 1_000_000n) / span) / 1_000_000;
  return { bottom, top, threshold, height };
}

/**
 * Returns labels: prices and balances in their unit, other numbers of at most 15 digits in full, larger ones in powers
 * of ten with enough digits to tell them apart.
 */
function axisLabels(values: readonly bigint[], task: Task): readonly string[] {
  const unit = task.type === "DatalakeCompute" ? sampleUnit(task) : undefined;
  if (unit === "gwei" || unit === "ether") {
    const thousandth = unit === "gwei" ? 10n ** 6n : 10n ** 15n;
    const labels = values.map(IN_UNIT[unit]);
    if (
      labels.every(
        (label, at) =>
          label.length <= 18 && (values[at] === 0n || (values[at] ?? 0n) >= thousandth),
      )
    )
      return labels;
  }
  if (values.every((value) => value < 10n ** 15n)) return values.map(grouped);
  const shortened = (value: bigint, digits: number): string => {
    const text = value.toString();
    if (text.length <= digits) return grouped(value);
    return `${text.slice(0, 1)}.${text.slice(1, digits)}e${String(text.length - 1)}`;
  };
  let digits = 3;
  const labels = (): readonly string[] => values.map((value) => shortened(value, digits));
  while (new Set(labels()).size < new Set(values).size) digits += 1;
  return labels();
}

function chartNotes(
  bins: readonly Bin[],
  place: string,
  { bottom }: { bottom: bigint },
  task: Task,
): string[] {
  const size = bins[0]?.samples ?? 1;
  return [
    ...(size === 1
      ? []
      : [`each ${place} is ${String(size)} samples, from their lowest to their highest`]),
    ...(bottom === 0n
      ? []
      : [`the axis begins at ${axisLabels([bottom], task).join("")}, not at 0`]),
  ];
}

const ROWS = 8;
const EIGHTHS = " ▁▂▃▄▅▆▇█";
const THRESHOLD = "┄";
/** Parts of a chart in one colour: the threshold's line, or bars. */
const RUNS = /┄+|[▁▂▃▄▅▆▇█░]+/g;

/** Returns the samples as bars, at most `width` characters wide. The chart is readable without colour. */
export function terminalChart(explanation: Explanation, width: number): readonly string[] {
  const axis = valueAxis(explanation);
  const { top, bottom, threshold, height } = axis;
  const labels = axisLabels(
    [top, bottom, ...(threshold === undefined ? [] : [threshold])],
    explanation.task,
  );
  const [topLabel = "", bottomLabel = "", thresholdLabel = ""] = labels;
  const margin = Math.max(...labels.map((label) => label.length));
  const thresholdRow =
    threshold === undefined ? -1 : ROWS - 1 - Math.floor(height(threshold) * (ROWS - 1));
  const rowLabel = (row: number): string => {
    if (row === thresholdRow) return thresholdLabel;
    if (row === 0) return topLabel;
    return row === ROWS - 1 ? bottomLabel : "";
  };
  // The unit stands right of the axis.
  const plot = Math.max(10, width - margin - 2 - 3 - explanation.unit.length);
  const bins = binned(explanation.samples, plot);
  const bar = Math.max(1, Math.min(6, Math.floor(plot / bins.length)));
  const columns = bins.map((bin) => drawColumn(bin, height));
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const label = rowLabel(row);
    // Bars of three or more characters have a gap between them.
    const cells = columns.map((column) => {
      const cell = column.charAt(ROWS - 1 - row);
      return bar >= 3 ? `${cell.repeat(bar - 1)} ` : cell.repeat(bar);
    });
    const drawn = row === thresholdRow ? cells.join("").replaceAll(" ", THRESHOLD) : cells.join("");
    const axis = style.faint(`${label.padStart(margin)} ${label === "" ? "│" : "┤"}`);
    return `${axis}${drawn.trimEnd().replace(RUNS, (run) => (run.startsWith(THRESHOLD) ? style.limit(run) : style.bar(run)))}`;
  });
  const [first, last] = [grouped(bins[0]?.first ?? 0n), grouped(bins.at(-1)?.last ?? 0n)];
  const ends = first === last ? first : `${first} `.padEnd(bins.length * bar - last.length) + last;
  const indent = " ".repeat(margin + 2);
  const compared =
    threshold === undefined ? [] : [`${THRESHOLD} is what is compared with: ${labels[2] ?? ""}`];
  return [
    ...lines,
    style.faint(`${" ".repeat(margin)} └${"─".repeat(bins.length * bar)}`),
    `${indent}${ends}   ${explanation.unit}`,
    ...[...chartNotes(bins, "column", axis, explanation.task), ...compared].map(
      (note) => `${indent}${style.faint(note)}`,
    ),
  ];
}

/**
 * Returns a bar from the bottom up: exact to an eighth for one sample, shaded between the lowest and the highest of
 * several.
 */
function drawColumn({ min, max, samples }: Bin, height: (value: bigint) => number): string {
  if (samples > 1) {
    const low = Math.round(height(min) * ROWS);
    return `${"█".repeat(low)}${"░".repeat(Math.max(1, Math.round(height(max) * ROWS)) - low)}`.padEnd(
      ROWS,
    );
  }
  // The lowest value gets a bar too, or it would read as a missing one.
  const eighths = Math.max(1, Math.round(height(max) * ROWS * 8));
  return Array.from({ length: ROWS }, (_, row) =>
    EIGHTHS.charAt(Math.max(0, Math.min(8, eighths - row * 8))),
  ).join("");
}

const SVG = { width: 960, height: 440, top: 96, bottom: 64, right: 32 } as const;

/** Colours that are readable on white and on black, with lighter ones for a viewer's dark mode. */
const STYLE = `text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #57606a; font-variant-numeric: tabular-nums }
.title { font-size: 17px; font-weight: 600 }
.grid { stroke: #8c959f; stroke-opacity: .35 }
.series { stroke: #2f6fd0; stroke-width: 1.5; fill: none }
.range { stroke: #2f6fd0; stroke-width: 1.5; fill: #2f6fd0; fill-opacity: .28 }
.proven { fill: #2f6fd0 }
.threshold { stroke: #bf5b04; stroke-width: 1.5; stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #c9d1d9 }
  .series, .range { stroke: #6ea8fe }
  .proven, .range { fill: #6ea8fe }
}`;

/** Returns the samples as a self-contained SVG document, with a title and a description for screen readers. */
export function svgChart(explanation: Explanation): string {
  const { samples, unit, taskHash, value, proven, task } = explanation;
  const { title, lines } = describeTask(task);
  const axis = valueAxis(explanation);
  const { bottom, top, threshold } = axis;
  const ticks = [
    ...new Set([0n, 1n, 2n, 3n, 4n].map((quarter) => bottom + ((top - bottom) * quarter) / 4n)),
  ];
  const labels = axisLabels(ticks, task);
  const left = Math.ceil(Math.max(...labels.map((label) => label.length)) * 7.2) + 24;
  const right = SVG.width - SVG.right;
  const bins = binned(samples, Math.floor((right - left) / 8));
  const isBinned = bins.some((bin) => bin.samples > 1);
  const x = (at: number): number =>
    Math.round(left + 8 + ((right - left - 16) * (at + 0.5)) / bins.length);
  const y = (of: bigint): number => Math.round(SVG.height - SVG.bottom - axis.height(of) * 280);
  const points = (pick: (bin: Bin) => bigint): string[] =>
    bins.map((bin, at) => `${x(at)},${y(pick(bin))}`);
  const range = [...points(({ max }) => max), ...points(({ min }) => min).reverse()].join(" ");
  const values = samples.map((sample) => sample.value);
  const notes = chartNotes(bins, "point", axis, task);
  if (!proven) notes.push(isBinned ? "not all values are proven" : "hollow points are not proven");
  const text = (words: string, at: number, height: number, anchor = "start", style = ""): string =>
    `<text x="${at}" y="${height}" text-anchor="${anchor}"${style}>${escaped(words)}</text>`;
  const across = (style: string, height: number): string =>
    `<line class="${style}" x1="${left}" x2="${right}" y1="${height}" y2="${height}"/>`;
  const description = `${lines.join("; ")}. Task ${taskHash}. ${grouped(samples.length)} values, one for each ${unit}, from ${grouped(lowest(values))} to ${grouped(highest(values))}, ${proven ? "all" : "not all"} proven. Result ${grouped(value)}.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SVG.width} ${SVG.height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title><desc id="desc">${escaped(description)}</desc><style>${STYLE}</style>`,
    text(title, 24, 34, "start", ' class="title"'),
    text(lines.join("; "), 24, 55),
    text(`task ${shortHex(taskHash)}`, right, 55, "end"),
    text(`Result ${grouped(value)}`, 24, 76),
    ...ticks.map(
      (tick, at) => across("grid", y(tick)) + text(labels[at] ?? "", left - 8, y(tick) + 4, "end"),
    ),
    ...(threshold === undefined
      ? []
      : [
          across("threshold", y(threshold)) +
            text(`compared with ${grouped(threshold)}`, right, y(threshold) - 5, "end"),
        ]),
    // Of single samples, the highest is the lowest: a line.
    `<polygon class="range" points="${range}"/>`,
    ...(isBinned ? [] : bins).map(({ first, max, proven }, at) => {
      const tip = `<title>${grouped(first)}: ${grouped(max)}${proven ? "" : ", not proven"}</title>`;
      return `<circle class="${proven ? "proven" : "series"}" cx="${x(at)}" cy="${y(max)}" r="3">${tip}</circle>`;
    }),
    text(`${unit} ${grouped(bins[0]?.first ?? 0n)}`, left, SVG.height - 44),
    text(`${unit} ${grouped(bins.at(-1)?.last ?? 0n)}`, right, SVG.height - 44, "end"),
    text(notes.join("; "), right, SVG.height - 18, "end"),
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
