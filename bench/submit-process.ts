// A whole `npx hardhat hdp:submit` on the in-process chain beside a script that sends one transaction there, each a
// fresh process in a project with this plugin alone.
import { row } from "./measure.js";
import { inTurn, Project } from "./projects.js";

const script = `import { network } from "hardhat";
const { provider } = await network.create();
const [from] = await provider.request({ method: "eth_accounts" });
await provider.request({ method: "eth_sendTransaction", params: [{ from, to: from, value: "0x1" }] });
`;
const task = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 0,
    sampledProperty: "header.base_fee_per_gas",
  },
  compute: { aggregateFnId: "avg" },
};
const config = `import hardhatHdp from "hardhat-hdp";
export default { plugins: [hardhatHdp] };
`;
const project = new Project({
  "hardhat.config.js": config,
  "send.js": script,
  "task.json": JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }),
});
const [floor, own] = inTurn(
  9,
  () => project.run("run", "--no-compile", "send.js"),
  () => project.run("hdp:submit", "task.json"),
);
row({ name: "hdp:submit, whole process, and a bare transaction", value: own, floor, aim: 1.5 });
row({ name: "hdp:submit, whole process", value: own, aim: 800 });
