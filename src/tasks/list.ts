import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { terminalScreen } from "./ui/screen.js";
import { printUndecided, recordDocument, recordRow } from "./ui/submissions.js";
import { printTable } from "./ui/table.js";

const action: NewTaskActionFunction<{ json: boolean }> = async ({ json }, hre) => {
  const records = await hre.hdp.journal.list();
  const screen = terminalScreen(json);
  const now = Date.now();
  if (records.length === 0) screen.line("  Nothing was submitted to a service from this project yet.");
  else {
    const rows = records.map((record) => recordRow(record, now));
    printTable(screen, ["SUBMISSION", "STATE", "AGE", "NETWORK", "DESTINATION", "TASKS"], rows);
  }
  printUndecided(screen, records);
  screen.document(records.map((record) => ({ ...recordDocument(record), ageMs: now - Date.parse(record.firstAt) })));
};

export default action;
