// `npm run bench`: every row, as a table with floors, ratios and aims; compared with bench/results.json, and written
// there with `-- --write`. `-- far-node help-time` runs some rows, `-- --tests` the tests' time too. Figures depend on
// the machine: where there is a floor, ratios are compared.
import { fork, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { root } from "../scripts/root.js";
import { figure, type Row } from "./measure.js";

const BENCHES = [
  "install-weight",
  "help-time",
  "submit-process",
  "samples-100",
  "run-through-plugin",
  "samples-10k",
  "states-1000",
  "module-reads",
  "far-node",
  "far-call",
  "store-calls",
  "requests-1000",
  "cairo-vm",
  "module-profile",
  "modules-again",
  "submissions",
  "dev-server-start",
  "dev-server-throughput",
  "dev-server-memory",
  "dashboard-reload",
];
const RESULTS = join(import.meta.dirname, "results.json");
/** What may be chance. */
const SLOWER = 1.1;
const PATIENCE_MS = 180_000;
const TESTS_AIM_S = 90;

const rowSchema = z.object({
  name: z.string(),
  value: z.number(),
  unit: z.string().optional(),
  floor: z.number().optional(),
  aim: z.number(),
});

async function rowsOf(bench: string): Promise<Row[]> {
  const rows: Row[] = [];
  const child = fork(join(import.meta.dirname, `${bench}.ts`), {
    cwd: root,
    execArgv: ["--import", "tsx"],
    timeout: PATIENCE_MS,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("message", (message) => rows.push(rowSchema.parse(message)));
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  if (code !== 0 || rows.length === 0) throw new Error(`${bench} ended with ${code ?? "a signal"}`);
  return rows;
}

function testTime(): Row {
  const start = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", "test:run"], {
    cwd: root,
    stdio: "ignore",
  });
  if (status !== 0) throw new Error("npm test failed");
  return {
    name: "npm test",
    value: (performance.now() - start) / 1000,
    unit: "s",
    aim: TESTS_AIM_S,
  };
}

function known(): readonly Row[] {
  let text: string;
  try {
    text = readFileSync(RESULTS, "utf8");
  } catch {
    return [];
  }
  return z.array(rowSchema).parse(JSON.parse(text));
}

const args = process.argv.slice(2);
const named = args.filter((name) => !name.startsWith("--"));
const unknown = named.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0)
  throw new Error(`no bench ${unknown.join(", ")}: there are ${BENCHES.join(", ")}`);

const before = new Map(known().map((row) => [row.name, row]));
const rows: Row[] = [];
const failed: string[] = [];
for (const bench of named.length > 0 ? named : BENCHES) {
  console.error(bench);
  try {
    rows.push(...(await rowsOf(bench)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    failed.push(bench);
  }
}
if (args.includes("--tests")) rows.push(testTime());
else console.error("npm test is measured with: npm run bench -- --tests");

console.table(
  rows.map((row) => ({
    row: row.name,
    measured: `${row.value.toFixed(1)} ${row.unit ?? "ms"}`,
    floor: row.floor === undefined ? "" : `${row.floor.toFixed(1)} ${row.unit ?? "ms"}`,
    ratio: row.floor === undefined ? "" : Number(figure(row).toFixed(2)),
    aim: row.floor === undefined ? `${row.aim} ${row.unit ?? "ms"}` : `${row.aim} ×`,
    reached: figure(row) <= row.aim ? "yes" : "no",
  })),
);
const slower = rows.flatMap((row) => {
  const last = before.get(row.name);
  return last !== undefined && figure(row) > SLOWER * figure(last) ? [{ row, last }] : [];
});
for (const { row, last } of slower) {
  const more = (100 * (figure(row) / figure(last) - 1)).toFixed(0);
  console.log(
    `slower by ${more} %: ${row.name} (${figure(last).toFixed(2)}, now ${figure(row).toFixed(2)})`,
  );
}
if (before.size > 0 && slower.length === 0)
  console.log("Nothing is slower by more than 10 % than in results.json.");
if (failed.length > 0) console.log(`Not measured: ${failed.join(", ")}`);
if (args.includes("--write")) {
  // A whole run leaves out the rows of benches that are gone.
  const kept = named.length > 0 || failed.length > 0 ? before : [];
  const measured = new Map([...kept, ...rows.map((row) => [row.name, row] as const)]);
  writeFileSync(RESULTS, `${JSON.stringify([...measured.values()], undefined, 2)}\n`);
  console.log("Written to bench/results.json.");
}
process.exitCode = slower.length === 0 && failed.length === 0 ? 0 : 1;
