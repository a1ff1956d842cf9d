import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { statusLines } from "./ui/progress.js";
import { terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ id: string; json: boolean }> = async ({ id, json }, hre) => {
  await atTheEdge(async () => {
    const { hdp } = await hre.network.getOrCreate();
    const status = await hdp.status(id);
    const screen = terminalScreen(json);
    statusLines(screen, () => 0)(status);
    screen.document({ id, ...status });
  });
};

export default action;
