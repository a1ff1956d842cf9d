import { command } from "../command.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "grow-order list",
  aliases: ["grow-orders"],
  description: "List the grow orders",
  run: async (_args, { hre, screen }) => {
    const orders = await hre.hdp.storageProof.growOrders.list();
    printRecord(screen, "Grow orders", orders);
    screen.document(orders);
  },
});
