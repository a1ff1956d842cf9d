import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { HdpConnection } from "../../plugin/hdp.js";
import { projectSubmissions } from "../../plugin/submission-stores.js";
import { recordNamed } from "../../submission/settle.js";
import { milliseconds } from "../option-values.js";
import { command } from "../run-command.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { style } from "../ui/screen.js";

interface Arguments {
  readonly ids: string[];
  readonly timeout: string | undefined;
}

export const awaitSubmissions = command(async (args: Arguments, { hre, screen }) => {
  const timeout = milliseconds(args.timeout, "--timeout");
  const documents: unknown[] = [];
  for (const id of args.ids) {
    const hdp = await hdpOf(id, hre);
    const progress = new Progress(screen);
    const finished = await hdp
      .await(id, { onStatus: progress.onStatus, onPause: progress.onPause, timeout })
      .finally(() => progress.end());
    const { submission, status } = finished;
    const results = await finished.results();
    printResults(screen, results);
    documents.push({ submission, status, results });
  }
  return documents.length === 1 ? documents[0] : { submissions: documents };
});

export const status = command(async ({ id }: { id: string }, { hre, screen }) => {
  const { name, phase, detail } = await (await hdpOf(id, hre)).status(id);
  screen.line(`  ${style.strong(name)}  ${phase}${detail === undefined ? "" : `, ${detail}`}`);
  return { id, name, phase, detail };
});

/** Returns `hdp` of the network that `--network` names, else of the one where the submission was made. */
async function hdpOf(id: string, hre: HardhatRuntimeEnvironment): Promise<HdpConnection> {
  // Without --network the option is undefined, whatever its type says.
  const options: Partial<typeof hre.globalOptions> = hre.globalOptions;
  const made = recordNamed(projectSubmissions(hre.config.hdp.dataDir), id)?.network;
  const own = made !== undefined && made in hre.config.networks ? made : undefined;
  return (await hre.network.getOrCreate(options.network ?? own)).hdp;
}
