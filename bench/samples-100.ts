// A task of 100 header samples, submit to read, against the same reads, one transaction and one call made directly.
import { LocalDataProcessor } from "../src/entries/local.js";
import type { DatalakeComputeTask } from "../src/entries/request.js";
import { bounded, deployStore, milliseconds, percentile, row, simulatedChain } from "./measure.js";

const ROUNDS = 60;
const provider = await simulatedChain(120);
const { sink, read } = await deployStore(provider);
const processor = new LocalDataProcessor({ providerFor: () => provider, sink, prove: "require" });

const [from] = (await provider.request({ method: "eth_accounts" })) as string[];

async function floor(): Promise<void> {
  await bounded(100, 16, (block) =>
    provider.request({
      method: "eth_getBlockByNumber",
      params: [`0x${block.toString(16)}`, false],
    }),
  );
  const transaction = { from, to: from, value: "0x1" };
  await provider.request({ method: "eth_sendTransaction", params: [transaction] });
  await provider.request({ method: "eth_call", params: [transaction, "latest"] });
}

async function submitToRead(round: number): Promise<void> {
  const task: DatalakeComputeTask = {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: BigInt(round % 10),
      blockRangeEnd: BigInt(round % 10) + 99n,
      increment: 1n,
      sampledProperty: { kind: "header", field: "base_fee_per_gas" },
    },
    compute: { aggregateFnId: "avg" },
  };
  const submission = await processor.submit({
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [task],
  });
  const [result] = await processor.results(submission);
  const hash = submission.taskHashes[0];
  if (hash === undefined || result?.samples !== 100 || (await read(hash)) !== result.value) {
    throw new Error("the store does not hold the computed value");
  }
}

const floors: number[] = [];
const ours: number[] = [];
for (let round = 0; round < ROUNDS + 20; round += 1) {
  const [direct, whole] = [
    await milliseconds(floor),
    await milliseconds(() => submitToRead(round)),
  ];
  if (round < 20) continue;
  floors.push(direct);
  ours.push(whole);
}
row({
  name: "100 headers, submit to read",
  value: percentile(ours, 0.5),
  floor: percentile(floors, 0.5),
  aim: 1.5,
});
