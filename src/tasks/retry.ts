import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ id: string; json: boolean }> = async ({ id, json }, hre) => {
  const retried = await hre.hdp.moduleTasks.retry(id);
  const screen = terminalScreen(json);
  screen.line();
  screen.line(`  ${style.good("✔")} Task ${retried.uuid} was started again.`);
  screen.line(`  Look at it with: ${style.command(`npx hardhat hdp:task ${retried.uuid}`)}`);
  screen.document(retried);
};

export default action;
