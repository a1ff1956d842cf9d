import { errorResult, successfulResult } from "hardhat/utils/result";

import { isTaskHash, parseAddress } from "../../plugin/parse-arguments.js";
import { optionalText, word } from "../shared-options.js";
import { command } from "../command.js";
import { readRequest } from "../requests/read-request.js";
import { printVerification } from "./print-verification.js";

/** Ends with exit code 1 where a word differs or is missing, after both were shown. */
export default command({
  name: "verify",
  description: "Compute a task from chain data and compare with the stored result",
  positional: {
    task: word("A task file, or the hash of a task that is in the journal; standard input when left out", "-"),
  },
  options: { store: optionalText("Address of the execution store, instead of the configured one") },
  run: async (args, { hre, screen }) => {
    const store = args.store === undefined ? undefined : parseAddress(args.store, "--store");
    const input = isTaskHash(args.task) ? args.task : await readRequest(args.task, hre, undefined, screen);
    const { hdp, networkName } = await hre.network.getOrCreate();
    const report = await hdp.verify(input, { store });
    printVerification(screen, report, networkName);
    // A task may hold private inputs, and its hash names it.
    const results = report.results.map((result) => ({ ...result, task: undefined }));
    screen.document({ networkName, agrees: report.agrees, results });
    return report.agrees ? successfulResult() : errorResult();
  },
});
