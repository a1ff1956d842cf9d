import { word } from "../shared-options.js";
import { command } from "../command.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "grow-order show",
  aliases: ["grow-order"],
  description: "Print a grow order",
  positional: { id: word("A grow order's id") },
  run: async ({ id }, { hre, screen }) => {
    const order = await hre.hdp.storageProof.growOrders.read(id);
    printRecord(screen, `Grow order ${id}`, order);
    screen.document(order);
  },
});
