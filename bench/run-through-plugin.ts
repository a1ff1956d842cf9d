// 100 header samples through the whole plugin: connection.hdp.run against the same reads, one transaction and one call.
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../src/index.js";
import { blockSampled, header } from "../src/entries/request.js";
import { bounded, milliseconds, percentile, row } from "./measure.js";

const SAMPLES = 100;
const ROUNDS = 120;
const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
const { hdp, provider } = await hre.network.create();
for (let mined = 0; mined < ROUNDS * SAMPLES; mined += 7) {
  await provider.request({ method: "hardhat_mine", params: ["0x7"] });
}
const [from, to] = (await provider.request({ method: "eth_accounts" })) as string[];

async function floor(first: number): Promise<void> {
  await bounded(SAMPLES, 16, async (block) => {
    await provider.request({
      method: "eth_getBlockByNumber",
      params: [`0x${(first + block).toString(16)}`, false],
    });
  });
  const hash: unknown = await provider.request({
    method: "eth_sendTransaction",
    params: [{ from, to, value: "0x1" }],
  });
  await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  await provider.request({ method: "eth_call", params: [{ from, to }, "latest"] });
}

const floors: number[] = [];
const ours: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const range = { from: SAMPLES * round, to: SAMPLES * (round + 1) - 1 };
  // Another count each round, so that no result is known beforehand.
  const task = blockSampled({ ...range, property: header("gas_limit") }).count("gt", BigInt(round));
  floors.push(await milliseconds(() => floor(range.from)));
  ours.push(
    await milliseconds(async () => {
      const [{ samples, proven }] = await hdp.run(task);
      if (samples !== SAMPLES || proven !== true) throw new Error("not all samples were proven");
    }),
  );
}

const warm = (times: readonly number[]): number => percentile(times.slice(ROUNDS / 2), 0.5);
row({ name: "100 headers through the plugin", value: warm(ours), floor: warm(floors), aim: 1.5 });
