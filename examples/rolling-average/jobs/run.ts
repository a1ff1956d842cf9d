// npx hardhat run jobs/run.ts --network localhost, by cron or a workflow: ROLLING_AVERAGE is the contract's address.
import { network } from "hardhat";
import { getAddress } from "viem";

import { keepFresh } from "./keep-fresh.js";

const contract = getAddress(process.env.ROLLING_AVERAGE ?? "");
const delivered = await keepFresh(await network.getOrCreate(), contract);
console.log(delivered.length === 0 ? "Nothing new." : `Delivered: period ${delivered.join(", ")}`);
