// npx hardhat run jobs/deploy.ts --network localhost prints the contract's address.
import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";

const { hdp, viem } = await network.getOrCreate();
// Rejects a mock on a live chain.
const { address: store } = await hdp.store.forDeployment();
const anyPeriod = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();
const { form } = await hdp.task(anyPeriod);
const contract = await viem.deployContract("RollingAverage", [store, form]);
console.log(contract.address);
