import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { Preflight } from "../../plugin/actions/preflight-action.js";
import { knownPrograms, type KnownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { taskHash } from "../../request/task-hash.js";
import { file, more } from "../shared-options.js";
import { command } from "../command.js";
import { type FileRequest, networkAtHand, readRequests } from "./read-requests.js";
import { printPreflight, withoutRequest } from "./print-preflight.js";
import { plural } from "../../base/text.js";
import { argumentsOf, preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";

export default command({
  name: "check",
  description:
    "Validate task files and show what they would compute; with --network, what sending them there would take",
  positional: { file, more },
  run: async (args, { hre, screen }) => {
    const files = await readRequests([args.file, ...args.more], hre, undefined, networkAtHand(hre, screen));
    const programs = knownPrograms(hre.config);
    for (const { file, request } of files) {
      if (files.length > 1) {
        screen.line();
        screen.line(`  ${style.strong(file)}`);
      }
      preview(screen, request, programs);
      // The preflight says it with the network.
      if (!hre.globalOptions.network) screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
    }
    screen.line();
    const tasks = files.reduce((sum, { request }) => sum + request.tasks.length, 0);
    const where = files.length > 1 ? ` in ${plural(files.length, "file")}` : "";
    const preflights = await preflightsOf(files, hre);
    for (const preflight of preflights) {
      printPreflight(screen, preflight);
      screen.line();
    }
    const missing = preflights.flatMap((one) => one.tasks).filter(({ lastBlock }) => lastBlock?.state === "missing");
    if (missing.length > 0) process.exitCode = 1;
    const verdict = missing.length > 0 ? `${plural(missing.length, "block")} not there yet` : "no mistakes";
    const mark = missing.length > 0 ? style.bad("✘") : style.good("✔");
    screen.line(`  ${mark} ${plural(tasks, "task")}${where}, ${verdict}. Nothing was sent.`);
    const documents = files.map((one, index) => ({
      ...checked(one, programs),
      ...(preflights[index] === undefined ? {} : { preflight: withoutRequest(preflights[index]) }),
    }));
    screen.document(
      files.length === 1
        ? documents[0]
        : { files: documents.map((one, index) => ({ file: files[index]?.file, ...one })) },
    );
  },
});

/** Of a network that was named with the command: without one, none is connected to. */
async function preflightsOf(
  files: readonly FileRequest[],
  { globalOptions, network }: HardhatRuntimeEnvironment,
): Promise<readonly Preflight[]> {
  // Without --network it is undefined, whatever its type says.
  if (!globalOptions.network) return [];
  const { hdp } = await network.getOrCreate();
  const preflights: Preflight[] = [];
  for (const { request } of files) preflights.push(await hdp.preflight(request));
  return preflights;
}

function checked({ request }: FileRequest, programs: KnownPrograms): Record<string, unknown> {
  return {
    destinationChainId: request.destinationChainId,
    tasks: request.tasks.map((task) => ({
      ...describeTask(task),
      taskHash: taskHash(task),
      arguments: argumentsOf(task, programs),
    })),
  };
}
