import { word } from "../shared-options.js";
import { command } from "../command.js";
import { printQueries } from "./query-table.js";

export default command({
  name: "proof queries",
  aliases: ["queries"],
  description: "List the queries of a storage proof request",
  positional: { requestId: word("A storage proof request's id") },
  run: async ({ requestId }, { hre, screen }) => {
    const reply = await hre.hdp.storageProof.queries(requestId);
    printQueries(screen, reply.queries);
    screen.document({ requestId, ...reply });
  },
});
