import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ programHash: string; json: boolean }> = async ({ programHash, json }, hre) => {
  const record = await hre.hdp.program.metadata(programHash);
  const screen = terminalScreen(json);
  screen.line();
  screen.line(`  ${style.strong("Program")}  ${programHash}`);
  screen.line(`           layout ${record.layout}, Cairo ${String(record.version)}`);
  screen.document({ programHash, ...record });
};

export default action;
