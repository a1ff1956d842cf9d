import { emptyTask } from "hardhat/config";
import type { TaskDefinition } from "hardhat/types/tasks";

import { inspectTasks } from "./definitions/inspect.js";
import { journalTasks } from "./definitions/journal.js";
import { moduleTasks } from "./definitions/modules.js";
import { nodeTasks } from "./definitions/node.js";
import { programTasks } from "./definitions/programs.js";
import { requestTasks } from "./definitions/requests.js";
import { serviceTasks } from "./definitions/service.js";
import { storageProofTasks } from "./definitions/storage-proofs.js";
import { storeTasks } from "./definitions/stores.js";

/** Every command; definitions only, actions load when they run. */
export const tasks: TaskDefinition[] = [
  emptyTask("hdp", "Submits tasks to a data processor, awaits them and reads their results").build(),
  ...requestTasks,
  ...storeTasks,
  ...inspectTasks,
  ...journalTasks,
  ...programTasks,
  ...moduleTasks,
  ...storageProofTasks,
  ...serviceTasks,
  ...nodeTasks,
];
