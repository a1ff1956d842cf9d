import { word, yes } from "../shared-options.js";
import { command } from "../command.js";
import { confirmed } from "../ui/confirm.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "grow-order cancel",
  aliases: ["grow-order:cancel"],
  description: "Cancel a grow order",
  positional: { id: word("A grow order's id") },
  options: { yes },
  run: async ({ id, yes }, { hre, screen, asker }) => {
    const { hdp, networkName } = await hre.network.getOrCreate();
    if (!(await confirmed(`Cancel grow order ${id} (network "${networkName}")?`, yes, asker))) {
      screen.line("  Nothing was sent.");
      process.exitCode = 1;
      return;
    }
    const answer = await hdp.storageProof.growOrders.cancel(id);
    printRecord(screen, `Cancelled grow order ${id}`, answer);
    screen.document({ id, answer });
  },
});
