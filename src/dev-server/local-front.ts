import { randomUUID } from "node:crypto";

import { systemClock, type Clock } from "../base/clock.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { DataProcessor } from "../request/lifecycle.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import type { TaskDesk } from "./accept-task.js";
import { serve, type FrontServer, type RequestLine } from "./front-server.js";
import { openState } from "./front-state.js";
import { IdempotencyKeys, type Keyed } from "./idempotency-keys.js";
import { FRONT_LIMITS, type FrontLimits } from "./limits.js";
import { ProgramStore } from "./program-store.js";
import type { Route } from "./router.js";
import { batchRoutes } from "./routes/batch-routes.js";
import { descriptionRoutes, type FrontInfo } from "./routes/description-routes.js";
import { healthRoutes } from "./routes/health-routes.js";
import { moduleTaskRoutes } from "./routes/module-task-routes.js";
import { programRoutes } from "./routes/program-routes.js";
import { stateRoutes } from "./routes/state-routes.js";
import { growOrderRoutes, storageProofRoutes } from "./routes/storage-proof-routes.js";
import { taskRoutes } from "./routes/task-routes.js";
import type { StateTries } from "./state-tries.js";
import type { TaskBook } from "./task-book.js";
import type { TaskRecord } from "./task-record.js";
import type { CorsOrigins } from "./web-guard.js";
import { WebhookSender, type WebhookTargets } from "./webhook.js";

export interface LocalFrontOptions {
  /** Computes the tasks; a `LocalDataProcessor` is one. Stays open when the front is closed. */
  readonly processor: Pick<Required<DataProcessor>, "submit" | "wait" | "results">;
  /** Provider of the chain that a storage proof request names. */
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  /** Address on which it listens; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0, any that is free. */
  readonly port?: number | undefined;
  /** Origins whose web pages may use it beside its own, such as `http://localhost:3000`; `*` for all. Default none. */
  readonly corsOrigins?: CorsOrigins | undefined;
  /** What one request, and all together, may ask for; what is left out has its default. */
  readonly limits?: Partial<FrontLimits> | undefined;
  /** Told of every request when it was answered. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** The only key that is accepted. Default: any key is, but one must be given. */
  readonly apiKey?: string | undefined;
  /** Folder in which tasks and programs survive the process. Default: they are kept in memory. */
  readonly dataDir?: string | undefined;
  /** Stored programs, to share them with a module runner; open them from the same folder. */
  readonly programs?: ProgramStore | undefined;
  /** Told of the tries of the front's state server, for the module runner to start from. */
  readonly onTries?: ((tries: StateTries) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** Makes ids; default random UUIDs. */
  readonly newId?: (() => string) | undefined;
  /** What goes wrong, for tests. */
  readonly faults?: FaultQueue | undefined;
  /**
   * Milliseconds from one state of a batch to the next, so that all six of the specification are seen; default 0, which
   * shows those that happen here.
   */
  readonly latencyMs?: number | undefined;
  /** Default "loopback". */
  readonly allowWebhooksTo?: WebhookTargets | undefined;
  /** How long a body may take to arrive, in milliseconds; default 30,000. */
  readonly bodyTimeoutMs?: number | undefined;
  /** What `GET /` tells beside. */
  readonly info?: Omit<FrontInfo, "name"> | undefined;
  /** Told of failures inside; default: they are answered 500 and no more is said. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

export interface LocalFront {
  /** Base address of all three interfaces, without a slash at its end. */
  readonly url: string;
  readonly programs: ProgramStore;
  /** Answers what was asked, ends the connections and lets go of the data folder. Unfinished tasks are kept in it. */
  close(): Promise<void>;
}

/**
 * Serves the data processor (all editions), the program registry and the storage proof interface over HTTP, backed by
 * a local data processor.
 *
 * @throws HdpError HDP-4501 for a port in use, HDP-4502 and HDP-4503 for a data folder that cannot be used.
 * @example
 * const front = await startLocalFront({ processor, providerFor: () => provider, port: 8546 });
 */
export async function startLocalFront(options: LocalFrontOptions): Promise<LocalFront> {
  const clock = options.clock ?? systemClock;
  const newId = options.newId ?? randomUUID;
  const timestamp = (): string => new Date(clock.now()).toISOString();
  const webhooks = new WebhookSender(options.allowWebhooksTo ?? "loopback", clock);
  const programs = options.programs ?? (await ProgramStore.open(options.dataDir));
  const limits = { ...FRONT_LIMITS, ...options.limits };
  const { processor, providerFor } = options;
  const onFailure = toldOnce(options.onFailure ?? (() => undefined));
  const state = await openState({
    dataDir: options.dataDir,
    ...{ processor, providerFor, timestamp, newId, onFailure },
    notify: async (record, signal) => await webhooks.notify(record, signal),
  });
  const { tasks, proofs, growOrders, uploads, tries } = state;
  options.onTries?.(tries);
  const desk: TaskDesk = {
    tasks,
    webhooks,
    faults: options.faults,
    keys: new IdempotencyKeys((key) => keyedTask(tasks, key)),
    oddPolls: new Map(),
  };
  const described: readonly Route[] = [
    ...taskRoutes({ desk, programs, limits, apiKey: options.apiKey }),
    ...batchRoutes(desk, {
      ...{ limits, apiKey: options.apiKey },
      play: { latencyMs: options.latencyMs ?? 0, now: () => clock.now() },
    }),
    ...moduleTaskRoutes(desk),
    ...programRoutes(programs, uploads, limits),
    ...storageProofRoutes({ proofs, growOrders, newId, timestamp }),
    ...growOrderRoutes({ proofs, growOrders, newId, timestamp }),
    ...stateRoutes(tries),
    ...healthRoutes(),
  ];
  const info = (): FrontInfo => ({ name: "hardhat-hdp local front", ...options.info });
  let server: FrontServer;
  try {
    server = await serve({
      routes: [...described, ...descriptionRoutes(info, () => described)],
      port: options.port ?? 0,
      host: options.host ?? "127.0.0.1",
      corsOrigins: options.corsOrigins ?? [],
      limits,
      onRequest: options.onRequest ?? (() => undefined),
      apiKey: options.apiKey,
      faults: options.faults,
      bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000,
      onFailure,
    });
  } catch (error) {
    await Promise.all([state.close(), webhooks.close()]);
    throw error;
  }
  await state.resume();
  return {
    url: server.url,
    programs,
    close: async () => {
      await server.close();
      await state.close();
      await webhooks.close();
    },
  };
}

/** A failure that many calls share is told of by the first of them. */
function toldOnce(tell: (error: unknown) => void): (error: unknown) => void {
  const told = new WeakSet();
  return (error) => {
    if (typeof error === "object" && error !== null) {
      if (told.has(error)) return;
      told.add(error);
    }
    tell(error);
  };
}

function keyedTask(tasks: TaskBook, key: string): Promise<Keyed<TaskRecord> | undefined> | undefined {
  return tasks.index
    .findByKey(key)
    ?.then((record) => record && { digest: record.accepted.idempotency?.digest, record });
}
