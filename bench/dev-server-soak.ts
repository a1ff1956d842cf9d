// The development server under steady use: memory after a warm-up must stay flat. Argument: minutes, default 10.
import { startDevServer } from "../src/dev-server/server.js";
import { LocalDataProcessor } from "../src/entries/local.js";
import { taskHash } from "../src/request/task-hash.js";
import type { DatalakeComputeTask } from "../src/request/task.js";
import {
  awaitSubmission,
  HttpClient,
  RemoteDataProcessor,
  tasksEdition,
} from "../src/entries/service.js";
import { deployStore, line, simulatedChain } from "./measure.js";

const MINUTES = Number(process.argv[2] ?? 10);
const CLIENTS = 4;
const SAMPLE_MS = Math.min(10_000, MINUTES * 2_000);
/** Tasks over 60 blocks, each value again and again: a new submission every time. */
const BLOCKS = 60;

const provider = await simulatedChain(BLOCKS);
const { sink, read } = await deployStore(provider);
const processor = new LocalDataProcessor({ providerFor: () => provider, sink, prove: "require" });
const server = await startDevServer({ processor, providerFor: () => provider });
const http = new HttpClient({
  service: "the development server",
  url: server.url,
  apiKey: async () => await Promise.resolve("any"),
});
const remote = new RemoteDataProcessor({ http, edition: tasksEdition });

function task(end: number): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0n,
      blockRangeEnd: BigInt(end),
      increment: 1n,
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

const samples: { readonly minutes: number; readonly mebibytes: number }[] = [];
const start = performance.now();
const minutes = (): number => (performance.now() - start) / 60_000;
const sampler = setInterval(() => {
  globalThis.gc?.();
  samples.push({ minutes: minutes(), mebibytes: process.memoryUsage().rss / 2 ** 20 });
}, SAMPLE_MS);

let done = 0;
let wrong = 0;
await Promise.all(
  Array.from({ length: CLIENTS }, async (_, client) => {
    for (let round = client; minutes() < MINUTES; round += CLIENTS) {
      const end = round % BLOCKS;
      const submission = await remote.submit({
        destinationChainId: "ETHEREUM_SEPOLIA",
        tasks: [task(end)],
      });
      await awaitSubmission(remote, submission);
      if ((await read(taskHash(task(end)))) !== BigInt((end * (end + 1)) / 2)) wrong += 1;
      done += 1;
    }
  }),
);
clearInterval(sampler);
await server.close();

/** Least squares over the second half: what was allocated once is over by then. */
function slope(): number {
  const late = samples.slice(Math.floor(samples.length / 2));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(late.map((sample) => sample.minutes));
  const y = mean(late.map((sample) => sample.mebibytes));
  const above = late.reduce(
    (sum, sample) => sum + (sample.minutes - x) * (sample.mebibytes - y),
    0,
  );
  return above / late.reduce((sum, sample) => sum + (sample.minutes - x) ** 2, 0);
}

const mebibytes = (sample: (typeof samples)[number] | undefined): string =>
  `${(sample?.mebibytes ?? 0).toFixed(1)} MiB`;
line("minutes", minutes().toFixed(1));
line("submissions, awaited and read", String(done));
line("wrong results", String(wrong));
line("memory (RSS) at the start", mebibytes(samples[0]));
line("memory (RSS) at the end", mebibytes(samples.at(-1)));
line("slope over the second half", `${slope().toFixed(2)} MiB a minute`);
process.exit(wrong === 0 ? 0 : 1);
