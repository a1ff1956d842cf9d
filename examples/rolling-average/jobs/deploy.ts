// npx hardhat run jobs/deploy.ts --network localhost prints the contract's address.
import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";

const { hdp, viem } = await network.getOrCreate();
const { address: store, mock } = await hdp.store.current();
const chainId = await (await viem.getPublicClient()).getChainId();
if (mock && chainId !== 31337)
  throw new Error(`${store} is a mock: its operators can finalize any average`);
const anyPeriod = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();
const { form } = await hdp.task(anyPeriod);
const contract = await viem.deployContract("RollingAverage", [store, form]);
console.log(contract.address);
