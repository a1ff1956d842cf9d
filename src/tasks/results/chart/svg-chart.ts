import type { Explanation } from "../../../plugin/actions/inspection-actions.js";
import { describeTask } from "../../../request/describe-task.js";
import { shortHex } from "../../ui/format.js";
import { grouped } from "../../../base/text.js";
import { axisFor, axisLabels, thresholdOf, type Axis } from "./axis.js";
import { binSamples, describeBins, type Bin } from "./bins.js";

const WIDTH = 960;
const HEIGHT = 440;
const TOP = 96;
const BOTTOM = 64;
const RIGHT = 32;
/** Points closer together than this many pixels say no more. */
const POINT_SPACING = 4;
const CHARACTER = 7.2;
const GRID_LINES = 4;

/** Mid greys and one blue that hold on white and on black; a viewer's dark mode gets lighter ones. */
const STYLE = `
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #57606a }
  .title { font-size: 17px; font-weight: 600; fill: #24292f }
  .result { font-weight: 600; fill: #24292f }
  .number { font-variant-numeric: tabular-nums }
  .grid { stroke: #8c959f; stroke-opacity: .35; stroke-width: 1 }
  .values { fill: none; stroke: #2f6fd0; stroke-width: 1.75; stroke-linejoin: round }
  .range { fill: #2f6fd0; fill-opacity: .28; stroke: #2f6fd0; stroke-width: 1.25; stroke-linejoin: round }
  .proven { fill: #2f6fd0 }
  .unproven { fill: none; stroke: #2f6fd0; stroke-width: 1.5 }
  .threshold { stroke: #bf5b04; stroke-width: 1.5; stroke-dasharray: 2 3 }
  .aggregate { fill: none; stroke: #8c959f; stroke-width: 1.75; stroke-dasharray: 6 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9da7b3 }
    .title, .result { fill: #e6edf3 }
    .values, .unproven { stroke: #6ea8fe }
    .proven { fill: #6ea8fe }
    .range { fill: #6ea8fe; stroke: #6ea8fe }
  }`;

interface Frame {
  readonly left: number;
  readonly x: (place: number) => number;
  readonly y: (value: bigint) => number;
}

/** The samples as a self-contained SVG document with a title and a description for those who do not see it. */
export function svgChart(explanation: Explanation): string {
  const { samples, unit, taskHash, value } = explanation;
  const { title, lines } = describeTask(explanation.task);
  // A sum or a count is of another magnitude than the values: only aggregates among the values are drawn.
  const { aggregateFnId } = explanation.task.compute;
  const drawsAggregate = aggregateFnId !== "sum" && aggregateFnId !== "count" && samples.length > 1;
  const values = samples.map((sample) => sample.value);
  const threshold = thresholdOf(explanation.task, values);
  const axis = axisFor([...values, ...(threshold === undefined ? [] : [threshold])]);
  const ticks = Array.from(
    { length: GRID_LINES + 1 },
    (_, index) => axis.bottom + ((axis.top - axis.bottom) * BigInt(index)) / BigInt(GRID_LINES),
  ).filter((tick, index, all) => all.indexOf(tick) === index);
  const labels = axisLabels(ticks);
  const left = Math.ceil(Math.max(...labels.map((label) => label.length)) * CHARACTER) + 24;
  const bins = binSamples(samples, Math.floor((WIDTH - left - RIGHT) / POINT_SPACING));
  const frame = frameOf(left, bins.length, axis);
  const notes = [describeBins(bins, "point"), axis.bottom === 0n ? undefined : "the axis does not begin at 0"];
  if (bins.some((bin) => bin.samples > 1) && !explanation.proven) notes.push("not all values are proven");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="desc">${escape(describe(explanation, lines))}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<text class="title" x="24" y="34">${escape(title)}</text>`,
    `<text x="24" y="55">${escape(lines.join("; "))}</text>`,
    `<text x="${WIDTH - RIGHT}" y="55" text-anchor="end">task ${shortHex(taskHash)}</text>`,
    `<text class="result number" x="24" y="76">Result ${grouped(value)}</text>`,
    ...ticks.map((tick, index) => gridLine(frame, tick, labels[index] ?? "")),
    threshold === undefined ? "" : thresholdLine(frame, threshold),
    bins.some((bin) => bin.samples > 1) ? rangeArea(frame, bins) : "",
    drawsAggregate ? polyline("aggregate", frame, bins.map(({ aggregate }) => aggregate)) : "",
    bins.length > 1 && bins[0]?.samples === 1 ? polyline("values", frame, bins.map(({ max }) => max)) : "",
    ...(bins.length <= (WIDTH - left - RIGHT) / (POINT_SPACING * 2) ? bins.map((bin, index) => point(frame, bin, index)) : []),
    ...positions(frame, bins, unit),
    legend(bins, drawsAggregate ? `${aggregateFnId} so far` : undefined, notes.filter((part) => part !== undefined)),
    "</svg>",
    "",
  ]
    .filter((line) => line !== "")
    .join("\n")
    .concat("\n"); // prettier-ignore
}

function frameOf(left: number, count: number, axis: Axis): Frame {
  const inner = WIDTH - left - RIGHT;
  return {
    left,
    x: (place) => round(count <= 1 ? left + inner / 2 : left + 8 + ((inner - 16) * place) / (count - 1)),
    y: (value) => round(HEIGHT - BOTTOM - axis.height(value) * (HEIGHT - TOP - BOTTOM)),
  };
}

function describe({ samples, value, proven, unit, taskHash }: Explanation, lines: readonly string[]): string {
  const values = samples.map((sample) => sample.value);
  const least = values.reduce((a, b) => (b < a ? b : a), values[0] ?? 0n);
  const most = values.reduce((a, b) => (b > a ? b : a), values[0] ?? 0n);
  return (
    `${lines.join("; ")}. Task ${taskHash}. ${grouped(samples.length)} values, one for each ${unit}, from ${grouped(least)} to ` +
    `${grouped(most)}, ${proven ? "all" : "not all"} proven. Result ${grouped(value)}.`
  );
}

function gridLine({ left, y }: Frame, tick: bigint, label: string): string {
  const at = y(tick);
  return (
    `<line class="grid" x1="${left}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>` +
    `<text class="number" x="${left - 8}" y="${at + 4}" text-anchor="end">${label}</text>`
  );
}

