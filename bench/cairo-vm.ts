// Speed of the Cairo machine: node --import tsx bench/cairo-vm.ts
//
// Runs the storage-sum module of test/cairo over 10,000 blocks, reading from memory, and prints steps per second and the
// ratio to an empty interpreter loop in the same process. Times are processor time, best of several runs.
import { readFileSync } from "node:fs";

import { runModule, type RunModuleOptions } from "../src/compute/run-module.js";

const BLOCKS = 10_000;
const ROUNDS = 20;

const url = new URL("../test/cairo/compiled/storage_sum.compiled_contract_class.json", import.meta.url);
const compiledClass: unknown = JSON.parse(readFileSync(url, "utf8"));
const inputs = [4n, 1n, 0xabcn, 1_000_000n, 1_000_000n + BigInt(BLOCKS)].map((value) => ({
  visibility: "public" as const,
  value,
}));
const base = { inputs, leadingFelts: 8, generation: "head" } as const;

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

async function best(work: () => Promise<number> | number): Promise<number> {
  let fastest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = clock();
    await work();
    fastest = Math.min(fastest, clock() - start);
  }
  return fastest;
}

async function run(options: RunModuleOptions): Promise<number> {
  const result = await runModule(compiledClass, options);
  if (result.status !== "returned") throw new Error(result.message);
  return result.steps;
}

const steps = await run({ ...base, read: (wanted) => wanted.block });
const vm = await best(() => run({ ...base, read: (wanted) => wanted.block }));
const loop = await best(() => emptyLoop(steps));

const perSecond = (milliseconds: number): string => (steps / milliseconds / 1000).toFixed(1);
console.log(`steps                 ${steps}`);
console.log(`machine               ${perSecond(vm)} M steps/s (${vm.toFixed(0)} ms)`);
console.log(`empty loop            ${perSecond(loop)} M turns/s, ${(vm / loop).toFixed(1)} times faster`);
console.log(`memory, resident      ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
