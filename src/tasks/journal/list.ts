import { command } from "../command.js";
import { printDamage } from "./damage.js";
import { printUndecided, recordDocument, recordRow } from "./print-submissions.js";
import { printTable } from "../ui/table.js";

export default command({
  name: "list",
  description: "List the submissions of this project, with their states and ages",
  run: async (_args, { hre, screen }) => {
    const records = await hre.hdp.journal.list();
    const now = Date.now();
    if (records.length === 0) screen.line("  Nothing was submitted to a service from this project yet.");
    else {
      const rows = records.map((record) => recordRow(record, now));
      printTable(screen, ["SUBMISSION", "STATE", "AGE", "NETWORK", "DESTINATION", "TASKS"], rows);
    }
    printUndecided(screen, records);
    printDamage(screen, await hre.hdp.journal.check());
    screen.document(records.map((record) => ({ ...recordDocument(record), ageMs: now - Date.parse(record.firstAt) })));
  },
});
