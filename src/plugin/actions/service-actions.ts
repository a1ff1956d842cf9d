import { isRecord } from "../../base/collections.js";
import { hdpError, notAllowed } from "../../errors/hdp-error.js";
import type { AwaitOptions, CallOptions } from "../../request/data-processor.js";
import type { TaskResult } from "../../request/task-result.js";
import type { ModuleTasksClient } from "../../service/data-processor/module-tasks-client.js";
import type { ServiceCallOptions } from "../../service/http/http-client.js";
import { isServiceFailure } from "../../service/http/service-errors.js";
import type {
  AwaitRequestOptions,
  StorageProofAccepted,
  StorageProofClient,
  StorageProofQuery,
} from "../../service/storage-proof.js";
import {
  isLive,
  isUndecided,
  isUnfinished,
  type SubmissionRecord,
} from "../../submission/model.js";
import { sentBefore } from "../../submission/recovery.js";
import { requireRecord } from "../../submission/lookup.js";
import {
  forgotten,
  notItsId,
  notResumable,
  settle,
  settleByRegistry,
} from "../../submission/settle.js";
import type { StoredSubmission } from "../../submission/stored-submission.js";
import type { SubmissionStore } from "../../submission/store.js";
import { projectSubmissions } from "../project-database.js";
import {
  callPipeline,
  contentOf,
  moduleTasks,
  observeCall,
  programRegistry,
  sendOnce,
  type SendOptions,
  storageProof,
} from "../services.js";
import type { Scope, Session } from "../session.js";

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
  /** Resolves when the request has queries and all are completed. Waits at most `hdp.timeouts.await`. */
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
  /** The storage proof interface: queries, actions, grow orders, liveness. Charged calls are in `hdp.storageProof`. */
  readonly storageProof: () => Promise<
    Omit<StorageProofClient, "submitRequest" | "createGrowOrder" | "awaitRequest">
  >;
  /** Details, lists and retries of a data processor in the API version `module-tasks`. */
  readonly moduleTasks: () => Promise<ModuleTasksClient>;
}

export function clientActions({ session }: Scope): ClientActions {
  return {
    storageProof: async () => (await storageProof(await session())).client,
    moduleTasks: async () => await moduleTasks(await session()),
  };
}

export function storageProofActions(scope: Scope): StorageProofActions {
  return {
    submitRequest: async (body, options = {}) => {
      const session = await scope.session();
      const { client, service } = await storageProof(session);
      const { answer, earlier } = await sendOnce(session, service, {
        ...{ kind: "storage-proof", content: contentOf(body), options },
        send: async (call) => await client.submitRequest(body, call),
        idOf: ({ request_id }) => request_id,
        look: looksAt(session, options, async (id, call) => await client.getQueries(id, call)),
      });
      if (earlier === undefined) return answer;
      return {
        request_id: idOf(earlier),
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
        ...{ kind: "grow-order", content: contentOf(body), options },
        send: async (call) => await client.createGrowOrder(body, call),
        idOf: orderIdOf,
        look: looksAt(session, options, async (id, call) => await client.growOrder(id, call)),
      });
      return earlier === undefined
        ? answer
        : await client.growOrder(idOf(earlier), { signal: options.signal });
    },
  };
}

/** Returns a function that asks a service of a development chain. Elsewhere, nothing paid for is sent again. */
function looksAt(
  session: Session,
  { signal }: ServiceCallOptions,
  look: (id: string, options: ServiceCallOptions) => Promise<unknown>,
): (id: string) => Promise<unknown> {
  return async (id) =>
    (await session.isDevelopment()) ? await look(id, { signal, attempts: 1 }) : undefined;
}

/** Returns the id in the reply to a grow order, which is not published: these are its names elsewhere. */
function orderIdOf(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  for (const name of ["id", "order_id", "orderId", "grow_order_id", "internal_id", "uuid"]) {
    const id = answer[name];
    if (typeof id === "string" && id !== "") return id;
    if (typeof id === "number") return String(id);
  }
  return undefined;
}

function idOf(earlier: SubmissionRecord): string {
  if (earlier.serviceId === undefined) throw hdpError("HDP-5013", { sent: sentBefore(earlier) });
  return earlier.serviceId;
}

export interface ResumeOptions extends AwaitOptions {
  /** The service's id of a submission whose answer was lost. */
  readonly accepted?: string | undefined;
  /** Record the id `accepted` even if the service names another hash for it, or another submission has it. */
  readonly force?: boolean | undefined;
  /** Give up the submission, so that it may be sent again. */
  readonly lost?: boolean | undefined;
  /** Called with the queries of a storage proof request, as `hdp.storageProof.awaitRequest` does. */
  readonly onQueries?: AwaitRequestOptions["onQueries"];
}

