import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { printQueries } from "./ui/queries.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ requestId: string; json: boolean }> = async ({ requestId, json }, hre) => {
  const reply = await hre.hdp.storageProof.queries(requestId);
  const screen = terminalScreen(json);
  printQueries(screen, reply.queries);
  screen.document({ requestId, ...reply });
};

export default action;
