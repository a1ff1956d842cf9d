import type { NetworkConnection } from "hardhat/types/network";

import type { ModuleTasks } from "../service/data-processor/module-tasks-client.js";
import type { ModuleTaskActions } from "./action-types.js";
import { atTheEdge } from "./plugin-error.js";

/** `hdp.moduleTasks`. Loads the client at the first call. */
export class LazyModuleTaskActions implements ModuleTaskActions {
  readonly #connection: () => Promise<NetworkConnection<string>>;

  public constructor(connection: () => Promise<NetworkConnection<string>>) {
    this.#connection = connection;
  }

  public readonly details: ModuleTasks["details"] = async (...args) =>
    await this.#call(async (client) => await client.details(...args));
  public readonly mmrs: ModuleTasks["mmrs"] = async (...args) =>
    await this.#call(async (client) => await client.mmrs(...args));
  public readonly outputPreimage: ModuleTasks["outputPreimage"] = async (...args) =>
    await this.#call(async (client) => await client.outputPreimage(...args));
  public readonly stateTransitions: ModuleTasks["stateTransitions"] = async (...args) =>
    await this.#call(async (client) => await client.stateTransitions(...args));
  public readonly list: ModuleTasks["list"] = async (...args) =>
    await this.#call(async (client) => await client.list(...args));
  public readonly retry: ModuleTasks["retry"] = async (...args) =>
    await this.#call(async (client) => await client.retry(...args));
  public readonly health: ModuleTasks["health"] = async (...args) =>
    await this.#call(async (client) => await client.health(...args));

  async #call<T>(action: (client: ModuleTasks) => Promise<T>): Promise<T> {
    return await atTheEdge(async () => {
      const { moduleTasks } = await import("./service-clients.js");
      return await action(await moduleTasks(await this.#connection()));
    });
  }
}
