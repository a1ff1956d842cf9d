// 1,000 headers and 1,000 storage slots over a node 50 ms away, against the same unproven reads in batches of 100. The
// node is a process of its own: what one side works does not make the other wait.
import { fork } from "node:child_process";
import { once } from "node:events";

import { evaluate } from "../src/entries/local.js";
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
if (process.send !== undefined && process.argv[2] === "node") {
  const chain = await simulatedChain(SAMPLES);
  const [account] = (await chain.request({ method: "eth_accounts" })) as string[];
  const { url } = await serve(chain, { delayMs: 50 });
  process.send({ url, account });
  await once(process, "disconnect");
  process.exit(0);
}
const node = fork(import.meta.filename, ["node"]);
const [{ url, account }] = (await once(node, "message")) as [
  { url: string; account: `0x${string}` },
];
const slot = `0x${"00".repeat(32)}` as const;

const task = (property: BlockProperty): DatalakeComputeTask => sampledBlocks(SAMPLES, property);

/** The same reads without a check, as a client would make them that knows how many it needs. */
async function unproven(call: (block: string) => readonly object[]): Promise<void> {
  const calls = Array.from({ length: SAMPLES }, (_, block) =>
    call(`0x${block.toString(16)}`),
  ).flat();
  await bounded(Math.ceil(calls.length / 100), 6, async (part) => {
    const body = JSON.stringify(calls.slice(100 * part, 100 * part + 100));
    await (
      await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
    ).json();
  });
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
  if (name === "storage slots")
    row({ name: `1,000 ${name}, 50 ms away, in all`, value: own, aim: 500 });
}
node.disconnect();
process.exit(0);
