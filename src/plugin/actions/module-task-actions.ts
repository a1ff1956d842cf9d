import type { ModuleTasks } from "../../service/data-processor/module-tasks-client.js";
import { moduleTasks } from "../service-clients.js";
import type { Scope } from "../session.js";

/** `hdp.moduleTasks`: what a data processor of edition `module-tasks` offers beside submitting and status. */
export interface ModuleTaskActions {
  readonly details: Bound<ModuleTasks["details"]>;
  readonly mmrs: Bound<ModuleTasks["mmrs"]>;
  readonly outputPreimage: Bound<ModuleTasks["outputPreimage"]>;
  readonly stateTransitions: Bound<ModuleTasks["stateTransitions"]>;
  readonly list: Bound<ModuleTasks["list"]>;
  readonly retry: Bound<ModuleTasks["retry"]>;
  readonly health: Bound<ModuleTasks["health"]>;
}

/** A method as a function of its own: the members of `hdp` survive destructuring. */
type Bound<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => ReturnType<F>;

export function moduleTaskActions({ session }: Scope): ModuleTaskActions {
  const client = async (): Promise<ModuleTasks> => await moduleTasks(await session());
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
