/** A process of its own for test/package/sockets.test.ts. Argument: "local", or the address of a service. */
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../../src/index.js";
import type { DatalakeComputeTask } from "../../src/request/task.js";

const service = process.argv[2] ?? "local";
const hre = await createHardhatRuntimeEnvironment(
  {
    plugins: [hardhatHdp],
    networks: {
      // The service of the test, by its address alone.
      ...(service === "local"
        ? {}
        : {
            remote: {
              type: "edr-simulated",
              hdp: { dataProcessor: { url: service, apiKey: "k" } },
            },
          }),
    },
  },
  {},
  process.argv[3],
);
const task: DatalakeComputeTask = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0n,
    blockRangeEnd: 3n,
    increment: 1n,
    sampledProperty: { kind: "header", field: "number" },
  },
  compute: { aggregateFnId: "sum" },
};
if (service === "local") {
  const { hdp, provider } = await hre.network.create();
  await provider.request({ method: "hardhat_mine", params: ["0x3"] });
  process.stdout.write((await hdp.run(task))[0].value.toString());
} else {
  const { hdp } = await hre.network.create("remote");
  const submission = await hdp.submit(task);
  process.stdout.write((await hdp.status(submission)).name);
}
