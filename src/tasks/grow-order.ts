import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { printRecord } from "./ui/record.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ id: string; json: boolean }> = async ({ id, json }, hre) => {
  const order = await hre.hdp.storageProof.growOrders.read(id);
  const screen = terminalScreen(json);
  printRecord(screen, `Grow order ${id}`, order);
  screen.document(order);
};

export default action;
