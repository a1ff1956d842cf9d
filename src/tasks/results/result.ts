import { parseStore, parseTaskHash } from "../../plugin/parse-arguments.js";
import { optionalText, word, unit } from "../shared-options.js";
import { command } from "../command.js";
import { printResults } from "../ui/results.js";
import { parseUnit } from "../ui/units.js";

export default command({
  name: "result",
  description: "Print the finalized result of a task hash",
  positional: { taskHash: word("The task hash") },
  options: {
    store: optionalText("Address of the execution store, instead of the configured one"),
    destination: optionalText("Chain identifier the result was delivered to, for instance SN_SEPOLIA"),
    unit,
  },
  run: async (args, { hre, screen }) => {
    const unit = parseUnit(args.unit);
    const taskHash = parseTaskHash(args.taskHash, "taskHash");
    const { destination } = args;
    const store = args.store === undefined ? undefined : parseStore(args.store, destination);
    const { hdp } = await hre.network.getOrCreate();
    const result = await hdp.readResult(taskHash, { store, destination });
    printResults(screen, [result], { unit });
    screen.document(result);
  },
});
