import { isRecord } from "../../base/collections.js";
import { hdpError } from "../../errors/hdp-error.js";
import type {
  Decommitment,
  ModuleTasksClient,
} from "../../service/data-processor/module-tasks-client.js";
import type { ServiceCallOptions } from "../../service/http/http-client.js";
import { isServiceFailure } from "../../service/http/service-errors.js";
import type { ModuleRegistryClient } from "../../service/module-registry.js";
import type {
  AwaitRequestOptions,
  StorageProofAccepted,
  StorageProofClient,
  StorageProofQuery,
} from "../../service/storage-proof.js";
import type { SubmissionRecord } from "../../submission/model.js";
import { sentBefore } from "../../submission/recovery.js";
import { serviceRefusals } from "../service-refusals.js";
import { moduleRegistry, moduleTasks, moduleTasksService, storageProof } from "../services.js";
import { contentDigest, observeCall, sendOnce, type SendOptions } from "../charged-calls.js";
import type { Scope } from "../session.js";
import type { ConnectedNetwork } from "../connected-network.js";

/** `hdp.storageProof`: the storage proof interface. Its use is charged. */
export interface StorageProofActions {
  /**
   * Submits a storage proof request: a `body` from `storageProofRequest` of `hardhat-hdp/service`, or any JSON of your
   * own. A body that was accepted before is not sent again unless `force` is set: its id is returned.
   */
  readonly submitRequest: (
    body: unknown,
    options?: ServiceCallOptions & SendOptions,
  ) => Promise<StorageProofAccepted>;
  /**
   * Resolves when the request has queries and all are completed. Waits at most `hdp.timeouts.await`.
   *
   * @throws ServiceFailure HDP-2091 where a query failed, HDP-2081 at the timeout
   */
  readonly awaitRequest: (
    requestId: string,
    options?: AwaitRequestOptions,
  ) => Promise<readonly StorageProofQuery[]>;
  /** Creates a grow order. An order that was accepted before is read and returned instead, unless `force` is set. */
  readonly createGrowOrder: (
    body: unknown,
    options?: ServiceCallOptions & SendOptions,
  ) => Promise<unknown>;
}

/** `hdp.clients`: clients of the configured services, for endpoints that have no function of their own. */
export interface ClientActions {
  /**
   * Returns the client of the storage proof interface: queries, actions, grow orders, liveness. Charged calls are in
   * `hdp.storageProof`.
   */
  readonly storageProof: () => Promise<
    Omit<StorageProofClient, "submitRequest" | "createGrowOrder" | "awaitRequest">
  >;
  /**
   * Returns the client of a data processor in API version `module-tasks`: details, lists, retries.
   * @throws HdpError HDP-2006 for another
   */
  readonly moduleTasks: () => Promise<ModuleTasksClient>;
  /**
   * Returns the client of the module registry of a data processor in API version `module-tasks`. `hdp.program.upload`
   * stores classes there.
   */
  readonly moduleRegistry: () => Promise<Omit<ModuleRegistryClient, "upload">>;
}

/** Returns the HTTP clients of the configured services. */
export function clientActions({ session }: Scope): ClientActions {
  return {
    storageProof: async () => (await storageProof(await session())).client,
    moduleTasks: async () => await moduleTasks(await session()),
    moduleRegistry: async () => await moduleRegistry(await session()),
  };
}

