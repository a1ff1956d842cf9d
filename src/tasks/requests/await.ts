import { connectionOfSubmission } from "../../plugin/submission-network.js";
import { timeout, timeoutMilliseconds, word } from "../shared-options.js";
import { command } from "../command.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";

export default command({
  name: "await",
  description: "Await a submission made before and print its results",
  positional: { id: word("A submission's id, or a task hash") },
  options: { timeout },
  run: async (args, { hre, screen }) => {
    const timeout = timeoutMilliseconds(args.timeout);
    const { hdp } = await connectionOfSubmission(hre, args.id);
    const progress = new Progress(screen);
    const finished = await hdp
      .await(args.id, { onStatus: progress.onStatus, onPause: progress.onPause, timeout })
      .finally(() => progress.end());
    const { submission, status } = finished;
    const results = await finished.results();
    printResults(screen, results);
    screen.document({ submission, status, results });
  },
});