export interface ResumedSubmission {
  readonly record: StoredSubmission;
  /** Results of tasks, in the order of their hashes; empty for a submission that was given up. */
  readonly results: readonly TaskResult[];
  /** Queries of a storage proof request that was awaited. */
  readonly queries?: readonly StorageProofQuery[];
  /** A grow order as the service returns it. */
  readonly order?: unknown;
}

/** `hdp.submissions`: the submissions sent from this project. */
export interface RecordActions {
  /**
   * Returns all submissions, oldest first: tasks, storage proof requests, programs, grow orders. With `unfinished`,
   * returns those that are not finished, or whose results were not read.
   */
  readonly list: (options?: {
    readonly unfinished?: boolean;
  }) => Promise<readonly StoredSubmission[]>;
  /**
   * Finishes a submission on the network it was made on: awaits it and reads its results. `id` is an id, the beginning
   * of one or a task hash. Where the service's answer was lost, asks the execution store or the registry.
   */
  readonly resume: (id: string, options?: ResumeOptions) => Promise<ResumedSubmission>;
}

export function recordActions(scope: Scope): RecordActions {
  const store = projectSubmissions(scope.project.config.hdp.dataDir);
  return {
    list: async ({ unfinished = false } = {}) => {
      const records = store.list({ unfinished });
      return unfinished ? records.filter(isUnfinished) : records;
    },
    resume: async (name, { accepted, lost, force, ...waiting } = {}) => {
      const session = await scope.session();
      if (accepted !== undefined && lost === true)
        throw notAllowed("--lost", "an option beside --accepted", {
          path: "--lost",
          hints: ["Nothing was changed."],
        });
      const named = requireRecord(store, name);
      const own = await session.on(named.network);
      const pipeline = callPipeline(own);
      if (lost === true) {
        const record = await settle(store, pipeline, named, {
          as: "lost",
          reason: "given up by the user",
        });
        return { record: requireRecord(store, record.id), results: [] };
      }
      let record: SubmissionRecord = named;
      if (accepted !== undefined) {
        const asking = { force, signal: waiting.signal };
        if (named.kind === "tasks")
          await (await own.processor()).submissions.requireAccepted(named, accepted, asking);
        else await requireAcceptedCall(own, store, named, accepted, asking);
        record = await settle(store, pipeline, named, { as: "accepted", serviceId: accepted });
      }
      const resumed = await resumeOn(own, record, waiting).catch((error: unknown) => {
        throw record.kind === "tasks" ? error : forgotten(error, record);
      });
      return { results: [], ...resumed, record: requireRecord(store, record.id) };
    },
  };
}

/**
 * Asks a service for what it accepted under an id, before the id is recorded. A program's hash is compared with the
 * registry's. The content of a storage proof request or a grow order is not published, so only its existence is
 * checked.
 *
 * @throws HdpError HDP-5017 where the id belongs to another submission, HDP-2040 or HDP-2041 where the service does not
 * know it
 */
async function requireAcceptedCall(
  session: Session,
  store: SubmissionStore,
  record: SubmissionRecord,
  serviceId: string,
  { force, signal }: CallOptions & Pick<ResumeOptions, "force">,
): Promise<void> {
  const { id, kind, endpoint } = record;
  if (kind === "program") {
    const hash = record.parts[0]?.hash ?? "";
    if (force !== true && serviceId.toLowerCase() !== hash)
      throw notItsId(record, serviceId, `a registry knows a program by its hash, ${hash}`);
    await (await programRegistry(session)).client.metadata(serviceId, { signal });
    return;
  }
  const { client } = await storageProof(session);
  await (kind === "grow-order"
    ? client.growOrder(serviceId, { signal })
    : client.getQueries(serviceId, { signal }));
  const other = store
    .withServiceId(serviceId)
    .find((one) => one.id !== id && one.kind === kind && one.endpoint === endpoint);
  if (other !== undefined && force !== true)
    throw notItsId(record, serviceId, "another submission has it");
}

type Resumed = Partial<Omit<ResumedSubmission, "record">>;

async function resumeOn(
  session: Session,
  record: SubmissionRecord,
  options: ResumeOptions,
): Promise<Resumed> {
  const { kind, serviceId } = record;
  if (kind === "tasks")
    return { results: await (await session.processor()).submissions.resume(record, options) };
  if (kind === "program" && isUndecided(record)) {
    const { client } = await programRegistry(session);
    const store = projectSubmissions(session.config.dataDir);
    await settleByRegistry(
      store,
      callPipeline(session),
      record,
      async (hash) => await client.metadata(hash),
    );
    return {};
  }
  if (!isLive(record) || serviceId === undefined) throw notResumable(record);
  if (kind === "storage-proof") {
    const { timeout = session.config.timeouts.await } = options;
    const queries = await storageProofActions(session).awaitRequest(serviceId, {
      ...options,
      timeout,
    });
    return { queries };
  }
  if (kind === "program") return {};
  const { client } = await storageProof(session);
  return { order: await client.growOrder(serviceId, { signal: options.signal }) };
}
