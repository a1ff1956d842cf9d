import { readJsonFile } from "./json-file.js";
import { forceSending, word, yes } from "../shared-options.js";
import { command } from "../command.js";
import type { CallRecord } from "../../plugin/actions/storage-proof-actions.js";
import { printEarlier } from "../journal/print-submissions.js";
import { confirmed } from "../ui/confirm.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "grow-order create",
  aliases: ["grow-order:create"],
  description: "Create a grow order (charged)",
  positional: { file: word("The request's body (JSON), relative to the project") },
  options: { yes, force: forceSending },
  run: async (args, { hre, screen, asker }) => {
    const body = await readJsonFile(args.file, hre.config.paths.root);
    const { hdp, networkName } = await hre.network.getOrCreate();
    printRecord(screen, `Grow order to create (network "${networkName}")`, body);
    if (!(await confirmed("Create it? It is charged.", args.yes, asker))) {
      screen.line("  Nothing was sent.");
      process.exitCode = 1;
      return;
    }
    let title = "Created";
    const onEarlier = (earlier: CallRecord): void => {
      title = `Grow order ${earlier.serviceId ?? earlier.id}`;
      printEarlier(screen)(earlier);
    };
    const { file: label, force } = args;
    const order = await hdp.storageProof.growOrders.create(body, { label, force, onEarlier });
    printRecord(screen, title, order);
    screen.document(order);
  },
});
