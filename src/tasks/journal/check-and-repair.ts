import { command } from "../run-command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";
import { printLine, verdict } from "./damage.js";

export const checkAndRepair = command(async ({ repair }: { repair: boolean }, { hre, screen }) => {
  const check = await hre.hdp.journal.check({ repair });
  screen.line();
  screen.line(`  ${style.strong("Journal")}  ${check.path}, ${plural(check.submissions, "submission")}`);
  for (const line of check.damage) printLine(screen, line);
  screen.line(`  ${verdict(check, repair)}`);
  return { ...check, repaired: repair };
});
