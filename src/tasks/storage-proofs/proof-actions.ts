import { word } from "../shared-options.js";
import { command } from "../command.js";
import { printRecord } from "../ui/table.js";

export default command({
  name: "proof actions",
  aliases: ["actions"],
  description: "List what was done for a query of a storage proof request",
  positional: { queryId: word("A query's internal id, from hdp:queries") },
  run: async ({ queryId }, { hre, screen }) => {
    const reply = await hre.hdp.storageProof.actions(queryId);
    printRecord(screen, `Actions of query ${queryId}`, reply.actions);
    screen.document({ queryId, ...reply });
  },
});