/** What a count compares with, across the chart and named. */
function thresholdLine({ left, y }: Frame, threshold: bigint): string {
  const at = y(threshold);
  return (
    `<line class="threshold" x1="${left}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>` +
    `<text class="number" x="${WIDTH - RIGHT}" y="${at - 5}" text-anchor="end">compared with ${grouped(threshold)}</text>`
  );
}

function polyline(style: string, { x, y }: Frame, values: readonly bigint[]): string {
  return `<polyline class="${style}" points="${values.map((value, index) => `${x(index)},${y(value)}`).join(" ")}"/>`;
}

function rangeArea({ x, y }: Frame, bins: readonly Bin[]): string {
  const upper = bins.map(({ max }, index) => `${x(index)},${y(max)}`);
  const lower = bins.map(({ min }, index) => `${x(index)},${y(min)}`).reverse();
  return `<polygon class="range" points="${[...upper, ...lower].join(" ")}"/>`;
}

/** Solid where proven, hollow where not: shape says it, not colour. */
function point({ x, y }: Frame, { first, max, proven, samples }: Bin, index: number): string {
  if (samples > 1) return "";
  const tip = `<title>${grouped(first)}: ${grouped(max)}${proven ? "" : ", not proven"}</title>`;
  return `<circle class="${proven ? "proven" : "unproven"}" cx="${x(index)}" cy="${y(max)}" r="3">${tip}</circle>`;
}

function positions({ x }: Frame, bins: readonly Bin[], unit: string): string[] {
  const y = HEIGHT - BOTTOM + 20;
  const last = bins.length - 1;
  const text = (index: number, anchor: string, words: string): string =>
    `<text class="number" x="${x(index)}" y="${y}" text-anchor="${anchor}">${words}</text>`;
  const first = `${unit} ${grouped(bins[0]?.first ?? 0n)}`;
  if (last <= 0) return [text(0, "middle", first)];
  return [text(0, "start", first), text(last, "end", `${unit} ${grouped(bins[last]?.last ?? 0n)}`)];
}

function legend(bins: readonly Bin[], aggregate: string | undefined, notes: readonly string[]): string {
  const y = HEIGHT - 18;
  const isBinned = bins.some(({ samples }) => samples > 1);
  const parts = isBinned
    ? [`<rect class="range" x="24" y="${y - 9}" width="10" height="10"/><text x="40" y="${y}">values</text>`]
    : [`<circle class="proven" cx="29" cy="${y - 4}" r="3"/><text x="40" y="${y}">value</text>`];
  let x = 98;
  if (!isBinned && bins.some(({ proven }) => !proven)) {
    parts.push(
      `<circle class="unproven" cx="${x}" cy="${y - 4}" r="3"/><text x="${x + 11}" y="${y}">not proven</text>`,
    );
    x += 90;
  }
  if (aggregate !== undefined) {
    parts.push(`<line class="aggregate" x1="${x}" x2="${x + 26}" y1="${y - 4}" y2="${y - 4}"/>`);
    parts.push(`<text x="${x + 33}" y="${y}">${aggregate}</text>`);
  }
  if (notes.length > 0) parts.push(`<text x="${WIDTH - RIGHT}" y="${y}" text-anchor="end">${notes.join("; ")}</text>`);
  return parts.join("");
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
