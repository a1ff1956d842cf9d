import { word } from "../shared-options.js";
import { command } from "../command.js";
import { suggested } from "../../errors/suggested.js";
import { style } from "../ui/screen.js";

export default command({
  name: "task retry",
  aliases: ["retry"],
  description: "Start a failed task of edition module-tasks again",
  positional: { id: word("A task's id at the service") },
  run: async ({ id }, { hre, screen }) => {
    const retried = await hre.hdp.moduleTasks.retry(id);
    screen.line();
    screen.line(`  ${style.good("✔")} Task ${retried.uuid} was started again.`);
    screen.line(`  Look at it with: ${style.command(suggested("hdp:task", [retried.uuid]))}`);
    screen.document(retried);
  },
});
