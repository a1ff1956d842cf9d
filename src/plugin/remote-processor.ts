import type { Hex } from "viem";

import { hdpError, isHdpError } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import type { TaskRequest } from "../request/task.js";
import { EDITION_FACTS } from "../service/data-processor/edition.js";
import { EDITIONS } from "../service/data-processor/editions.js";
import { RemoteDataProcessor } from "../service/data-processor/remote-data-processor.js";
import { placeOf } from "../submission/model.js";
import { RemoteSubmissions } from "../submission/remote-submissions.js";
import { nodeSystem } from "../submission/system.js";
import type { ConnectedProcessor, ResolvedDestination } from "./connected-processor.js";
import { destinationStore, requireBlocks, requireDestination } from "./destination.js";
import type { DataProcessorConfig } from "./config/config.js";
import { knownPrograms } from "./known-programs.js";
import { withPreimage } from "./published-output.js";
import { submittedTask, withValue } from "./result-value.js";
import { dataProcessor, outcomeOfCall, programRegistry, readAddress } from "./services.js";
import type { Session } from "./session.js";
import { projectSubmissions, warnOf } from "./project-database.js";

/** Returns the service over HTTP that a connection uses. Reads its address; sends no request and reads no key. */
export async function remoteProcessor(
  session: Session,
  config: DataProcessorConfig,
): Promise<ConnectedProcessor> {
  const { http, endpoint } = await dataProcessor(session, config);
  const { edition, webhookUrl: variable } = config;
  const path = `${session.configPath("dataProcessor")}.webhookUrl`;
  const webhookUrl = variable && (async () => await readAddress(variable, path, "the webhook"));
  const compiledClass = async (programHash: Hex): Promise<Record<string, unknown>> => {
    const program = await knownPrograms(session.project.config).search(programHash, session.config);
    // An unknown class is omitted: the service decides whether the hash alone is enough.
    return isRecord(program?.compiledClassJson) ? { ...program.compiledClassJson } : {};
  };
  const processor = new RemoteDataProcessor({
    http,
    edition: EDITIONS[edition]({ compiledClass, webhookUrl }),
  });
  const submissions = new RemoteSubmissions({
    processor,
    serviceHash: async (part, options) => await processor.serviceHash(part, options),
    store: projectSubmissions(session.config.dataDir),
    system: nodeSystem,
    network: session.networkName,
    place: placeOf(endpoint),
    oneTask: EDITION_FACTS[edition].oneTask,
    destination: async (chain) => await destinationStore(chain, session),
    outcomeOf: outcomeOfCall,
    warn: warnOf,
    timeout: session.config.timeouts.await,
    rehearse: async (tasks, options) => {
      const { rehearseTasks } = await import("./rehearsal.js");
      return await rehearseTasks(tasks, session, options);
    },
    annotate: async (result, record) => {
      const published =
        edition === "module-tasks" ? await withPreimage(result, record, session) : result;
      return await withValue(published, submittedTask(record, result.taskHash), session);
    },
  });
  return {
    info: {
      kind: "remote",
      description: `data processor at ${endpoint.host}, API version ${edition}`,
    },
    submissions,
    requireSendable: async (request, destination) => {
      await http.requireKey();
      await webhookUrl?.();
      await requireDestination(destination, session);
      await requireBlocks(request, destination, session);
      await requirePrograms(request, session);
      await requirePublishedStore(destination, session);
    },
  };
}

/** Throws if results would go to a mock of a live chain, where a service never delivers. @throws HdpError HDP-6025 */
async function requirePublishedStore(
  { chain: destination, store: stores }: ResolvedDestination,
  session: Session,
): Promise<void> {
  const [store, chain] = await Promise.all([stores.openForReading(), stores.chain()]);
  if (chain.startsAnew || !(await stores.isMock(store))) return;
  const values = {
    store: store.address,
    network: session.networkName,
    destination,
  };
  throw hdpError("HDP-6025", values, { path: "hdp.executionStore.address" });
}

/** Throws for a program that the configured registry does not know; a registry that does not answer is ignored. */
async function requirePrograms({ tasks }: TaskRequest, session: Session): Promise<void> {
  if (session.config.programRegistry === undefined) return;
  const hashes = new Set(
    tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : [])),
  );
  if (hashes.size === 0) return;
  const { client: registry } = await programRegistry(session);
  for (const hash of hashes) {
    await registry.metadata(hash).catch((error: unknown) => {
      if (isHdpError(error, "HDP-2041")) throw error;
    });
  }
}
