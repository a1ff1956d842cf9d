import { knownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { taskHash } from "../../request/task-hash.js";
import { file } from "../arguments.js";
import { command } from "../command.js";
import { readRequest } from "./read-request.js";
import { plural } from "../ui/format.js";
import { argumentsOf, preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";

export default command({
  name: "check",
  description: "Validate a task file and show what it would compute, without any network",
  positional: { file },
  run: async ({ file }, { hre, screen }) => {
    const request = await readRequest(file, hre);
    const programs = knownPrograms(hre.config);
    preview(screen, request, programs);
    screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
    screen.line();
    screen.line(`  ${style.good("✔")} ${plural(request.tasks.length, "task")}, no mistakes. Nothing was sent.`);
    screen.document({
      destinationChainId: request.destinationChainId,
      tasks: request.tasks.map((task) => ({
        ...describeTask(task),
        taskHash: taskHash(task),
        arguments: argumentsOf(task, programs),
      })),
    });
  },
});
