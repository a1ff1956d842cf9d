import { flag } from "../shared-options.js";
import { command } from "../command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";
import { printLine, verdict } from "./damage.js";

export default command({
  name: "journal",
  description: "Check the journal of submissions for damage",
  options: {
    check: flag("Look at every line (what the command does without an option, too)"),
    repair: flag("Go on without the damaged lines: record that the damage is known"),
  },
  run: async ({ repair }, { hre, screen }) => {
    const check = await hre.hdp.journal.check({ repair });
    screen.line();
    screen.line(`  ${style.strong("Journal")}  ${check.path}, ${plural(check.submissions, "submission")}`);
    for (const line of check.damage) printLine(screen, line);
    screen.line(`  ${verdict(check, repair)}`);
    screen.document({ ...check, repaired: repair });
  },
});
