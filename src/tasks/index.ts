import { emptyTask } from "hardhat/config";
import type { TaskDefinition } from "hardhat/types/tasks";

// Few files, because each one costs every command about a millisecond.
import { moduleTasks, starknetTasks } from "./definitions/cairo.js";
import { programTasks, serviceTasks, storageProofTasks } from "./definitions/services.js";
import { inspectTasks, journalTasks, nodeTasks, requestTasks, storeTasks } from "./definitions/tasks.js";

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
  ...starknetTasks,
  ...nodeTasks,
];
