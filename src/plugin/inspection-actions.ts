import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import type { Inspection } from "./inspection.js";
import type { InspectionActions } from "./inspection-types.js";

/** `verify`, `explain`, `record` and `replay` of a connection, loaded at the first call. */
export class LazyInspectionActions implements InspectionActions {
  readonly #context: HookContext;
  readonly #connection: () => Promise<NetworkConnection<string>>;

  public constructor(context: HookContext, connection: () => Promise<NetworkConnection<string>>) {
    this.#context = context;
    this.#connection = connection;
  }

  public readonly verify: InspectionActions["verify"] = async (...args) => await (await this.#load()).verify(...args);
  public readonly explain: InspectionActions["explain"] = async (...args) =>
    await (await this.#load()).explain(...args);
  public readonly record: InspectionActions["record"] = async (...args) => await (await this.#load()).record(...args);
  public readonly replay: InspectionActions["replay"] = async (...args) => await (await this.#load()).replay(...args);

  async #load(): Promise<Inspection> {
    const { Inspection } = await import("./inspection.js");
    return new Inspection(this.#context, await this.#connection());
  }
}
