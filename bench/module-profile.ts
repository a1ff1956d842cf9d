// What a module's profile costs: node --import tsx bench/module-profile.ts
//
// Each program is run without and with a profile in turn; a row is the processor time of both, best of several rounds.
import { readFileSync } from "node:fs";

import { runModule, type RunModuleOptions } from "../src/compute/run-module.js";
import { line, row } from "./measure.js";

const ROUNDS = 15;
const AIM = 1.5;

function compiled(name: string): unknown {
  const path = new URL(
    `../test/cairo/compiled/${name}.compiled_contract_class.json`,
    import.meta.url,
  );
  const json: unknown = JSON.parse(readFileSync(path, "utf8"));
  return json;
}

const PROGRAMS: readonly (readonly [name: string, file: string, inputs: readonly bigint[]])[] = [
  ["loops in loops", "builtins_Calls", [0n, 250n]],
  ["functions that call each other", "builtins_Calls", [1n, 60_000n]],
  ["small felts", "builtins_Loops", [0n, 200_000n]],
  ["u256", "builtins_Loops", [2n, 10_000n]],
  ["a dictionary", "builtins_Loops", [3n, 5_000n]],
  ["10,000 reads", "storage_sum", [4n, 1n, 0xabcn, 1_000_000n, 1_010_000n]],
];

async function run(
  json: unknown,
  inputs: readonly bigint[],
  onProfile?: RunModuleOptions["onProfile"],
): Promise<number> {
  const result = await runModule(json, {
    inputs: inputs.map((value) => ({ visibility: "public", value })),
    leadingFelts: 8,
    generation: "head",
    read: (wanted) => wanted.block,
    onProfile,
  });
  if (result.status !== "returned") throw new Error(result.message);
  return result.steps;
}

/** Milliseconds of processor time: comparable on a busy machine, where those of the wall are not. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  return process.cpuUsage(start).user / 1000;
}

for (const [name, file, inputs] of PROGRAMS) {
  const json = compiled(file);
  const plain: number[] = [];
  const profiled: number[] = [];
  let counted = 0;
  let steps = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await processorTime(async () => (steps = await run(json, inputs))));
    profiled.push(
      await processorTime(() => run(json, inputs, (profile) => (counted = profile.steps))),
    );
  }
  if (counted !== steps) throw new Error(`the profile has ${counted} of ${steps} steps`);
  line(name, `${steps} steps`);
  row({
    name: `Profile: ${name}`,
    value: Math.min(...profiled),
    floor: Math.min(...plain),
    aim: AIM,
  });
}
