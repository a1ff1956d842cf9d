import { readJsonFile } from "./json-file.js";
import { forceSending, noWait, timeout, timeoutMilliseconds, word } from "../shared-options.js";
import { command } from "../command.js";
import { printEarlier } from "../journal/print-submissions.js";
import { Progress } from "../ui/progress.js";
import { printQueries, queriesAsStatus } from "./query-table.js";
import { suggested } from "../../errors/suggested.js";
import { style } from "../ui/screen.js";

export default command({
  name: "proof submit",
  aliases: ["prove"],
  description: "Submit a storage proof request and await its queries (charged)",
  positional: { file: word("The request's body (JSON), relative to the project") },
  options: { noWait, force: forceSending, timeout },
  run: async ({ file, noWait, force, timeout }, { hre, screen }) => {
    const timeoutMs = timeoutMilliseconds(timeout);
    const body = await readJsonFile(file, hre.config.paths.root);
    const { hdp, networkName } = await hre.network.getOrCreate();
    const accepted = await hdp.storageProof.submitRequest(body, {
      force,
      label: file,
      onEarlier: printEarlier(screen),
    });
    const { request_id: requestId } = accepted;
    screen.line();
    screen.line(`  ${style.strong("Request")}  ${requestId}`);
    screen.line(
      `  Look at it again with: ${style.command(suggested("hdp:queries", [requestId], { network: networkName }))}`,
    );
    if (noWait) {
      screen.document({ requestId, accepted });
      return;
    }
    const progress = new Progress(screen);
    const queries = await hdp.storageProof
      .awaitRequest(requestId, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        onPause: progress.onPause,
        onQueries: (seen) => {
          progress.onStatus(queriesAsStatus(seen));
        },
      })
      .finally(() => progress.end());
    printQueries(screen, queries);
    screen.document({ requestId, accepted, queries });
  },
});
