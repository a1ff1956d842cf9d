import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { confirmed } from "./ui/confirm.js";
import { printRecord } from "./ui/record.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ id: string; yes: boolean; json: boolean }> = async ({ id, yes, json }, hre) => {
  await atTheEdge(async () => {
    const { hdp, networkName } = await hre.network.getOrCreate();
    const screen = terminalScreen(json);
    if (!(await confirmed(`Cancel grow order ${id} (network "${networkName}")?`, yes))) {
      screen.line("  Nothing was sent.");
      process.exitCode = 1;
      return;
    }
    const answer = await hdp.storageProof.growOrders.cancel(id);
    printRecord(screen, `Cancelled grow order ${id}`, answer);
    screen.document({ id, answer });
  });
};

export default action;
