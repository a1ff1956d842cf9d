// `npm run bench`: every row, as a table with floors, ratios and aims; compared with bench/results.json, and written
// there with `npm run bench -- --write`. Figures depend on the machine: ratios are compared, times without a floor too.
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { type Row } from "./measure.js";

const BENCHES = [
  "samples-100",
  "run-through-plugin",
  "samples-10k",
  "states-1000",
  "far-node",
  "requests-1000",
  "cairo-vm",
];
const RESULTS = join(import.meta.dirname, "results.json");
/** What may be chance. */
const SLOWER = 1.1;

const rowSchema = z.object({ name: z.string(), ms: z.number(), floorMs: z.number().optional(), aim: z.number() });

async function rowsOf(bench: string): Promise<Row[]> {
  const rows: Row[] = [];
  const child = fork(join(import.meta.dirname, `${bench}.ts`), {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("message", (message) => {
    const { floorMs, ...rest } = rowSchema.parse(message);
    rows.push({ ...rest, ...(floorMs === undefined ? {} : { floorMs }) });
  });
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  if (code !== 0 || rows.length === 0) throw new Error(`${bench} ended with ${code ?? "a signal"}`);
  return rows;
}

/** What is compared: the ratio to the floor, or the time where there is none. */
function figure({ ms, floorMs }: Row): number {
  return floorMs === undefined ? ms : ms / floorMs;
}

function known(): ReadonlyMap<string, Row> {
  let text: string;
  try {
    text = readFileSync(RESULTS, "utf8");
  } catch {
    return new Map();
  }
  const rows = z.array(rowSchema).parse(JSON.parse(text));
  return new Map(
    rows.map(({ floorMs, ...rest }) => [rest.name, { ...rest, ...(floorMs === undefined ? {} : { floorMs }) }]),
  );
}

const before = known();
const rows: Row[] = [];
for (const bench of BENCHES) rows.push(...(await rowsOf(bench)));
const table = rows.map((row) => ({
  row: row.name,
  ms: Number(row.ms.toFixed(1)),
  "floor, ms": row.floorMs === undefined ? "" : Number(row.floorMs.toFixed(1)),
  ratio: row.floorMs === undefined ? "" : Number(figure(row).toFixed(2)),
  aim: row.floorMs === undefined ? `${row.aim} ms` : row.aim,
  reached: figure(row) <= row.aim ? "yes" : "no",
}));
console.table(table);
const slower = rows.filter((row) => {
  const last = before.get(row.name);
  return last !== undefined && figure(row) > SLOWER * figure(last);
});
for (const row of slower) {
  const last = before.get(row.name);
  if (last === undefined) continue;
  const more = (100 * (figure(row) / figure(last) - 1)).toFixed(0);
  console.log(`slower by ${more} %: ${row.name} (${figure(last).toFixed(2)}, now ${figure(row).toFixed(2)})`);
}
if (before.size > 0 && slower.length === 0) console.log("Nothing is slower by more than 10 % than in results.json.");
if (process.argv.includes("--write")) {
  writeFileSync(RESULTS, `${JSON.stringify(rows, undefined, 2)}\n`);
  console.log("Written to bench/results.json.");
}
process.exitCode = slower.length === 0 ? 0 : 1;
