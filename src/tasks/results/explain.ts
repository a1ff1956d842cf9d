import { extname } from "node:path";

import { keysOf } from "../../base/collections.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { Explanation } from "../../plugin/actions/inspection-actions.js";
import { pathFromHere, writeOutput } from "../../plugin/project-files.js";
import { toTaskJson } from "../../request/parse.js";
import { command, type Flags, oneOf, type Optional } from "../run-command.js";
import { readRequest } from "../requests/read-requests.js";
import { printTask } from "../ui/preview.js";
import { anchorLines, unprovenFirst } from "../ui/results.js";
import { printBlock, printTable, type Screen, style } from "../ui/screen.js";
import { IN_UNIT, spokenValue, unitOf } from "../../request/describe-task.js";
import { svgChart, terminalChart } from "./chart.js";

type Arguments = { file: string; task: number } & Optional<"out"> & Flags<"open">;

export const explain = command(async ({ file, task, out, open }: Arguments, { hre, screen }) => {
  // Rejects a wrong extension before a long range is read.
  const format = out === undefined ? undefined : formatOf(out);
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
});

export const EXPLANATION_FORMATS = {
  ".svg": svgChart,
  ".csv": csv,
  ".json": (explanation: Explanation): string => `${jsonText(explanationDocument(explanation), 2)}\n`,
};

function formatOf(path: string): (explanation: Explanation) => string {
  const extensions = keysOf(EXPLANATION_FORMATS);
  const what = "an extension of the output";
  return EXPLANATION_FORMATS[oneOf(extname(path).toLowerCase(), extensions, { what, path: "--out" })];
}

const LISTED = 6;

export function printExplanation(screen: Screen, explanation: Explanation, width: number): void {
  const { samples, value, proven, elements, anchor } = explanation;
  screen.line();
  printTask(screen, "Task", explanation.task, [`hash ${explanation.taskHash}`]);
  screen.line();
  for (const line of terminalChart(explanation, width - 2)) screen.line(`  ${line}`);
  printSamples(screen, explanation);
  const spoken = spokenValue(value, explanation.task);
  const shown = style.strong(spoken ?? grouped(value));
  printBlock(screen, `  ${style.strong("Value")}  ${unprovenFirst(proven)}${shown}`);
  if (spoken !== undefined) screen.line(`         ${grouped(value)}`);
  const left = elements - BigInt(samples.length);
  const dropped = left === 0n ? "" : `, ${grouped(left)} of excluded types left out`;
  screen.line(`         ${plural(samples.length, "sample")}, ${proven ? "all" : "not all"} proven${dropped}`);
  if (proven && anchor !== undefined) for (const line of anchorLines(anchor)) screen.line(`         ${line}`);
  screen.line("         Nothing was finalized: hdp:submit does that.");
}

function explanationDocument(explanation: Explanation): unknown {
  const { task, samples, ...rest } = explanation;
  return { task: toTaskJson(task), ...rest, samples };
}

function csv({ samples, unit }: Explanation): string {
  const rows = samples.map(({ position, value, proven, aggregate }) =>
    [position, value, proven ? "true" : "false", aggregate].join(","),
  );
  return `${[[unit, "value", "proven", "aggregate"].join(","), ...rows].join("\n")}\n`;
}

function printSamples(screen: Screen, { samples, unit, task }: Explanation): void {
  const isLong = samples.length > 2 * LISTED + 1;
  const shown = isLong ? [...samples.slice(0, LISTED), ...samples.slice(-LISTED)] : samples;
  const valueUnit = unitOf(task);
  const inUnit = (value: bigint): string => (valueUnit && IN_UNIT[valueUnit](value)) ?? grouped(value);
  const soFar = task.compute.aggregateFnId === "count" ? grouped : inUnit;
  const rows = shown.map(({ position, value, proven, aggregate }) => {
    return [grouped(position), inUnit(value), proven ? "yes" : "no", soFar(aggregate)];
  });
  const between = `… ${grouped(samples.length - shown.length)} more between; --out samples.csv has them all`;
  const notes = rows.map((_, index) => (isLong && index === LISTED - 1 ? [style.faint(between)] : []));
  const header = [unit.toUpperCase(), "VALUE", "PROVEN", `${task.compute.aggregateFnId.toUpperCase()} SO FAR`];
  printTable(screen, header, rows, notes);
}
