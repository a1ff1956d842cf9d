// 10,000 header samples against the same raw reads at the same concurrency, and what memory they need.
import { evaluate } from "../src/entries/local.js";
import type { DatalakeComputeTask } from "../src/entries/request.js";
import { bounded, line, milliseconds, percentile, row, simulatedChain } from "./measure.js";

const SAMPLES = 10_000;
const WARM_UP = 3;
const ROUNDS = 7;
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
    provider.request({
      method: "eth_getBlockByNumber",
      params: [`0x${block.toString(16)}`, false],
    }),
  );

const own = async (onSample?: () => void): Promise<void> => {
  const evaluation = await evaluate(task, { provider, prove: "require", onSample });
  if (evaluation.samples !== SAMPLES || !evaluation.proven)
    throw new Error("not all samples were proven");
};

await rawReads();
const before = process.memoryUsage().rss;
let peak = before;
let samples = 0;
await own(() => {
  samples += 1;
  if (samples % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
});
line("growth of resident memory, peak", `${((peak - before) / 2 ** 20).toFixed(1)} MiB (under 64)`);

const floors: number[] = [];
const ours: number[] = [];
for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
  const [floor, whole] = [await milliseconds(rawReads), await milliseconds(own)];
  if (round < WARM_UP) continue;
  floors.push(floor);
  ours.push(whole);
}
row({
  name: "10,000 headers",
  value: percentile(ours, 0.5),
  floor: percentile(floors, 0.5),
  aim: 1.3,
});
