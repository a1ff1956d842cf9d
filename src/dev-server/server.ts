import { randomUUID } from "node:crypto";

import { type Clock, systemClock } from "../base/clock.js";
import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { Task as RequestedTask } from "../request/task.js";
import type { RunView } from "../request/views.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { DEFAULT_LIMITS, type DevServerLimits } from "./body.js";
import { Acceptance, ServerDatabase } from "./database.js";
import { dashboardRoutes } from "./dashboard.js";
import { aliveRoutes, descriptionRoutes, type DevServerInfo } from "./description.js";
import { type RequestLine, serve } from "./http.js";
import { moduleRoutes } from "./modules.js";
import { programRoutes, ProgramStore } from "./programs.js";
import type { Route } from "./route.js";
import { stateRoutes, StateTries } from "./state-server.js";
import { growOrderRoutes, storageProofRoutes, StorageProofs } from "./storage-proofs.js";
import { taskRoutes } from "./task-routes.js";
import { type DevServerProcessor, Tasks } from "./tasks.js";
import { WebhookSender, type WebhookTargets } from "./webhook.js";

/** Data of the server that a data processor may use. */
export interface DevServerData {
  readonly programs: ProgramStore;
  /** Tries of injected state, for runs from one of their roots. */
  readonly tries: StateTries;
}

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
  /**
   * Milliseconds from one state of a batch to the next, so that it passes all six states of the specification. Default
   * 0: only the states that occur on this server.
   */
  readonly latency?: number | undefined;
  /** Default "loopback". */
  readonly allowWebhooksTo?: WebhookTargets | undefined;
  /** Timeout for receiving a body, in milliseconds. Default 30,000. */
  readonly bodyTimeout?: number | undefined;
  readonly info?: DevServerInfo | undefined;
  /** Computes a task again for the dashboard, to display the data behind its value. Default: it is not displayed. */
  readonly explain?: ((task: RequestedTask, signal: AbortSignal) => Promise<RunView>) | undefined;
  /** Called with internal failures, at most once a minute for the same message. Default: they are ignored. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

export interface DevServer extends DevServerData {
  /** Base address of all interfaces, without a trailing slash. */
  readonly url: string;
  /** Answers open requests, ends the connections and closes the data folder, which keeps unfinished tasks. */
  close(): Promise<void>;
}

/**
 * Serves the data processor (all API versions), the program registry, the storage proof interface and the state server
 * over HTTP, backed by a local data processor.
 *
 * @throws HdpError HDP-4501 if the server cannot listen, HDP-5101 to 5105 for a data folder in use or unusable
 * @example
 * const server = await startDevServer({ processor, providerFor: () => provider, port: 8546 });
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { faults, clock = systemClock, info = {}, explain, latency = 0 } = options;
  const closing = new AbortController();
  const onFailure = onceAMinute(() => clock.now(), options.onFailure ?? (() => undefined));
  const parts = openParts({ ...options, onFailure, clock }, limits);
  const { database, tasks, proofs, data } = parts;
  try {
    const server = await serve({
      routes: [
        ...parts.routes,
        ...descriptionRoutes(info),
        ...dashboardRoutes({ tasks, database, faults, clock, latency, info, explain }),
      ],
      host: options.host ?? "127.0.0.1",
      port: options.port ?? 0,
      corsOrigins: options.corsOrigins ?? [],
      apiKey: options.apiKey,
      limits,
      bodyTimeout: options.bodyTimeout ?? 30_000,
      acceptance: new Acceptance(database),
      faults,
      onRequest: options.onRequest ?? (() => undefined),
      onFailure,
      closing: closing.signal,
    });
    proofs.resume();
    await tasks.resume();
    return {
      ...data,
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

export interface Parts {
  readonly data: DevServerData;
  readonly database: ServerDatabase;
  readonly tasks: Tasks;
  readonly proofs: StorageProofs;
  /** Routes that the OpenAPI document describes. */
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Returns a server without HTTP: its data and its routes. */
export function openParts(
  options: DevServerOptions,
  limits: DevServerLimits,
  database = ServerDatabase.open(options.dataDir),
): Parts {
  const { clock = systemClock, newId = randomUUID, faults, providerFor, onFailure = () => undefined } = options;
  const now = (): number => clock.now();
  const timestamp = (): string => new Date(now()).toISOString();
  const webhooks = new WebhookSender(options.allowWebhooksTo ?? "loopback", clock);
  const data = { programs: new ProgramStore(database), tries: new StateTries(database) };
  const { programs, tries } = data;
  const processor = typeof options.processor === "function" ? options.processor(data) : options.processor;
  const tasks = new Tasks({ database, processor, webhooks, faults, timestamp, newId, onFailure });
  const proofOptions = { database, providerFor, timestamp, newId, onFailure };
  const proofs = new StorageProofs(proofOptions);
  return {
    ...{ data, database, tasks, proofs },
    routes: [
      ...taskRoutes({ tasks, programs, database, limits, latency: options.latency ?? 0, now }),
      ...programRoutes(programs),
      ...moduleRoutes({ database, programs, timestamp, newId }),
      ...storageProofRoutes(proofs, database, limits.queries),
      ...growOrderRoutes(proofOptions),
      ...stateRoutes(tries),
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

/** Returns the routes that the OpenAPI document describes. */
export async function describedRoutes(): Promise<readonly Route[]> {
  const unused = (): never => {
    throw new Error("nothing is served");
  };
  const processor = { submit: unused, wait: unused, results: unused };
  const parts = openParts({ processor, providerFor: unused }, DEFAULT_LIMITS);
  await parts.close();
  return parts.routes;
}

/** Reports the same message at most once a minute: a full disk fails every request. */
function onceAMinute(now: () => number, report: (error: unknown) => void): (error: unknown) => void {
  let last = { words: "", at: 0 };
  return (error) => {
    const words = error instanceof Error ? error.message : String(error);
    if (words === last.words && now() - last.at < 60_000) return;
    last = { words, at: now() };
    report(error);
  };
}
