// Modules that were seen before: a run of some hundred steps, and the class of 260 kB, each from JSON that was parsed anew.
import { readFileSync } from "node:fs";

import { preparedClass } from "../src/cairo/run-contract.js";
import { runModule } from "../src/compute/run-module.js";
import { rememberedClass } from "../src/program/compiled-class.js";
import { percentile, row } from "./measure.js";

const ROUNDS = 60;
const text = (name: string): string =>
  readFileSync(
    new URL(`../test/cairo/compiled/${name}.compiled_contract_class.json`, import.meta.url),
    "utf8",
  );

async function median(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return percentile(times.slice(10), 0.5);
}

const loops: unknown = JSON.parse(text("builtins_Loops"));
let steps = 0;
const inputs = [0n, 12n].map((value) => ({ visibility: "public" as const, value }));
const run = async (): Promise<void> => {
  const result = await runModule(loops, {
    inputs,
    leadingFelts: 8,
    generation: "head",
    read: () => 0n,
  });
  if (result.status !== "returned") throw new Error(result.message);
  ({ steps } = result);
};
const again = await median(run);
row({ name: `module of ${steps} steps, seen before`, value: again, aim: 1.5 });

const large = text("functions");
const json: unknown = JSON.parse(large);
const prepare = (): unknown => preparedClass(rememberedClass(json));
prepare();
const kilobytes = Math.round(large.length / 1000);
row({ name: `class of ${kilobytes} kB, seen before`, value: await median(prepare), aim: 1.5 });
