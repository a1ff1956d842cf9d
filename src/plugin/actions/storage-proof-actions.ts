import type {
  AwaitRequestOptions,
  StorageProof,
  StorageProofQuery,
} from "../../service/storage-proof/storage-proof.js";
import { storageProof } from "../service-clients.js";
import type { Scope } from "../session.js";

export type { StorageProofQuery } from "../../service/storage-proof/storage-proof.js";

/** `hdp.storageProof`: the storage proof interface. Its use is charged. */
export interface StorageProofActions {
  /** `body` from `storageProofRequest` of `hardhat-hdp/service`, or any JSON of your own. */
  readonly submitRequest: StorageProof["submitRequest"];
  /** Resolves when the request has queries and all are completed. The wait ends after `hdp.timeouts.await`. */
  readonly awaitRequest: (requestId: string, options?: AwaitRequestOptions) => Promise<readonly StorageProofQuery[]>;
  readonly queries: StorageProof["getQueries"];
  /** Takes a query's `internal_id`. */
  readonly actions: StorageProof["getActions"];
  readonly growOrders: GrowOrderActions;
  /** Needs no key. */
  readonly isAlive: StorageProof["isAlive"];
}

/** Grow orders. Their fields are not published: bodies go in and come out as they are. */
export interface GrowOrderActions {
  readonly list: StorageProof["growOrders"];
  readonly create: StorageProof["createGrowOrder"];
  readonly read: StorageProof["growOrder"];
  readonly cancel: StorageProof["cancelGrowOrder"];
}

export function storageProofActions({ session }: Scope): Omit<StorageProofActions, "growOrders"> {
  const client = async (): Promise<StorageProof> => await storageProof(await session());
  return {
    submitRequest: async (...args) => await (await client()).submitRequest(...args),
    awaitRequest: async (requestId, options) => {
      const { timeouts } = (await session()).config;
      return await (await client()).awaitRequest(requestId, { timeoutMs: timeouts.await, ...options });
    },
    queries: async (...args) => await (await client()).getQueries(...args),
    actions: async (...args) => await (await client()).getActions(...args),
    isAlive: async (...args) => await (await client()).isAlive(...args),
  };
}

export function growOrderActions({ session }: Scope): GrowOrderActions {
  const client = async (): Promise<StorageProof> => await storageProof(await session());
  return {
    list: async (...args) => await (await client()).growOrders(...args),
    create: async (...args) => await (await client()).createGrowOrder(...args),
    read: async (...args) => await (await client()).growOrder(...args),
    cancel: async (...args) => await (await client()).cancelGrowOrder(...args),
  };
}
