import { checkInterfaces } from "../../plugin/interface-states.js";
import { command } from "../run-command.js";
import { printTable } from "../ui/table.js";

const MARKS = { alive: "✔", failed: "✘", unchecked: "?", "not configured": "-" } as const;

export const alive = command(async (_args: object, { hre, screen }) => {
  const connection = await hre.network.getOrCreate();
  const interfaces = await checkInterfaces(connection);
  const rows = interfaces.map(({ interface: name, state, address = "", detail }) => {
    return [name, `${MARKS[state]} ${state}`, address, detail];
  });
  printTable(screen, ["INTERFACE", "STATE", "ADDRESS", "DETAIL"], rows);
  if (interfaces.some(({ state }) => state === "failed")) process.exitCode = 1;
  return { networkName: connection.networkName, interfaces };
});
