import { randomUUID } from "node:crypto";

import { type Clock, systemClock } from "../base/clock.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { errorMessage } from "../base/text.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Task } from "../request/task.js";
import type { DevServerInfo, RequestLine, RunView } from "../request/views.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";

import type { PublishedSides } from "../service/data-processor/contradictions.js";
import { DEFAULT_LIMITS, type DevServerLimits } from "./body.js";
import { dashboardRoutes } from "./dashboard-routes.js";
import { ServerDatabase } from "./database.js";
import { aliveRoutes, descriptionRoutes } from "./description-routes.js";
import { growOrderRoutes } from "./grow-order-routes.js";
import { indexerRoutes } from "./indexer-routes.js";
import { loginRoutes } from "./login-routes.js";
import { serve } from "./http.js";
import { Acceptance } from "./idempotency.js";
import { moduleRoutes } from "./module-routes.js";
import { programRoutes } from "./program-routes.js";
import { ProgramStore } from "./program-store.js";
import { RequestLog } from "./request-log.js";
import type { Route } from "./route.js";
import { stateRoutes } from "./state-routes.js";
import { StateTries } from "./state-tries.js";
import { storageProofRoutes } from "./storage-proof-routes.js";
import { StorageProofs } from "./storage-proofs.js";
import { taskRoutes } from "./task-routes.js";
import { type DevServerProcessor, type ServerContext, TaskService } from "./task-service.js";
import { WebhookSender, type WebhookTargets } from "./webhooks.js";

/** Data of the server that a data processor may use. */
export interface DevServerData {
  readonly programs: ProgramStore;
  /** Tries of injected state, for runs from one of their roots. */
  readonly tries: StateTries;
}

