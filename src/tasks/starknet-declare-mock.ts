import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { declareMock, type MockAccountChoice } from "../plugin/starknet-mock.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<MockAccountChoice & { json: boolean }> = async ({ json, ...choice }, hre) => {
  await atTheEdge(async () => {
    const declared = await declareMock(choice, hre.config.hdp);
    const screen = terminalScreen(json);
    screen.line();
    screen.line(`  ${style.strong("Class")}        ${declared.classHash}`);
    screen.line(`  ${style.strong("Transaction")}  ${declared.transactionHash ?? "none: it was declared before"}`);
    screen.document(declared);
  });
};

export default action;
