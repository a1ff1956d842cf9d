import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { readJsonFile } from "../plugin/json-file.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { timeoutMilliseconds } from "./command.js";
import { Progress } from "./ui/progress.js";
import { printQueries, queriesAsStatus } from "./ui/queries.js";
import { style, terminalScreen } from "./ui/screen.js";

interface ProveArguments {
  readonly file: string;
  readonly noWait: boolean;
  readonly timeout: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<ProveArguments> = async ({ file, noWait, timeout, json }, hre) => {
  await atTheEdge(async () => {
    const timeoutMs = timeoutMilliseconds(timeout);
    const body = await readJsonFile(file, hre.config.paths.root);
    const { hdp } = await hre.network.getOrCreate();
    const screen = terminalScreen(json);
    const accepted = await hdp.storageProof.submitRequest(body);
    const { request_id: requestId } = accepted;
    screen.line();
    screen.line(`  ${style.strong("Request")}  ${requestId}`);
    screen.line(`  Look at it again with: ${style.command(`npx hardhat hdp:queries ${requestId}`)}`);
    if (noWait) {
      screen.document({ requestId, accepted });
      return;
    }
    const progress = new Progress(screen);
    const queries = await hdp.storageProof
      .awaitRequest(requestId, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        onQueries: (seen) => {
          progress.onStatus(queriesAsStatus(seen));
        },
      })
      .finally(() => progress.end());
    printQueries(screen, queries);
    screen.document({ requestId, accepted, queries });
  });
};

export default action;