/** Options of {@link startDevServer}. */
export interface DevServerOptions {
  /** Computes the tasks: a `LocalDataProcessor`, or a function that creates one. The server does not close it. */
  readonly processor: DevServerProcessor | ((data: DevServerData) => DevServerProcessor);
  /** Provider of the chain that a storage proof request names. */
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Port to listen on. Default 0, any free port. */
  readonly port?: number | undefined;
  /** Other origins whose pages may use the server, such as `http://localhost:3000`; `*` for all. Default none. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Origin at which a proxy or a forwarded port serves this server, such as `https://abc-8546.app.github.dev`. */
  readonly publicUrl?: string | undefined;
  /** Limits on requests; missing ones have their defaults. */
  readonly limits?: Partial<DevServerLimits> | undefined;
  /** Called after each answered request. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  /** The only accepted key. Default: any key, but one is required. */
  readonly apiKey?: string | undefined;
  /** Folder for tasks, programs and all other data. Default: data is kept in memory. */
  readonly dataDir?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a new id. Default: random UUIDs. */
  readonly newId?: (() => string) | undefined;
  /** Faults to inject, for tests. */
  readonly faults?: FaultQueue | undefined;
  /** Milliseconds between the six states of a batch. Default 0: only the states that occur on this server. */
  readonly latency?: number | undefined;
  /**
   * Sides of the points on which sources contradict each other in API version `module-tasks`. Default: bodies of both sides,
   * and replies as the newest pages have them.
   */
  readonly published?: PublishedSides | undefined;
  /** Default "loopback". */
  readonly allowWebhooksTo?: WebhookTargets | undefined;
  /** Timeout for receiving a body, in milliseconds. Default 30,000. */
  readonly bodyTimeout?: number | undefined;
  readonly info?: DevServerInfo | undefined;
  /** Computes a task again for the dashboard, to display the data behind its value. Default: it is not displayed. */
  readonly explain?: ((task: Task, signal: AbortSignal) => Promise<RunView>) | undefined;
  /** Called with internal failures, at most once a minute for the same message. Default: they are ignored. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A server that is listening. */
export interface DevServer extends DevServerData {
  /** Base address of all interfaces, without a trailing slash. */
  readonly url: string;
  /** Answers open requests, ends the connections and closes the data folder, which keeps unfinished tasks. */
  close(): Promise<void>;
}

/**
 * Serves the data processor (all API versions), the program registry, the storage proof interface and the state server
 * over HTTP, backed by a local data processor.
 * @throws HdpError HDP-4501 if the server cannot listen, HDP-5101 to 5105 for a data folder in use or unusable
 * @example
 * const server = await startDevServer({ processor, providerFor: () => provider, port: 8546 });
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { host = "127.0.0.1", port = 0, corsOrigins = [], apiKey, bodyTimeout = 30_000 } = options;
  const { onRequest = () => undefined, info = {}, explain, publicUrl } = options;
  const closing = new AbortController();
  const parts = openParts(options);
  const requests = new RequestLog(parts.timestamp);
  try {
    const server = await serve({
      ...parts,
      routes: [
        ...parts.routes,
        ...descriptionRoutes(info),
        ...dashboardRoutes({ ...parts, info, explain, publicUrl, requests }),
      ],
      host,
      port,
      corsOrigins,
      publicUrl,
      apiKey,
      bodyTimeout,
      onRequest: (line) => {
        requests.add(line);
        onRequest(line);
      },
      closing: closing.signal,
      acceptance: new Acceptance(parts.database),
    });
    parts.proofs.resume();
    await parts.tasks.resume();
    return {
      ...parts.data,
      url: server.url,
      close: async () => {
        closing.abort();
        await server.close();
        await parts.close();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** A server without HTTP. */
export interface ServerParts extends ServerContext {
  readonly data: DevServerData;
  readonly tasks: TaskService;
  readonly proofs: StorageProofs;
  /** Routes that the OpenAPI document describes. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Returns a server without HTTP: its data and its routes. */
export function openParts(
  options: DevServerOptions,
  database = ServerDatabase.open(options.dataDir),
): ServerParts {
  const {
    clock = systemClock,
    newId = randomUUID,
    latency = 0,
    faults,
    providerFor,
    onFailure,
  } = options;
  const timestamp = (): string => new Date(clock.now()).toISOString();
  const context: ServerContext = {
    database,
    clock,
    timestamp,
    newId,
    chain: chainIdentity(options.info),
    latency,
    faults,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    onFailure: onceAMinute(clock, onFailure),
  };
  const webhooks = new WebhookSender(options.allowWebhooksTo ?? "loopback", clock);
  const data = { programs: new ProgramStore(database), tries: new StateTries(database) };
  const { programs, tries } = data;
  const { published = {} } = options;
  const processor =
    typeof options.processor === "function" ? options.processor(data) : options.processor;
  const tasks = new TaskService({ ...context, processor, webhooks });
  const proofs = new StorageProofs({ ...context, providerFor });
  return {
    ...context,
    data,
    tasks,
    proofs,
    routes: [
      ...taskRoutes({ ...context, tasks, programs, published }),
      ...programRoutes(programs),
      ...moduleRoutes({ ...context, published }, programs),
      ...storageProofRoutes(context, proofs),
      ...growOrderRoutes(context),
      ...indexerRoutes(options.providerFor),
      ...stateRoutes(tries),
      ...loginRoutes({ clock, apiKey: options.apiKey }),
      ...aliveRoutes(),
    ],
    close: async () => {
      proofs.close();
      await tasks.close();
      await webhooks.close();
      await database.end();
    },
  };
}

function chainIdentity({ firstBlock, executionStore }: DevServerInfo = {}): string | undefined {
  return firstBlock && executionStore && `${firstBlock}/${executionStore}`;
}

/** Returns the routes that the OpenAPI document describes. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const unused = (): never => {
    throw new Error("nothing is served");
  };
  const processor = { submit: unused, wait: unused, results: unused };
  const parts = openParts({ processor, providerFor: unused });
  await parts.close();
  return parts.routes;
}

/** Reports the same message at most once a minute: a full disk fails every request. */
function onceAMinute(clock: Clock, report?: (error: unknown) => void): (error: unknown) => void {
  let last = { words: "", at: 0 };
  return (error) => {
    const words = errorMessage(error);
    if (words === last.words && clock.now() - last.at < 60_000) return;
    last = { words, at: clock.now() };
    report?.(error);
  };
}
