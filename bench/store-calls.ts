// 1,000 tasks in one request through the plugin, submit to results: how often the store is called.
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import type { DatalakeComputeTask } from "../src/entries/request.js";
import hardhatHdp from "../src/index.js";
import { milliseconds, row, sampledBlocks } from "./measure.js";

const TASKS = 1_000;
const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
const connection = await hre.network.create();
const { hdp, provider } = connection;
const store = (await hdp.store.current()).address.slice(2).toLowerCase();

// Hardhat looks at what a transaction takes through the same function.
const HARDHATS_OWN = "eth_estimateGas";
let calls = 0;
const request = provider.request.bind(provider);
provider.request = async (args) => {
  const names = JSON.stringify(args.params ?? [])
    .toLowerCase()
    .includes(store);
  if (names && args.method !== HARDHATS_OWN) calls += 1;
  const answer: unknown = await request(args);
  return answer;
};

const tasks = Array.from({ length: TASKS }, (_, index): DatalakeComputeTask => ({
  ...sampledBlocks(1, { kind: "header", field: "number" }),
  compute: {
    aggregateFnId: "count",
    aggregateFnCtx: { operator: "gt", valueToCompare: BigInt(index) },
  },
}));
const elapsed = await milliseconds(async () => {
  const submission = await hdp.submit({ destinationChainId: "ETHEREUM_SEPOLIA", tasks });
  const results = await (await hdp.await(submission)).results();
  if (results.length !== TASKS) throw new Error(`${results.length} results`);
});
row({ name: "1,000 tasks in one request, store calls", value: calls, unit: "calls", aim: 1_010 });
row({ name: "1,000 tasks in one request", value: elapsed, aim: 2_000 });
