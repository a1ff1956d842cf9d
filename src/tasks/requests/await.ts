import { connectionOfSubmission } from "../../plugin/submission-network.js";
import { milliseconds } from "../option-values.js";
import { command } from "../run-command.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { style } from "../ui/screen.js";

interface Arguments {
  readonly id: string;
  readonly timeout: string | undefined;
}

export const awaitSubmission = command(async (args: Arguments, { hre, screen }) => {
  const timeout = milliseconds(args.timeout, "--timeout");
  const { hdp } = await connectionOfSubmission(hre, args.id);
  const progress = new Progress(screen);
  const finished = await hdp
    .await(args.id, { onStatus: progress.onStatus, onPause: progress.onPause, timeout })
    .finally(() => progress.end());
  const { submission, status } = finished;
  const results = await finished.results();
  printResults(screen, results);
  return { submission, status, results };
});

export const status = command(async ({ id }: { id: string }, { hre, screen }) => {
  const { hdp } = await connectionOfSubmission(hre, id);
  const { name, phase, detail } = await hdp.status(id);
  screen.line(`  ${style.strong(name)}  ${phase}${detail === undefined ? "" : `, ${detail}`}`);
  return { id, name, phase, detail };
});
