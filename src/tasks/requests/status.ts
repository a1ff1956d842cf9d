import { connectionOfSubmission } from "../../plugin/submission-network.js";
import { word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "status",
  description: "Print the state of a submission or of a task hash",
  positional: { id: word("A submission's id, or a task hash") },
  run: async ({ id }, { hre, screen }) => {
    const { hdp } = await connectionOfSubmission(hre, id);
    const status = await hdp.status(id);
    screen.line(
      `  ${style.strong(status.name)}  ${status.phase}${status.detail === undefined ? "" : `, ${status.detail}`}`,
    );
    screen.document({ id, ...status });
  },
});
