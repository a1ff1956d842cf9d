import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { knownPrograms } from "../plugin/known-programs.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { describeTask } from "../request/describe-task.js";
import { taskHash } from "../request/task-hash.js";
import { readRequest } from "./command.js";
import { plural } from "./ui/format.js";
import { argumentsOf, preview } from "./ui/preview.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ file: string; json: boolean }> = async ({ file, json }, hre) => {
  await atTheEdge(async () => {
    const request = await readRequest(file, hre);
    const programs = knownPrograms(hre.config);
    const screen = terminalScreen(json);
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
  });
};

export default action;
