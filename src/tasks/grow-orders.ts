import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { printRecord } from "./ui/record.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ json: boolean }> = async ({ json }, hre) => {
  const orders = await hre.hdp.storageProof.growOrders.list();
  const screen = terminalScreen(json);
  printRecord(screen, "Grow orders", orders);
  screen.document(orders);
};

export default action;
