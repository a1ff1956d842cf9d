import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { connectionOfSubmission } from "../plugin/submission-network.js";
import { timeoutMilliseconds } from "./command.js";
import { Progress } from "./ui/progress.js";
import { printResults } from "./ui/results.js";
import { terminalScreen } from "./ui/screen.js";
import { printUndecided } from "./ui/submissions.js";

interface AwaitArguments {
  readonly id: string;
  readonly timeout: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<AwaitArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    const timeout = timeoutMilliseconds(args.timeout);
    const { hdp } = await connectionOfSubmission(hre, args.id);
    const screen = terminalScreen(args.json);
    if ((await hdp.processor()).kind === "remote") printUndecided(screen, await hdp.journal.list());
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
