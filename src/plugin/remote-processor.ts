import type { Hex } from "viem";

import { hdpError, isHdpError } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import { isFelt } from "../base/felt.js";
import { decodeReturn } from "../program/abi/arguments.js";
import { unorderedRoot } from "../request/output-root.js";
import type { TaskRequest } from "../request/task.js";
import type { CairoValue, OutputPreimage, TaskResult } from "../request/task-result.js";
import { EDITIONS } from "../service/data-processor/editions.js";
import { RemoteDataProcessor } from "../service/data-processor/remote-data-processor.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import { placeOf, type SubmissionRecord } from "../submission/model.js";
import { RemoteSubmissions } from "../submission/remote-submissions.js";
import type { ConnectedProcessor } from "../submission/submissions.js";
import { nodeSystem } from "../submission/system.js";
import { destinationStore, requireBlocks, requireDestination } from "./destination.js";
import type { DataProcessorConfig } from "./config/config.js";
import { knownPrograms } from "./known-programs.js";
import {
  dataProcessor,
  moduleTasks,
  outcomeOfCall,
  programRegistry,
  readAddress,
} from "./services.js";
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
    destination: async (chain) => await destinationStore(chain, session),
    outcomeOf: outcomeOfCall,
    warn: warnOf,
    timeout: session.config.timeouts.await,
    annotate: async (result, record) => await withPreimage(result, record, config, session),
  });
  return {
    info: {
      kind: "remote",
      description: `data processor at ${endpoint.host}, API version ${edition}`,
    },
    submissions,
    requireSendable: async (request) => {
      await http.requireKey();
      await webhookUrl?.();
      await requireDestination(request.destinationChainId, session);
      await requireBlocks(request, session);
      await requirePrograms(request, session);
      await requirePublishedStore(request, session);
    },
  };
}

/** Throws if results would go to a mock of a live chain, where a service never delivers. @throws HdpError HDP-6025 */
async function requirePublishedStore(
  { destinationChainId }: TaskRequest,
  session: Session,
): Promise<void> {
  const stores = await destinationStore(destinationChainId, session);
  const [store, chain] = await Promise.all([stores.openForReading(), stores.chain()]);
  if (chain.startsAnew || !(await stores.isMock(store))) return;
  const values = {
    store: store.address,
    network: session.networkName,
    destination: destinationChainId,
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

/** Milliseconds after which a result is read without its preimage. */
const PREIMAGE_TIMEOUT = 5_000;

/** Returns a module's result with the felts that its stored value is the root of, where the service publishes them. */
async function withPreimage(
  result: TaskResult,
  { serviceId, request, parts }: SubmissionRecord,
  { edition }: DataProcessorConfig,
  session: Session,
): Promise<TaskResult> {
  const task =
    request?.tasks[parts.findIndex(({ hash }) => hash === result.taskHash.toLowerCase())];
  if (serviceId === undefined || task?.type !== "Module" || edition !== "module-tasks")
    return result;
  const felts = await publishedFelts(serviceId, session);
  if (felts === undefined) return result;
  const isRoot = felts.every(isFelt) && unorderedRoot(felts) === result.word;
  if (!isRoot) return { ...result, preimage: { felts, matches: false } };
  const decoded = await decodedReturn(felts, task.programHash, session);
  const preimage: OutputPreimage = {
    felts,
    matches: true,
    ...(decoded === undefined ? {} : { decoded }),
  };
  return { ...result, preimage };
}

async function publishedFelts(
  id: string,
  session: Session,
): Promise<readonly bigint[] | undefined> {
  try {
    const client = await moduleTasks(session);
    const options = { attempts: 1, signal: AbortSignal.timeout(PREIMAGE_TIMEOUT) };
    const { outputPreimage: texts } = await client.outputPreimage(id, options);
    return texts?.every((text) => /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) === true
      ? texts.map(BigInt)
      : undefined;
  } catch (error) {
    if (isServiceFailure(error)) return undefined;
    throw error;
  }
}

/** Returns the decoded return value; undefined where the ABI, which no hash covers, is unknown or another's. */
async function decodedReturn(
  felts: readonly bigint[],
  hash: Hex,
  session: Session,
): Promise<CairoValue | undefined> {
  const program = await knownPrograms(session.project.config).search(hash, session.config);
  if (program?.abi === undefined) return undefined;
  try {
    return decodeReturn(program.abi, felts);
  } catch (error) {
    if (isHdpError(error)) return undefined;
    throw error;
  }
}
