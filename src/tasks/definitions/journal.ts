import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json, timeout } from "./command.js";

/** What was sent from this project. */
export const journalTasks: TaskDefinition[] = [
  ...command("list", "List the submissions of this project, with their states and ages", (builder) =>
    builder.addFlag(json).setAction(() => import("../list.js")),
  ),
  ...command("resume", "Finish submissions that were interrupted", (builder) =>
    builder
      .addPositionalArgument({
        name: "id",
        description: "A journal id, a service id or a task hash; all that are not finished when left out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({
        name: "accepted",
        description: "The service's id of a submission whose answer was lost",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag({ name: "lost", description: "Give the submission up, so that its tasks may be sent again" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("../resume.js")),
  ),
];
