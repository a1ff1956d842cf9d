import type { ModuleTasksClient } from "../../service/data-processor/module-tasks-client.js";
import { moduleTasks } from "../service-clients.js";
import type { Scope } from "../session.js";

/** `hdp.moduleTasks`: what a data processor of edition `module-tasks` offers beside submitting and status. */
export interface ModuleTaskActions {
  /** Everything the service tells of a task. */
  readonly details: Bound<ModuleTasksClient["details"]>;
  /** The MMRs that the task was proven against. */
  readonly mmrs: Bound<ModuleTasksClient["mmrs"]>;
  /** The felts that the result root is made of; null before they are known. */
  readonly outputPreimage: Bound<ModuleTasksClient["outputPreimage"]>;
  /** The states that the task went through, with their times. */
  readonly stateTransitions: Bound<ModuleTasksClient["stateTransitions"]>;
  /** Tasks of this account, by page. */
  readonly list: Bound<ModuleTasksClient["list"]>;
  /** Starts a failed task again. It is charged. */
  readonly retry: Bound<ModuleTasksClient["retry"]>;
  /** What the service says of its own parts. Needs no key. */
  readonly health: Bound<ModuleTasksClient["health"]>;
}

/** A method as a function of its own: the members of `hdp` survive destructuring. */
type Bound<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => ReturnType<F>;

export function moduleTaskActions({ session }: Scope): ModuleTaskActions {
  const client = async (): Promise<ModuleTasksClient> => await moduleTasks(await session());
  return {
    details: async (...args) => await (await client()).details(...args),
    mmrs: async (...args) => await (await client()).mmrs(...args),
    outputPreimage: async (...args) => await (await client()).outputPreimage(...args),
    stateTransitions: async (...args) => await (await client()).stateTransitions(...args),
    list: async (...args) => await (await client()).list(...args),
    retry: async (...args) => await (await client()).retry(...args),
    health: async (...args) => await (await client()).health(...args),
  };
}
