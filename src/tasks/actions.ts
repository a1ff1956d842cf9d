import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { printRecord } from "./ui/record.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ queryId: string; json: boolean }> = async ({ queryId, json }, hre) => {
  const reply = await hre.hdp.storageProof.actions(queryId);
  const screen = terminalScreen(json);
  printRecord(screen, `Actions of query ${queryId}`, reply.actions);
  screen.document({ queryId, ...reply });
};

export default action;
