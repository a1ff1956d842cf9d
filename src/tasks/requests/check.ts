import { knownPrograms, type KnownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { taskHash } from "../../request/task-hash.js";
import { file, more } from "../shared-options.js";
import { command } from "../command.js";
import { type FileRequest, networkAtHand, readRequests } from "./read-requests.js";
import { plural } from "../ui/format.js";
import { argumentsOf, preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";

export default command({
  name: "check",
  description: "Validate task files and show what they would compute, without any network",
  positional: { file, more },
  run: async (args, { hre, screen }) => {
    const files = await readRequests([args.file, ...args.more], hre, undefined, networkAtHand(hre, screen));
    const programs = knownPrograms(hre.config);
    for (const { file, request } of files) {
      if (files.length > 1) {
        screen.line();
        screen.line(`  ${style.strong(file)}`);
      }
      preview(screen, request, programs);
      screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
    }
    screen.line();
    const tasks = files.reduce((sum, { request }) => sum + request.tasks.length, 0);
    const where = files.length > 1 ? ` in ${plural(files.length, "file")}` : "";
    screen.line(`  ${style.good("✔")} ${plural(tasks, "task")}${where}, no mistakes. Nothing was sent.`);
    const documents = files.map((one) => checked(one, programs));
    screen.document(
      files.length === 1
        ? documents[0]
        : { files: documents.map((one, index) => ({ file: files[index]?.file, ...one })) },
    );
  },
});

function checked({ request }: FileRequest, programs: KnownPrograms): Record<string, unknown> {
  return {
    destinationChainId: request.destinationChainId,
    tasks: request.tasks.map((task) => ({
      ...describeTask(task),
      taskHash: taskHash(task),
      arguments: argumentsOf(task, programs),
    })),
  };
}
