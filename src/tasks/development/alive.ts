import { checkInterfaces } from "../../plugin/interface-states.js";
import { command } from "../command.js";
import { printTable } from "../ui/table.js";

const MARKS = { alive: "✔", failed: "✘", unchecked: "?", "not configured": "-" } as const;

export default command({
  name: "alive",
  description: "Check every configured interface",
  run: async (_args, { hre, screen }) => {
    const connection = await hre.network.getOrCreate();
    const found = await checkInterfaces(connection);
    const rows = found.map((one) => [
      ...[one.interface, `${MARKS[one.state]} ${one.state}`, one.address ?? "", one.detail],
    ]);
    printTable(screen, ["INTERFACE", "STATE", "ADDRESS", "DETAIL"], rows);
    screen.document({ networkName: connection.networkName, interfaces: found });
    if (found.some((one) => one.state === "failed")) process.exitCode = 1;
  },
});
