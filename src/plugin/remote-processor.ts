import type { Hex } from "viem";

import { hdpError, isHdpError } from "../errors/hdp-error.js";
import type { CallOptions } from "../request/data-processor.js";
import type { ModuleTask, TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { EDITION_FACTS } from "../service/data-processor/edition.js";
import { EDITIONS } from "../service/data-processor/editions.js";
import {
  awaitSubmission,
  RemoteDataProcessor,
} from "../service/data-processor/remote-data-processor.js";
import type { HttpClient } from "../service/http/http-client.js";
import { serviceAddress } from "../submission/model.js";
import { RemoteSubmissions } from "../submission/remote-submissions.js";
import { nodeSystem } from "../submission/system.js";
import type { ConnectedProcessor, ResolvedDestination, SendCheck } from "./connected-processor.js";
import { destinationStore, requireBlocks, requireDestination } from "./destination.js";
import type { DataProcessorConfig } from "./config/config.js";
import { flatTaskHash, knownPrograms } from "./known-programs.js";
import { withPreimage } from "./published-output.js";
import { submittedTask, withValue } from "./result-value.js";
import { catchRefusal, conflictCheck, serviceCheck } from "./send-checks.js";
import { dataProcessor, hasModuleRegistry, programRegistry, readAddress } from "./services.js";
import { outcomeOfCall } from "./charged-calls.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";
import { projectSubmissions } from "./project-database.js";
import { warn } from "./warn.js";

/** Returns the service over HTTP that a connection uses. Reads its address; sends no request and reads no key. */
export async function remoteProcessor(
  session: Session,
  config: DataProcessorConfig,
): Promise<ConnectedProcessor> {
  const { http, endpoint } = await dataProcessor(session, config);
  const { edition, isMock, scheduleMode } = config;
  const description = `data processor at ${endpoint.host}, API version ${edition}`;
  const webhookUrl = addressOption("webhookUrl", "the webhook", config, session);
  const stateServer = "the injected state's server";
  const injectedStateServer = addressOption("injectedStateServer", stateServer, config, session);
  const programs = knownPrograms(session.project.config);
  const compiledClass = async (programHash: Hex): Promise<unknown> =>
    (await programs.search(programHash, session.config))?.compiledClassJson;
  const flatHash = async (task: ModuleTask): Promise<Hex | undefined> =>
    await flatTaskHash(task, programs, session.config);
  const submitting = { compiledClass, webhookUrl, injectedStateServer, isMock, scheduleMode };
  const processor = new RemoteDataProcessor({ http, edition: EDITIONS[edition](submitting) });
  const submissions = new RemoteSubmissions({
    processor,
    awaitEnd: awaitSubmission,
    serviceHash: async (part, options) => await processor.serviceHash(part, options),
    flatHash,
    store: projectSubmissions(session.config.dataDir),
    system: nodeSystem,
    network: session.networkName,
    place: serviceAddress(endpoint),
    oneTask: EDITION_FACTS[edition].oneTask,
    destination: async (chain) => await destinationStore(chain, session),
    outcomeOf: outcomeOfCall,
    warn,
    timeout: session.config.timeouts.await,
    rehearse: async (tasks, options) => {
      await answers(http, options);
      const { rehearseTasks } = await import("./rehearsal.js");
      return await rehearseTasks(tasks, session, options);
    },
    annotate: async (result, record) => {
      const task = submittedTask(record, result.taskHash);
      const named = task?.type === "Module" ? await withForm(result, task, flatHash) : result;
      const isPublished = edition === "module-tasks";
      const published = isPublished ? await withPreimage(named, record, session) : named;
      return await withValue(published, task, session);
    },
  });
  return {
    info: { kind: "remote", description },
    submissions,
    requireAnswer: async (call) => await answers(http, call),
    checks: [
      conflictCheck,
      serviceCheck(edition, session),
      catchRefusal(async () => await http.requireKey()),
      catchRefusal(async () => await webhookUrl?.()),
      catchRefusal(async () => await injectedStateServer?.()),
      ...destinationChecks(session),
    ],
  };
}

/** Returns a result with the form of the hash under which it is stored, where that is not the task's own. */
async function withForm(
  result: TaskResult,
  task: ModuleTask,
  flatHash: (task: ModuleTask) => Promise<Hex | undefined>,
): Promise<TaskResult> {
  const { storedUnder } = result;
  if (storedUnder === undefined || storedUnder !== (await flatHash(task))) return result;
  return { ...result, storedForm: "flat" };
}

/**
 * Asks a service for its root, which is free: any answer shows that it is there, before a run that may take
 * long. @throws ServiceFailure without one
 */
async function answers(http: HttpClient, { signal }: CallOptions = {}): Promise<void> {
  const root = { method: "GET", path: [], settles: () => true } as const;
  await http.call(root, () => undefined, { signal });
}

/** Returns the checks of where a request's results go and what it reads. */
function destinationChecks(session: Session): readonly SendCheck[] {
  return [
    catchRefusal(async (_, destination) => await requireDestination(destination, session)),
    catchRefusal(
      async (request, destination) => await requireBlocks(request, destination, session),
    ),
    catchRefusal(async (request) => await requirePrograms(request, session)),
    catchRefusal(async (_, destination) => await requirePublishedStore(destination, session)),
  ];
}

/** Returns a reader of an address of the configuration, which may be a variable; undefined where none is given. */
function addressOption(
  option: "webhookUrl" | "injectedStateServer",
  service: string,
  config: DataProcessorConfig,
  network: ConnectedNetwork,
): (() => Promise<string>) | undefined {
  const variable = config[option];
  const path = `${network.configPath("dataProcessor")}.${option}`;
  return variable && (async () => await readAddress(variable, path, service));
}

/** Throws if results would go to a mock of a live chain, where a service never delivers. @throws HdpError HDP-6025 */
async function requirePublishedStore(
  { chain: destination, store: stores }: ResolvedDestination,
  network: ConnectedNetwork,
): Promise<void> {
  const [store, chain] = await Promise.all([stores.openForReading(), stores.chain()]);
  if (chain.startsAnew || !(await stores.isMock(store))) return;
  const values = {
    store: store.address,
    network: network.networkName,
    destination,
  };
  throw hdpError("HDP-6025", values, { path: "hdp.executionStore.address" });
}

/** Throws for a program that the configured registry does not know; a registry that does not answer is ignored. */
async function requirePrograms({ tasks }: TaskRequest, network: ConnectedNetwork): Promise<void> {
  // A module registry finds nothing by hash, and each task of its API version is sent with the whole class.
  if (network.config.programRegistry === undefined || hasModuleRegistry(network)) return;
  const hashes = new Set(
    tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : [])),
  );
  if (hashes.size === 0) return;
  const { client: registry } = await programRegistry(network);
  for (const hash of hashes) {
    await registry.metadata(hash).catch((error: unknown) => {
      if (isHdpError(error, "HDP-2041")) throw error;
    });
  }
}
