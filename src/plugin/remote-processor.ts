import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { JournaledDataProcessor } from "../journal/journaled-data-processor.js";
import type { Journal } from "../journal/journal.js";
import { findRecord, submissionOf } from "../journal/resume.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { CallOptions, Submission, TaskResult, TaskStatus } from "../request/lifecycle.js";
import { taskHash } from "../request/task-hash.js";
import type { TaskRequest } from "../request/task.js";
import { awaitSubmission, isOutcomeUnknownError, isServiceFailure, RemoteDataProcessor } from "../service/index.js";
import type { DataProcessorConfig } from "./config/types.js";
import { destinationStore, type DestinationStore } from "./destination-store.js";
import { openJournal } from "./open-journal.js";
import type { ConnectedProcessor } from "./processors.js";
import { configPath, editionOf, httpClient, readKey } from "./service-clients.js";
import type { AwaitOptions, ProcessorInfo, SubmitOptions } from "./types.js";

const SERVICE = "the data processor";

/** A service over HTTP behind a connection. Every submission is journalled before it is sent. */
export class RemoteConnectedProcessor implements ConnectedProcessor {
  public readonly info: ProcessorInfo;
  readonly #context: HookContext;
  readonly #connection: NetworkConnection<string>;
  readonly #config: DataProcessorConfig;
  readonly #journal: Journal;
  readonly #journaled: (destination: ChainIdentifier) => JournaledDataProcessor;
  readonly #destinations = new Map<string, ChainIdentifier>();

  private constructor(
    context: HookContext,
    connection: NetworkConnection<string>,
    config: DataProcessorConfig,
    journal: Journal,
    remote: RemoteDataProcessor,
    endpoint: URL,
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#config = config;
    this.#journal = journal;
    this.info = { kind: "remote", description: `data processor at ${endpoint.host}, edition ${config.edition}` };
    this.#journaled = (destination) =>
      new JournaledDataProcessor({
        processor: remote,
        journal,
        network: connection.networkName,
        endpoint,
        taskHash,
        outcomeOf: (error) => (isServiceFailure(error) && !isOutcomeUnknownError(error) ? "refused" : "unknown"),
        finalizedInStore: async (hashes, options) => await this.#finalized(destination, hashes, options),
      });
  }

  /** Reads the service's address; no request is sent and no key is read. */
  public static async open(
    context: HookContext,
    connection: NetworkConnection<string>,
    config: DataProcessorConfig,
  ): Promise<RemoteConnectedProcessor> {
    const { timeouts, journal } = connection.networkConfig.hdp;
    const path = configPath(connection, "dataProcessor");
    const { url, apiKey, edition } = config;
    const http = await httpClient({ service: SERVICE, path, url, apiKey, timeouts });
    const remote = new RemoteDataProcessor({ http, edition: editionOf(edition), taskHash });
    const endpoint = new URL(await url.getUrl());
    return new RemoteConnectedProcessor(context, connection, config, openJournal(journal), remote, endpoint);
  }

  public async submit(request: TaskRequest, options: SubmitOptions): Promise<Submission> {
    // What can be wrong here is found before anything is sent: the key, the store, the journal's place.
    const { apiKey } = this.#config;
    if (apiKey !== undefined) await readKey(apiKey, configPath(this.#connection, "dataProcessor"), SERVICE);
    await this.#store(request.destinationChainId);
    const submission = await this.#journaled(request.destinationChainId).submit(request, options);
    for (const hash of submission.taskHashes) this.#destinations.set(hash, submission.destinationChainId);
    return submission;
  }

  public async find(submission: Submission | string): Promise<Submission> {
    if (typeof submission !== "string") return submission;
    const found = submissionOf(findRecord((await this.#journal.records()).records, submission));
    for (const hash of found.taskHashes) this.#destinations.set(hash, found.destinationChainId);
    return found;
  }

  public async wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus> {
    const { timeout, signal, onStatus } = options;
    const { status } = await awaitSubmission(this.#journaled(submission.destinationChainId), submission, {
      timeoutMs: timeout,
      signal,
      onStatus,
    });
    return status;
  }

  public async status(submission: Submission): Promise<TaskStatus> {
    return await this.#journaled(submission.destinationChainId).status(submission);
  }

  public destinationOf(hash: string): ChainIdentifier | undefined {
    return this.#destinations.get(hash);
  }

  /** A result that was read ends the journal's story of its task. */
  public async annotate(result: TaskResult): Promise<TaskResult> {
    const { records } = await this.#journal.records();
    const record = [...records.values()].findLast(
      ({ taskHashes, serviceId }) => serviceId !== undefined && taskHashes.includes(result.taskHash),
    );
    if (record === undefined) return result;
    await this.#journaled(record.destinationChainId).recordResult(submissionOf(record), result);
    return result;
  }

  async #store(destination: ChainIdentifier): ReturnType<DestinationStore["openForReading"]> {
    const stores = await destinationStore(destination, this.#connection, this.#context);
    return await stores.openForReading();
  }

  async #finalized(
    destination: ChainIdentifier,
    hashes: readonly Hex[],
    { signal }: CallOptions,
  ): Promise<ReadonlyMap<Hex, TaskResult>> {
    const store = await this.#store(destination);
    const found = new Map<Hex, TaskResult>();
    for (const hash of hashes) {
      if ((await store.status(hash, { signal })) !== "finalized") continue;
      found.set(hash, await store.readResult(hash, { signal }));
    }
    return found;
  }
}
