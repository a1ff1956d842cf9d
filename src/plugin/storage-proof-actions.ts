import type { NetworkConnection } from "hardhat/types/network";

import type { StorageProof } from "../service/storage-proof/storage-proof.js";
import type { GrowOrderActions, StorageProofActions } from "./action-types.js";
import type { HdpConfig } from "./config/types.js";
import { atTheEdge } from "./plugin-error.js";

/** `hdp.storageProof`. Loads the client at the first call. */
export class LazyStorageProofActions implements StorageProofActions {
  readonly #connection: () => Promise<NetworkConnection<string>>;

  public constructor(connection: () => Promise<NetworkConnection<string>>) {
    this.#connection = connection;
  }

  public readonly submitRequest: StorageProofActions["submitRequest"] = async (...args) =>
    await this.#call(async (client) => await client.submitRequest(...args));
  public readonly awaitRequest: StorageProofActions["awaitRequest"] = async (requestId, options) =>
    await this.#call(
      async (client, { timeouts }) => await client.awaitRequest(requestId, { timeoutMs: timeouts.await, ...options }),
    );
  public readonly queries: StorageProofActions["queries"] = async (...args) =>
    await this.#call(async (client) => await client.getQueries(...args));
  public readonly actions: StorageProofActions["actions"] = async (...args) =>
    await this.#call(async (client) => await client.getActions(...args));
  public readonly isAlive: StorageProofActions["isAlive"] = async (...args) =>
    await this.#call(async (client) => await client.isAlive(...args));

  public readonly growOrders: GrowOrderActions = {
    list: async (...args) => await this.#call(async (client) => await client.growOrders(...args)),
    create: async (...args) => await this.#call(async (client) => await client.createGrowOrder(...args)),
    read: async (...args) => await this.#call(async (client) => await client.growOrder(...args)),
    cancel: async (...args) => await this.#call(async (client) => await client.cancelGrowOrder(...args)),
  };

  async #call<T>(action: (client: StorageProof, config: HdpConfig) => Promise<T>): Promise<T> {
    return await atTheEdge(async () => {
      const { storageProof } = await import("./service-clients.js");
      const connection = await this.#connection();
      return await action(await storageProof(connection), connection.networkConfig.hdp);
    });
  }
}
