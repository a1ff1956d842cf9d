import { command } from "../run-command.js";
import { printDamage } from "./damage.js";
import {
  callRow,
  printUndecided,
  printUndecidedCalls,
  recordDocument,
  recordRow,
  taskLines,
} from "./print-submissions.js";
import { printTable } from "../ui/table.js";

export const list = command(async (_args: object, { hre, screen }) => {
  const records = await hre.hdp.journal.list();
  const calls = await hre.hdp.journal.calls();
  const now = Date.now();
  if (records.length === 0 && calls.length === 0)
    screen.line("  Nothing was submitted to a service from this project yet.");
  if (records.length > 0) {
    const rows = records.map((record) => recordRow(record, now));
    printTable(screen, ["SUBMISSION", "STATE", "AGE", "NETWORK", "DESTINATION", "TASKS"], rows, records.map(taskLines));
  }
  if (calls.length > 0) {
    const rows = calls.map((call) => callRow(call, now));
    printTable(screen, ["SENT", "STATE", "AGE", "NETWORK", "SERVICE", "WHAT"], rows);
  }
  printUndecided(screen, records);
  printUndecidedCalls(screen, calls);
  printDamage(screen, await hre.hdp.journal.check());
  const documents = [...records.map(recordDocument), ...calls.map((call) => ({ ...call }))];
  const ages = [...records, ...calls].map(({ firstAt }) => now - Date.parse(firstAt));
  return documents.map((document, index) => ({ ...document, ageMs: ages[index] }));
});
