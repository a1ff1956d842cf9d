import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { timeoutMilliseconds } from "./command.js";
import { Progress } from "./ui/progress.js";
import { printResults } from "./ui/results.js";
import { terminalScreen } from "./ui/screen.js";

interface AwaitArguments {
  readonly id: string;
  readonly timeout: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<AwaitArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    const timeout = timeoutMilliseconds(args.timeout);
    const { hdp } = await hre.network.getOrCreate();
    const screen = terminalScreen(args.json);
    const progress = new Progress(screen);
    const { submission, status, taskHashes } = await hdp
      .await(args.id, { onStatus: progress.onStatus, timeout })
      .finally(() => progress.end());
    const results = await Promise.all(taskHashes.map(async (hash) => await hdp.readResult(hash)));
    printResults(screen, results);
    screen.document({ submission, status, results });
  });
};

export default action;
