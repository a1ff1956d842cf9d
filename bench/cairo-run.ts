// What bench/cairo-vm.ts measures with, and the process that it makes a long run in: it loads the machine alone.
import { readFileSync } from "node:fs";

import { runModule, type RunModuleOptions } from "../src/compute/run-module.js";

const ROUNDS = 8;

export function compiled(path: string): unknown {
  const json: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
  return json;
}

/** Turns of a loop that fetches an opcode, switches on it and counts: what any interpreter does at least. */
function emptyLoop(turns: number): number {
  const code = Int32Array.from({ length: 256 }, (_, index) => (index * 7) % 5);
  let total = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    switch (code[turn & 255] ?? 0) {
      case 0:
        total += 1;
        break;
      case 1:
        total += 2;
        break;
      case 2:
        total ^= 3;
        break;
      default:
        total -= 1;
    }
  }
  return total;
}

/** Milliseconds of processor time: comparable on a busy machine, where those of the wall are not. */
function clock(): number {
  return process.cpuUsage().user / 1000;
}

export async function best(work: () => unknown, rounds = ROUNDS): Promise<number> {
  let fastest = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const start = clock();
    await work();
    fastest = Math.min(fastest, clock() - start);
  }
  return fastest;
}

export async function run(
  json: unknown,
  inputs: readonly bigint[],
  options: Partial<RunModuleOptions> = {},
): Promise<number> {
  const result = await runModule(json, {
    inputs: inputs.map((value) => ({ visibility: "public", value })),
    leadingFelts: 8,
    generation: "head",
    read: (wanted) => wanted.block,
    ...options,
  } as RunModuleOptions);
  if (result.status !== "returned") throw new Error(result.message);
  return result.steps;
}

export interface Long {
  readonly steps: number;
  readonly milliseconds: number;
  /** Most memory the process had, in KiB. */
  readonly peak: number;
  /** Of the empty loop in that process, in millions. */
  readonly turnsPerSecond: number;
}

/** Turns of the empty loop a second, in millions. */
export async function emptyTurns(): Promise<number> {
  const turns = 20_000_000;
  return turns / (await best(() => emptyLoop(turns))) / 1000;
}

const [kindOfRun, countOfRun] = process.argv.slice(2);
if (
  process.argv[1] === import.meta.filename &&
  kindOfRun !== undefined &&
  countOfRun !== undefined
) {
  const json = compiled("../test/cairo/compiled/builtins_Loops.compiled_contract_class.json");
  const start = clock();
  const steps = await run(json, [BigInt(kindOfRun), BigInt(countOfRun)]);
  const milliseconds = clock() - start;
  const { maxRSS } = process.resourceUsage();
  process.stdout.write(
    JSON.stringify({
      steps,
      milliseconds,
      peak: maxRSS,
      turnsPerSecond: await emptyTurns(),
    } satisfies Long),
  );
  process.exit();
}
