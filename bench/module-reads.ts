// Reads of a module through a local chain, proven, beside the same reads without it:
// node --import tsx bench/module-reads.ts [reads, default 10000]
import { readFileSync } from "node:fs";

import { runModule } from "../src/compute/run-module.js";
import { ProvenChainReader } from "../src/entries/local.js";
import { row, simulatedChain } from "./measure.js";

const READS = Number(process.argv[2] ?? "10000");
const ROUNDS = 3;
const ADDRESS = `0x${"abc".padStart(40, "0")}` as const;

const url = new URL(
  "../test/cairo/compiled/storage_sum.compiled_contract_class.json",
  import.meta.url,
);
const compiledClass: unknown = JSON.parse(readFileSync(url, "utf8"));
const inputs = [4n, 1n, BigInt(ADDRESS), 1n, BigInt(READS) + 1n].map((value) => ({
  visibility: "public" as const,
  value,
}));

const provider = await simulatedChain(READS);
const reader = (): ProvenChainReader => new ProvenChainReader(provider, { prove: "require" });
const places: { readonly block: bigint; readonly slot: `0x${string}` }[] = [];

async function throughModule(): Promise<void> {
  const chain = reader();
  const run = await runModule(compiledClass, {
    inputs,
    leadingFelts: 8,
    generation: "head",
    reader: () => chain,
  });
  if (run.status !== "returned" || run.proven !== true || run.reads.length !== READS)
    throw new Error("not all read");
  places.length = 0;
  for (const read of run.reads)
    if (read.kind === "storage") places.push({ block: read.block, slot: read.slot });
}

async function raw(): Promise<void> {
  const chain = reader();
  for (const { block, slot } of places) await chain.storage(block, ADDRESS, slot);
}

/** Milliseconds of processor time of the whole process, the chain included. */
async function cost(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

await throughModule();
let [floor, ours] = [Infinity, Infinity];
for (let round = 0; round < ROUNDS; round += 1) {
  floor = Math.min(floor, await cost(raw));
  ours = Math.min(ours, await cost(throughModule));
}
row({ name: `${READS} proven reads at home by a module`, value: ours, floor, aim: 1.5 });
const memory = process.resourceUsage().maxRSS / 2 ** 10;
row({ name: `${READS} reads, memory with the chain`, value: memory, unit: "MiB", aim: 1_000 });
