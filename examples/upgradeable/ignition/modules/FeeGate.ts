import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { executionStore } from "hardhat-hdp/ignition";

// A mock on development chains. Rejects one on a live chain.
const store = await executionStore();

/** The implementation with store and task, and the proxy whose address people use. */
export default buildModule("FeeGate", (m) => {
  const implementation = m.contract("UpgradeableFeeGate", [
    store(m),
    { hash: m.getParameter("taskHash"), form: m.getParameter("form") },
  ]);
  const initialize = m.encodeFunctionCall(implementation, "initialize", [m.getAccount(0)]);
  const proxy = m.contract("FeeGateProxy", [implementation, initialize]);
  const gate = m.contractAt("UpgradeableFeeGate", proxy, { id: "Gate" });
  return { store: store(m), gate };
});
