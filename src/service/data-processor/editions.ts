import { batchEdition } from "./batch-edition.js";
import type { WireEdition } from "./edition.js";
import type { WireEditionName } from "./edition-names.js";
import { moduleTasksEdition, type ModuleTasksEditionOptions } from "./module-tasks-edition.js";
import { tasksEdition } from "./tasks-edition.js";

/** Every wire edition by its name. `compiledClass` serves the one that sends a module's class along. */
export const EDITIONS: Readonly<
  Record<WireEditionName, (options: Pick<ModuleTasksEditionOptions, "compiledClass">) => WireEdition>
> = {
  tasks: () => tasksEdition,
  batch: () => batchEdition,
  "module-tasks": moduleTasksEdition,
};
