import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { connectionOfSubmission } from "../plugin/submission-network.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ id: string; json: boolean }> = async ({ id, json }, hre) => {
  await atTheEdge(async () => {
    const { hdp } = await connectionOfSubmission(hre, id);
    const status = await hdp.status(id);
    const screen = terminalScreen(json);
    screen.line(
      `  ${style.strong(status.name)}  ${status.phase}${status.detail === undefined ? "" : `, ${status.detail}`}`,
    );
    screen.document({ id, ...status });
  });
};

export default action;
