import { knownPrograms, type KnownPrograms } from "../../plugin/known-programs.js";
import { ALREADY_FINALIZED } from "../../plugin/submission-network.js";
import type { HdpConnection } from "../../plugin/hdp.js";
import { HdpError } from "../../base/errors.js";
import type { TaskRequest } from "../../request/task.js";
import { file, flag, noWait, timeout, timeoutMilliseconds } from "../arguments.js";
import { command } from "../command.js";
import { readRequest } from "./read-request.js";
import { preview } from "../ui/preview.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { suggested } from "../ui/suggest.js";
import { style, type Screen } from "../ui/screen.js";
import { printUndecided } from "../journal/submissions.js";

export default command({
  name: "submit",
  description: "Submit a task file, await it and print its results",
  positional: { file },
  options: {
    noWait,
    force: flag("Send although the same tasks are open or finalized already"),
    timeout,
  },
  run: async (args, { hre, screen }) => {
    const timeout = timeoutMilliseconds(args.timeout);
    const request = await readRequest(args.file, hre, args.force ? "encodable" : "supported");
    // The connection is opened, and with it the network's name checked, before anything is sent.
    const connection = await hre.network.getOrCreate();
    const endsHere = connection.networkConfig.type === "edr-simulated";
    await submit(request, { ...args, timeout, programs: knownPrograms(hre.config), endsHere }, connection, screen);
  },
});

/** Previews a request, submits it, and unless `noWait` awaits it and prints its results. */
export async function submit(
  request: TaskRequest,
  options: {
    noWait: boolean;
    force: boolean;
    timeout: number | undefined;
    programs: KnownPrograms;
    endsHere?: boolean;
  },
  { hdp, networkName }: { hdp: HdpConnection; networkName: string },
  screen: Screen,
  now: () => number = Date.now,
): Promise<void> {
  const processor = await hdp.processor();
  if (options.noWait && processor.kind === "local") throw notLocally();
  preview(screen, request, options.programs);
  screen.line(
    `  ${style.strong("Destination")}  ${request.destinationChainId} (network "${networkName}", ${processor.description})`,
  );
  screen.line();

  const isRemote = processor.kind === "remote";
  if (isRemote) printUndecided(screen, await hdp.journal.list());
  const submission = await hdp.submit(request, {
    force: options.force,
    onPlan: ({ sentences }) => sentences.forEach((sentence) => screen.line(`  ${sentence}`)),
  });
  if (isRemote) {
    screen.line(`  ${style.strong("Submission")}  ${submission.id}`);
    const again = suggested("hdp:await", [submission.id], { network: networkName });
    if (submission.id !== ALREADY_FINALIZED) screen.line(`  Waiting can be resumed: ${style.command(again)}`);
  }
  if (options.noWait) {
    screen.document({ processor, networkName, submission });
    return;
  }
  const progress = new Progress(screen, now);
  const { status } = await hdp
    .await(submission, { onStatus: progress.onStatus, timeout: options.timeout })
    .finally(() => progress.end());
  const results = await Promise.all(submission.taskHashes.map(async (hash) => await hdp.readResult(hash)));
  printResults(screen, results);
  if (options.endsHere) screen.line("  The in-process chain ends with this command, and the store on it too.");
  screen.document({ processor, networkName, submission, status, results });
}

function notLocally(): HdpError {
  return new HdpError({
    code: "HDP-6007",
    path: "--no-wait",
    message: "the local data processor works inside this command and ends with it.",
    hints: ["Leave --no-wait out, or submit to a service: a network with hdp.dataProcessor configured."],
  });
}
