import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { parseAddress, parseTaskHash } from "../plugin/parse-arguments.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { printResults } from "./ui/results.js";
import { terminalScreen } from "./ui/screen.js";

interface ResultArguments {
  readonly taskHash: string;
  readonly store: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<ResultArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    const taskHash = parseTaskHash(args.taskHash, "taskHash");
    const store = args.store === undefined ? undefined : parseAddress(args.store, "--store");
    const { hdp } = await hre.network.getOrCreate();
    const result = await hdp.readResult(taskHash, { store });
    const screen = terminalScreen(args.json);
    printResults(screen, [result]);
    screen.document(result);
  });
};

export default action;
