// 10,000 header samples against the same raw reads at the same concurrency, and what memory they need.
import { evaluate } from "../src/entries/local.js";
import type { DatalakeComputeTask } from "../src/entries/request.js";
import { bounded, line, milliseconds, percentile, row, simulatedChain } from "./measure.js";

const SAMPLES = 10_000;
const provider = await simulatedChain(SAMPLES);
const task: DatalakeComputeTask = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0n,
    blockRangeEnd: BigInt(SAMPLES) - 1n,
    increment: 1n,
    sampledProperty: { kind: "header", field: "gas_limit" },
  },
  compute: { aggregateFnId: "avg" },
};

const rawReads = (): Promise<void> =>
  bounded(SAMPLES, 16, (block) =>
    provider.request({ method: "eth_getBlockByNumber", params: [`0x${block.toString(16)}`, false] }),
  );

await rawReads();
await evaluate(task, { provider, prove: "require" });
const floors: number[] = [];
const ours: number[] = [];
const before = process.memoryUsage().rss;
let peak = before;
for (let round = 0; round < 5; round += 1) {
  floors.push(await milliseconds(rawReads));
  ours.push(
    await milliseconds(async () => {
      const onProgress = ({ samples }: { samples: number }): void => {
        if (samples % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
      };
      const evaluation = await evaluate(task, { provider, prove: "require", onProgress });
      if (evaluation.samples !== SAMPLES || !evaluation.proven) throw new Error("not all samples were proven");
    }),
  );
}
row({ name: "10,000 headers", value: percentile(ours, 0.5), floor: percentile(floors, 0.5), aim: 1.3 });
line("growth of resident memory, peak", `${((peak - before) / 2 ** 20).toFixed(1)} MiB (under 64)`);
