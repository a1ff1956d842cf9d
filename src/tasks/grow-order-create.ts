import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { readJsonFile } from "../plugin/json-file.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { confirmed } from "./ui/confirm.js";
import { printRecord } from "./ui/record.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ file: string; yes: boolean; json: boolean }> = async (args, hre) => {
  await atTheEdge(async () => {
    const body = await readJsonFile(args.file, hre.config.paths.root);
    const { hdp, networkName } = await hre.network.getOrCreate();
    const screen = terminalScreen(args.json);
    printRecord(screen, `Grow order to create (network "${networkName}")`, body);
    if (!(await confirmed("Create it? It is charged.", args.yes))) {
      screen.line("  Nothing was sent.");
      process.exitCode = 1;
      return;
    }
    const order = await hdp.storageProof.growOrders.create(body);
    printRecord(screen, "Created", order);
    screen.document(order);
  });
};

export default action;
