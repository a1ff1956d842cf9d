// 1,000 headers and 1,000 storage slots over a node 50 ms away, against the same unproven reads in batches of 100; then
// modules that read 1,000 slots, against the datalake form, 200 slots, and 50 slots of which each depends on the last. The
// node is a process of its own: what one side works does not make the other wait.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

import { evaluate, ProvenChainReader, runModule } from "../src/entries/local.js";
import type { BlockProperty, DatalakeComputeTask } from "../src/entries/request.js";
import { httpReads } from "../src/base/http-reads.js";
import { serve } from "../test/support/rpc-server.js";
import {
  bounded,
  milliseconds,
  percentile,
  row,
  simulatedChain,
  sampledBlocks,
} from "./measure.js";

const SAMPLES = 1_000;
const DEPENDENT = 50;
/** The value that names the next slot of a chain of slots. */
const linkAt = (index: number): number => (index * 7_919) % 1_000;
const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;

if (process.send !== undefined && process.argv[2] === "node") {
  const chain = await simulatedChain(SAMPLES);
  const [account] = (await chain.request({ method: "eth_accounts" })) as string[];
  for (let index = 0; index < DEPENDENT; index += 1) {
    const slot = `0x${(linkAt(index) + 1_000 * index).toString(16)}`;
    const params = [account, slot, word(linkAt(index + 1))];
    await chain.request({ method: "hardhat_setStorageAt", params });
  }
  await chain.request({ method: "hardhat_mine", params: ["0x1"] });
  const last = await chain.request({ method: "eth_blockNumber" });
  const { url } = await serve(chain, { delayMs: 50 });
  process.send({ url, account, last });
  await once(process, "disconnect");
  process.exit(0);
}
const node = fork(import.meta.filename, ["node"]);
const [{ url, account, last }] = (await once(node, "message")) as [
  { url: string; account: `0x${string}`; last: string },
];
const slot = `0x${"00".repeat(32)}` as const;

const task = (property: BlockProperty): DatalakeComputeTask => sampledBlocks(SAMPLES, property);

/** The same reads without a check, as a client would make them that knows how many it needs. */
async function unproven(call: (block: string) => readonly object[]): Promise<void> {
  const calls = Array.from({ length: SAMPLES }, (_, block) =>
    call(`0x${block.toString(16)}`),
  ).flat();
  await bounded(Math.ceil(calls.length / 100), 6, async (part) => {
    await post(calls.slice(100 * part, 100 * part + 100));
  });
}

async function post(calls: readonly object[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(calls) });
  await answer.json();
}

const header = (block: string): object => ({
  jsonrpc: "2.0",
  id: 1,
  method: "eth_getBlockByNumber",
  params: [block, false],
});
const proof = (block: string): object => ({
  jsonrpc: "2.0",
  id: 1,
  method: "eth_getProof",
  params: [account, [slot], block],
});

const rows = [
  ["headers", { kind: "header", field: "gas_limit" }, (block: string) => [header(block)]],
  [
    "storage slots",
    { kind: "storage", address: account, slot },
    (block: string) => [header(block), proof(block)],
  ],
] as const;
let datalake = NaN;
for (const [name, property, calls] of rows) {
  const floors: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    floors.push(await milliseconds(() => unproven(calls)));
    ours.push(
      await milliseconds(async () => {
        const provider = httpReads({ url: async () => await Promise.resolve(url) });
        const { samples, proven } = await evaluate(task(property), { provider, prove: "require" });
        if (samples !== SAMPLES || !proven) throw new Error("not all samples were proven");
      }),
    );
  }
  const [floor, own] = [percentile(floors.slice(1), 0.5), percentile(ours.slice(1), 0.5)];
  row({ name: `1,000 ${name}, 50 ms away`, value: own, floor, aim: 1.5 });
  if (name !== "storage slots") continue;
  row({ name: `1,000 ${name}, 50 ms away, in all`, value: own, aim: 500 });
  datalake = own;
}

const compiled = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../test/cairo/compiled/${name}.compiled_contract_class.json`, import.meta.url),
      "utf8",
    ),
  );
const [sum, plan] = [compiled("storage_sum"), compiled("builtins_Plan")];

/** Milliseconds of a module that reads so many slots, in the middle of five runs. */
async function moduleOf(compiledClass: unknown, felts: readonly bigint[], reads: number) {
  const times: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const time = await milliseconds(async () => {
      const provider = httpReads({ url: async () => await Promise.resolve(url) });
      const reader = new ProvenChainReader(provider, { prove: "require" });
      const inputs = felts.map((value) => ({ visibility: "public" as const, value }));
      const handle = { generation: "head", leadingFelts: 8 } as const;
      const run = await runModule(compiledClass, { inputs, reader: () => reader, ...handle });
      if (run.status !== "returned" || run.reads.length !== reads || run.proven !== true)
        throw new Error("not all slots were proven");
    });
    times.push(time);
  }
  return percentile(times.slice(1), 0.5);
}

const sumOf = async (reads: number): Promise<number> =>
  await moduleOf(sum, [4n, 1n, BigInt(account), 0n, BigInt(reads)], reads);
const module = "slots by a module, 50 ms away";
row({ name: `1,000 ${module}`, value: await sumOf(1_000), floor: datalake, aim: 1.5 });
row({ name: `200 ${module}`, value: await sumOf(200), aim: 1_000 });
// Each step of this plan reads a slot that the value of the last one names.
const chain = Array.from({ length: DEPENDENT }, (_, at) => [1n, BigInt(1_000 * at), BigInt(last)]);
const felts = [BigInt(account), BigInt(3 * DEPENDENT), ...chain.flat()];
const dependent = await moduleOf(plan, felts, DEPENDENT);
const floor = await milliseconds(async () => {
  for (let read = 0; read < DEPENDENT; read += 1) await post([proof(last)]);
});
row({ name: `${DEPENDENT} dependent ${module}`, value: dependent, floor, aim: 1.1 });
node.disconnect();
process.exit(0);
