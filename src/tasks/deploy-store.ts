import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ json: boolean }> = async ({ json }, hre) => {
  await atTheEdge(async () => {
    const { hdp, networkName } = await hre.network.getOrCreate();
    const store = await hdp.deployExecutionStore();
    const screen = terminalScreen(json);
    screen.line();
    screen.line(`  ${style.strong("Execution store")}  ${store.address}  (mock, network "${networkName}")`);
    screen.line(`  To use it from other commands, configure it for the network in hardhat.config.ts:`);
    screen.line(`    hdp: { executionStore: { address: "${store.address}" } }`);
    screen.document({ networkName, ...store });
  });
};

export default action;