/** Returns the actions on storage proof requests over a connection. */
export function storageProofActions(scope: Scope): StorageProofActions {
  return {
    submitRequest: async (body, options = {}) => {
      const session = await scope.session();
      const { client, service } = await storageProof(session);
      const { answer, earlier } = await sendOnce(session, service, {
        kind: "storage-proof",
        content: contentDigest(body),
        options,
        send: async (call) => await client.submitRequest(body, call),
        idOf: ({ request_id }) => request_id,
        look: looksAt(session, options, async (id, call) => await client.getQueries(id, call)),
      });
      if (earlier === undefined) return answer;
      return {
        request_id: requireServiceId(earlier),
        ...(earlier.seen === undefined ? {} : { status: earlier.seen.name }),
      };
    },
    awaitRequest: async (requestId, options = {}) => {
      const session = await scope.session();
      const { client, service } = await storageProof(session);
      await service.http.requireKey();
      const observe = (
        queries: readonly StorageProofQuery[],
        phase: "pending" | "finalized" | "failed",
      ): void => {
        const name = [...new Set(queries.map(({ status }) => status))].join(", ");
        observeCall(session, service, requestId, { name: name === "" ? phase : name, phase });
      };
      let last: readonly StorageProofQuery[] = [];
      const onQueries = (all: readonly StorageProofQuery[]): void => {
        last = all;
        observe(all, "pending");
        options.onQueries?.(all);
      };
      const waiting = { timeout: session.config.timeouts.await, ...options, onQueries };
      const queries = await client.awaitRequest(requestId, waiting).catch((error: unknown) => {
        if (isServiceFailure(error, "task-failed")) observe(last, "failed");
        throw error;
      });
      observe(queries, "finalized");
      return queries;
    },
    createGrowOrder: async (body, options = {}) => {
      const session = await scope.session();
      const { client, service } = await storageProof(session);
      const { answer, earlier } = await sendOnce(session, service, {
        kind: "grow-order",
        content: contentDigest(body),
        options,
        send: async (call) => await client.createGrowOrder(body, call),
        idOf: findOrderId,
        look: looksAt(session, options, async (id, call) => await client.growOrder(id, call)),
      });
      return earlier === undefined
        ? answer
        : await client.growOrder(requireServiceId(earlier), { signal: options.signal });
    },
  };
}

/**
 * Has the result of a run at the prover delivered, once: a run that was accepted for the same destination is not sent
 * again unless `force` is set, whatever output is given. @returns the service's id of the task, where it names one
 * @throws HdpError HDP-2027 for a destination whose satellite takes no results, HDP-2006, and those of the pipeline
 */
export async function decommitRun(
  session: ConnectedNetwork,
  run: Decommitment,
  options: ServiceCallOptions & SendOptions = {},
): Promise<Readonly<{ uuid?: string | undefined; raw?: unknown }>> {
  const { queryId, destinationChainId } = run;
  const request = { destinationChainId, tasks: [] };
  const classOf = async (): Promise<undefined> => await Promise.resolve(undefined);
  const [refusal] = await serviceRefusals(request, "module-tasks", { classOf });
  if (refusal !== undefined) throw refusal;
  const client = await moduleTasks(session);
  const { answer, earlier } = await sendOnce(session, await moduleTasksService(session), {
    kind: "decommitment",
    content: contentDigest({ queryId, destinationChainId }),
    options: { label: queryId, ...options },
    send: async (call) => await client.decommit(run, call),
    idOf: ({ uuid }) => uuid,
    look: looksAt(session, options, async (id, call) => await client.details(id, call)),
  });
  return earlier === undefined ? answer : { uuid: earlier.serviceId };
}

/** Returns a function that asks a service of a development chain. Elsewhere, nothing paid for is sent again. */
function looksAt(
  session: ConnectedNetwork,
  { signal }: ServiceCallOptions,
  look: (id: string, options: ServiceCallOptions) => Promise<unknown>,
): (id: string) => Promise<unknown> {
  return async (id) =>
    (await session.isDevelopment()) ? await look(id, { signal, attempts: 1 }) : undefined;
}

/** Returns the id in the reply to a grow order, which is not published: these are its names elsewhere. */
function findOrderId(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  for (const name of ["id", "order_id", "orderId", "grow_order_id", "internal_id", "uuid"]) {
    const id = answer[name];
    if (typeof id === "string" && id !== "") return id;
    if (typeof id === "number") return String(id);
  }
  return undefined;
}

function requireServiceId(earlier: SubmissionRecord): string {
  if (earlier.serviceId === undefined) throw hdpError("HDP-5013", { sent: sentBefore(earlier) });
  return earlier.serviceId;
}
