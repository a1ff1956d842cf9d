import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { checkInterfaces } from "../plugin/alive.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { terminalScreen } from "./ui/screen.js";
import { printTable } from "./ui/table.js";

const MARKS = { alive: "✔", failed: "✘", unchecked: "?", "not configured": "-" } as const;

const action: NewTaskActionFunction<{ json: boolean }> = async ({ json }, hre) => {
  await atTheEdge(async () => {
    const connection = await hre.network.getOrCreate();
    const found = await checkInterfaces(connection);
    const screen = terminalScreen(json);
    const rows = found.map((one) => [
      ...[one.interface, `${MARKS[one.state]} ${one.state}`, one.address ?? "", one.detail],
    ]);
    printTable(screen, ["INTERFACE", "STATE", "ADDRESS", "DETAIL"], rows);
    screen.document({ networkName: connection.networkName, interfaces: found });
    if (found.some((one) => one.state === "failed")) process.exitCode = 1;
  });
};

export default action;
