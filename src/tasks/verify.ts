import type { NewTaskActionFunction } from "hardhat/types/tasks";
import { errorResult, successfulResult } from "hardhat/utils/result";

import { isTaskHash, parseAddress } from "../plugin/parse-arguments.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { readRequest } from "./command.js";
import { terminalScreen } from "./ui/screen.js";
import { printVerification } from "./ui/verification.js";

interface VerifyArguments {
  readonly task: string;
  readonly store: string | undefined;
  readonly json: boolean;
}

/** Ends with exit code 1 where a word differs or is missing, after both were shown. */
const action: NewTaskActionFunction<VerifyArguments> = async (args, hre) =>
  await atTheEdge(async () => {
    const store = args.store === undefined ? undefined : parseAddress(args.store, "--store");
    const input = isTaskHash(args.task) ? args.task : await readRequest(args.task, hre);
    const { hdp, networkName } = await hre.network.getOrCreate();
    const report = await hdp.verify(input, { store });
    const screen = terminalScreen(args.json);
    printVerification(screen, report, networkName);
    // A task may hold private inputs, and its hash names it.
    const results = report.results.map((result) => ({ ...result, task: undefined }));
    screen.document({ networkName, agrees: report.agrees, results });
    return report.agrees ? successfulResult() : errorResult();
  });

export default action;
