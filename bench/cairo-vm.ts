// Speed of the Cairo machine: node --import tsx bench/cairo-vm.ts
//
// Runs the storage-sum module of test/cairo over 10,000 blocks, reading from memory, and prints steps per second, the
// ratio to an empty interpreter loop in the same process, and what 10,000 reads through a local chain cost beside the
// raw reads.
import { readFileSync } from "node:fs";

import { runModule, type RunModuleOptions } from "../src/local/cairo/run-module.js";
import type { ChainReader } from "../src/local/chain-reader.js";

const BLOCKS = 10_000;
const ROUNDS = 7;

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

const chain: ChainReader = {
  header: () => Promise.reject(new Error("unused")),
  account: () => Promise.reject(new Error("unused")),
  storage: (block) => Promise.resolve({ value: block * block + 6n, proven: true }),
  transaction: () => Promise.reject(new Error("unused")),
  receipt: () => Promise.reject(new Error("unused")),
  transactionCount: () => Promise.resolve(0),
};

const steps = await run({ ...base, read: (wanted) => wanted.block });
const vm = await best(() => run({ ...base, read: (wanted) => wanted.block }));
const loop = await best(() => emptyLoop(steps));
const address = `0x${"0".repeat(37)}abc` as const;
const slot = `0x${"0".repeat(64)}` as const;
const raw = await best(async () => {
  for (let block = 0; block < BLOCKS; block += 1) await chain.storage(BigInt(block), address, slot);
  return 0;
});
const throughChain = await best(() => run({ ...base, reader: () => chain }));

const perSecond = (milliseconds: number): string => (steps / milliseconds / 1000).toFixed(1);
console.log(`steps                 ${steps}`);
console.log(`machine               ${perSecond(vm)} M steps/s (${vm.toFixed(0)} ms)`);
console.log(`empty loop            ${perSecond(loop)} M turns/s, ${(vm / loop).toFixed(1)} times faster`);
console.log(`${BLOCKS} reads, raw      ${raw.toFixed(1)} ms`);
console.log(`${BLOCKS} reads, module   ${throughChain.toFixed(1)} ms (of which the steps alone ${vm.toFixed(1)} ms)`);
