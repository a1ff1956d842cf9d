import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { deployMock, type MockAccountChoice } from "../plugin/starknet-mock.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<MockAccountChoice & { json: boolean }> = async ({ json, ...choice }, hre) => {
  await atTheEdge(async () => {
    const deployed = await deployMock(choice, hre.config.hdp);
    const screen = terminalScreen(json);
    screen.line();
    screen.line(`  ${style.strong("Execution store")}  ${deployed.address}  (mock, on Starknet)`);
    screen.line(`  To use it, configure it for its chain in hardhat.config.ts:`);
    screen.line(`    hdp: { starknet: { <chain>: { rpcUrl, executionStore: "${deployed.address}" } } }`);
    screen.document(deployed);
  });
};

export default action;
