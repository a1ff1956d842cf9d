import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { executionStoreModule } from "hardhat-hdp/ignition";
import { blockSampled, HDP_FORM, header, taskHash } from "hardhat-hdp/request";

const ExecutionStore = await executionStoreModule();

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();
const task = { hash: taskHash(averageBaseFee), form: HDP_FORM.datalake };

export default buildModule("FeeGate", (m) => {
  const { store } = m.useModule(ExecutionStore);
  return { store, gate: m.contract("FeeGate", [store, task]) };
});
