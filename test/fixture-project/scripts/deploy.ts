// Deploys a FeeGate beside the network's execution store and opens it by the task's result.
import hre from "hardhat";

const { viem } = await hre.network.getOrCreate();

const submission = await hre.hdp.submit("tasks/fee.json");
const finished = await hre.hdp.await(submission, {
  onStatus: (status) => console.log(status.name),
});
const [taskHash] = finished.taskHashes;
if (taskHash === undefined) throw new Error("tasks/fee.json has no task");
const result = await hre.hdp.readResult(taskHash);

const store = await hre.hdp.store.forDeployment();
const task = await hre.hdp.task("tasks/fee.json");
const gate = await viem.deployContract("FeeGate", [store.address, task]);
await gate.write.update([result.value]);
console.log(
  `FeeGate ${gate.address}: average base fee ${String(result.value)} wei, open: ${String(await gate.read.isOpen())}`,
);
