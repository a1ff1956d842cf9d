import { readJsonFile } from "./json-file.js";
import { word, yes } from "../shared-options.js";
import { command } from "../command.js";
import { confirmed } from "../ui/confirm.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "grow-order create",
  aliases: ["grow-order:create"],
  description: "Create a grow order (charged)",
  positional: { file: word("The request's body (JSON), relative to the project") },
  options: { yes },
  run: async (args, { hre, screen, asker }) => {
    const body = await readJsonFile(args.file, hre.config.paths.root);
    const { hdp, networkName } = await hre.network.getOrCreate();
    printRecord(screen, `Grow order to create (network "${networkName}")`, body);
    if (!(await confirmed("Create it? It is charged.", args.yes, asker))) {
      screen.line("  Nothing was sent.");
      process.exitCode = 1;
      return;
    }
    const order = await hdp.storageProof.growOrders.create(body);
    printRecord(screen, "Created", order);
    screen.document(order);
  },
});
