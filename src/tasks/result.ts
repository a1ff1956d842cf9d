import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { parseStore, parseTaskHash } from "../plugin/parse-arguments.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { printResults } from "./ui/results.js";
import { terminalScreen } from "./ui/screen.js";

interface ResultArguments {
  readonly taskHash: string;
  readonly store: string | undefined;
  readonly destination: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<ResultArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    const taskHash = parseTaskHash(args.taskHash, "taskHash");
    const { destination } = args;
    const store = args.store === undefined ? undefined : parseStore(args.store, destination);
    const { hdp } = await hre.network.getOrCreate();
    const result = await hdp.readResult(taskHash, { store, destination });
    const screen = terminalScreen(args.json);
    printResults(screen, [result]);
    screen.document(result);
  });
};

export default action;
