import { HdpError } from "../../errors/hdp-error.js";
import type { CallRecord } from "../../journal/call-record.js";
import { sentBefore } from "../../journal/call-standing.js";
import { contentOf, type SendOptions } from "../../journal/journaled-calls.js";
import type { ServiceCallOptions } from "../../service/http/http-client.js";
import { isServiceFailure } from "../../service/http/service-errors.js";
import type {
  AwaitRequestOptions,
  StorageProofClient,
  StorageProofAccepted,
  StorageProofQuery,
} from "../../service/storage-proof.js";
import { type Journaled, storageProof } from "../service-clients.js";
import type { Scope, Session } from "../session.js";

export type { StorageProofQuery } from "../../service/storage-proof.js";
export type { CallRecord } from "../../journal/call-record.js";
export type { SendOptions } from "../../journal/journaled-calls.js";

/** `hdp.storageProof`: the storage proof interface. Its use is charged. */
export interface StorageProofActions {
  /**
   * `body` from `storageProofRequest` of `hardhat-hdp/service`, or any JSON of your own. One that was accepted before is
   * not sent again unless `force` says so: its id is returned.
   */
  readonly submitRequest: (body: unknown, options?: ServiceCallOptions & SendOptions) => Promise<StorageProofAccepted>;
  /** Resolves when the request has queries and all are completed. The wait ends after `hdp.timeouts.await`. */
  readonly awaitRequest: (requestId: string, options?: AwaitRequestOptions) => Promise<readonly StorageProofQuery[]>;
  readonly queries: StorageProofClient["getQueries"];
  /** Takes a query's `internal_id`. */
  readonly actions: StorageProofClient["getActions"];
  readonly growOrders: GrowOrderActions;
  /** Needs no key. */
  readonly isAlive: StorageProofClient["isAlive"];
}

/** Grow orders. Their fields are not published: bodies go in and come out as they are. */
export interface GrowOrderActions {
  readonly list: StorageProofClient["growOrders"];
  /** One that was accepted before is not created again unless `force` says so: the order is read and returned. */
  readonly create: (body: unknown, options?: ServiceCallOptions & SendOptions) => Promise<unknown>;
  readonly read: StorageProofClient["growOrder"];
  readonly cancel: StorageProofClient["cancelGrowOrder"];
}

export function storageProofActions({ session }: Scope): Omit<StorageProofActions, "growOrders"> {
  const service = async (): Promise<Journaled<StorageProofClient>> => await storageProof(await session());
  return {
    submitRequest: async (body, options = {}) => await submitOnce(await session(), body, options),
    awaitRequest: async (requestId, options) => {
      const { timeouts } = (await session()).config;
      return await awaitObserved(await service(), requestId, { timeout: timeouts.await, ...options });
    },
    queries: async (...args) => await (await service()).client.getQueries(...args),
    actions: async (...args) => await (await service()).client.getActions(...args),
    isAlive: async (...args) => await (await service()).client.isAlive(...args),
  };
}

export function growOrderActions({ session }: Scope): GrowOrderActions {
  const client = async (): Promise<StorageProofClient> => (await storageProof(await session())).client;
  return {
    list: async (...args) => await (await client()).growOrders(...args),
    create: async (body, options = {}) => await createOnce(await session(), body, options),
    read: async (...args) => await (await client()).growOrder(...args),
    cancel: async (...args) => await (await client()).cancelGrowOrder(...args),
  };
}

async function submitOnce(
  session: Session,
  body: unknown,
  { force, label, onEarlier, ...options }: ServiceCallOptions & SendOptions,
): Promise<StorageProofAccepted> {
  const { client, journaled } = await storageProof(session);
  const { signal } = options;
  const outcome = await (
    await journaled()
  ).send({
    ...{ kind: "storage-proof", content: contentOf(body), label, force, signal },
    send: async (key) => await client.submitRequest(body, { idempotencyKey: key, ...options }),
    idOf: (accepted) => accepted.request_id,
    isGone: async ({ serviceId }) =>
      await isGone(session, serviceId, async (id) => await client.getQueries(id, { signal, attempts: 1 })),
  });
  if ("answer" in outcome) return outcome.answer;
  const { earlier } = outcome;
  onEarlier?.(earlier);
  if (earlier.serviceId === undefined) throw withoutId(earlier);
  const last = earlier.states.at(-1)?.name;
  return { request_id: earlier.serviceId, ...(last === undefined ? {} : { status: last }) };
}

async function createOnce(
  session: Session,
  body: unknown,
  { force, label, onEarlier, ...options }: ServiceCallOptions & SendOptions,
): Promise<unknown> {
  const { client, journaled } = await storageProof(session);
  const { signal } = options;
  const outcome = await (
    await journaled()
  ).send({
    ...{ kind: "grow-order", content: contentOf(body), label, force, signal },
    send: async (key) => await client.createGrowOrder(body, { idempotencyKey: key, ...options }),
    idOf: orderIdOf,
    isGone: async ({ serviceId }) =>
      await isGone(session, serviceId, async (id) => await client.growOrder(id, { signal, attempts: 1 })),
  });
  if ("answer" in outcome) return outcome.answer;
  const { earlier } = outcome;
  onEarlier?.(earlier);
  if (earlier.serviceId === undefined) throw withoutId(earlier);
  return await client.growOrder(earlier.serviceId, { signal });
}

/** Awaits a request, and writes into the journal where it stands. */
async function awaitObserved(
  { client, journaled }: Journaled<StorageProofClient>,
  requestId: string,
  options: AwaitRequestOptions,
): Promise<readonly StorageProofQuery[]> {
  const calls = await journaled();
  let seen: Promise<void> = Promise.resolve();
  const observe = (queries: readonly StorageProofQuery[], phase: "pending" | "finalized" | "failed"): void => {
    const name = [...new Set(queries.map(({ status }) => status))].join(", ");
    seen = seen.then(async () => {
      await calls.observe(requestId, { name: name === "" ? phase : name, phase });
    });
  };
  try {
    let last: readonly StorageProofQuery[] = [];
    const queries = await client
      .awaitRequest(requestId, {
        ...options,
        onQueries: (all) => {
          last = all;
          observe(all, "pending");
          options.onQueries?.(all);
        },
      })
      .catch((error: unknown) => {
        if (isServiceFailure(error, "task-failed")) observe(last, "failed");
        throw error;
      });
    observe(queries, "finalized");
    return queries;
  } finally {
    await seen;
  }
}

/** Only a service of a development chain loses what it had: nothing that was paid for is sent again for want of an answer. */
async function isGone(
  session: Session,
  serviceId: string | undefined,
  look: (id: string) => Promise<unknown>,
): Promise<boolean> {
  if (serviceId === undefined || !(await session.isDevelopment())) return false;
  return await look(serviceId).then(
    () => false,
    (error: unknown) => isServiceFailure(error, "not-found"),
  );
}

/** The replies to grow orders are not published: these are the names that an id has elsewhere. */
function orderIdOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(answer));
  for (const name of ["id", "order_id", "orderId", "grow_order_id", "internal_id", "uuid"]) {
    const id = members.get(name);
    if (typeof id === "string" && id !== "") return id;
    if (typeof id === "number") return String(id);
  }
  return undefined;
}

function withoutId(earlier: CallRecord): HdpError {
  return new HdpError({
    code: "HDP-5013",
    message: `it was ${sentBefore(earlier)}. Nothing was sent.`,
    hints: [
      "The service's answer named no id, by which it could be looked at.",
      "Send it again with --force (force: true).",
    ],
  });
}
