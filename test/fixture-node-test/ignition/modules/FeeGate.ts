import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { executionStoreModule } from "hardhat-hdp/ignition";

const ExecutionStore = await executionStoreModule();

export default buildModule("FeeGate", (m) => {
  const { store } = m.useModule(ExecutionStore);
  return { store, gate: m.contract("FeeGate", [store]) };
});
