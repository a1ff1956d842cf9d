// The main job end to end: a computation over the chain's own data, submitted, awaited, finalized in a contract, read
// back, and acted upon by a consumer contract.
import hre from "hardhat";

const { viem, hdp, provider } = await hre.network.getOrCreate();

console.log("A chain with some history: 63 blocks, a transfer in each of the first 20.");
const [alice, bob] = await viem.getWalletClients();
if (alice === undefined || bob === undefined) throw new Error("this network has no accounts");
for (let i = 0; i < 20; i++)
  await alice.sendTransaction({ to: bob.account.address, value: 10n ** 18n });
for (let i = 0; i < 43; i++) await provider.request({ method: "evm_mine" });

console.log("\n$ npx hardhat hdp:submit tasks/history.json");
await hre.tasks.getTask("hdp:submit").run({ file: "tasks/history.json" });

const store = await hdp.store.current();
const [fee] = await hdp.run("tasks/fee.json");
const task = await hdp.task("tasks/fee.json");
const gate = await viem.deployContract("FeeGate", [store.address, task]);
await gate.write.update([fee.value]);
const open = await gate.read.isOpen();
console.log(`\nFeeGate at ${gate.address} checks the value of task ${fee.taskHash}`);
console.log(
  `in the store: the average base fee was ${String(fee.value)} wei, so the gate is ${open ? "open" : "shut"}.`,
);
