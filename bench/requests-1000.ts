// 1,000 requests submitted at once: every stored value against the chain's own.
import { LocalDataProcessor } from "../src/entries/local.js";
import type { DatalakeComputeTask } from "../src/entries/request.js";
import { deployStore, line, milliseconds, row, simulatedChain } from "./measure.js";

const REQUESTS = 1_000;
const provider = await simulatedChain(REQUESTS);
const { sink, read } = await deployStore(provider);
let unhandled = 0;
process.on("unhandledRejection", () => (unhandled += 1));
let transactions = 0;
const processor = new LocalDataProcessor({
  providerFor: () => provider,
  sink: {
    finalize: (results, destination) => {
      transactions += 1;
      return sink.finalize(results, destination);
    },
  },
  prove: "require",
});

function timestamps(block: number): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0n,
      blockRangeEnd: BigInt(block),
      increment: BigInt(Math.max(1, block)),
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

let wrong = 0;
const elapsed = await milliseconds(async () => {
  const submissions = await Promise.all(
    Array.from({ length: REQUESTS }, (_, block) =>
      processor.submit({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [timestamps(block)] }),
    ),
  );
  const results = await Promise.all(submissions.map((submission) => processor.results(submission)));
  for (const [block, [result]] of results.entries()) {
    if (result === undefined || (await read(result.taskHash)) !== BigInt(block)) wrong += 1;
  }
});
row({ name: "1,000 requests at once, submit to read", value: elapsed, aim: 2_000 });
line("finalizing transactions", String(transactions));
line("wrong values", String(wrong));
line("unhandled rejections", String(unhandled));
