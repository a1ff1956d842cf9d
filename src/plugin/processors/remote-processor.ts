import type { Hex } from "viem";

import { systemClock } from "../../base/clock.js";
import { HdpError, isHdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import type { Journal } from "../../journal/journal.js";
import { isMadeAt, placeOf } from "../../journal/journal-entry.js";
import type { JournalRecord } from "../../journal/journal-record.js";
import { type DestinationChain, JournaledDataProcessor } from "../../journal/journaled-data-processor.js";
import { submissionOf } from "../../journal/find-record.js";
import { possibleParts } from "../../journal/joined-submission.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  Submission,
  SubmitOptions,
  TaskResult,
  TaskStatus,
} from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import { awaitSubmission, RemoteDataProcessor } from "../../service/data-processor/remote-data-processor.js";
import { EDITIONS } from "../../service/data-processor/editions.js";
import { poll } from "../../service/http/polling.js";
import { isServiceFailure, ServiceFailure } from "../../service/http/service-errors.js";
import type { ExecutionStore } from "../../store/execution-store.js";
import type { DataProcessorConfig } from "../config/config-types.js";
import { knownPrograms } from "../known-programs.js";
import { journalOf } from "../open-journal.js";
import {
  DATA_PROCESSOR,
  httpClient,
  outcomeOfCall,
  programRegistry,
  readAddress,
  readKey,
  warnUnwritten,
} from "../service-clients.js";
import type { Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { EvmStores } from "../stores/evm-stores.js";
import { storeStatus } from "../stores/store-status.js";
import type { ConnectedProcessor, ProcessorInfo } from "./connected-processor.js";
import { requireBlocks, requireDestination } from "./before-sending.js";
import { outputPreimageOf } from "./output-preimage.js";
import { findSubmission, STORE_ONLY } from "./find-submission.js";

/** A service over HTTP behind a connection. Every submission is journalled before it is sent. */
export class RemoteConnectedProcessor implements ConnectedProcessor {
  public readonly name: string;
  public readonly info: ProcessorInfo;
  readonly #session: Session;
  readonly #config: DataProcessorConfig;
  readonly #journal: Journal;
  readonly #endpoint: URL;
  readonly #journaled: (destination?: Destination) => JournaledDataProcessor;
  /** By our hash: the service's, where it is another one. */
  readonly #serviceHashes = new Map<string, Hex | undefined>();
  readonly #destinations = new Map<string, ChainIdentifier>();

  private constructor(
    session: Session,
    config: DataProcessorConfig,
    journal: Journal,
    service: {
      readonly remote: RemoteDataProcessor;
      readonly endpoint: URL;
      readonly redact: (text: string) => string;
    },
  ) {
    const { remote, endpoint, redact } = service;
    this.name = remote.name;
    this.#session = session;
    this.#config = config;
    this.#journal = journal;
    this.#endpoint = endpoint;
    this.info = { kind: "remote", description: `data processor at ${endpoint.host}, edition ${config.edition}` };
    this.#journaled = (destination) =>
      new JournaledDataProcessor({
        processor: remote,
        journal,
        network: session.networkName,
        endpoint,
        taskHash,
        outcomeOf: outcomeOfCall,
        ...(destination && {
          chain: destination.chain,
          finalizedInStore: async (hashes, options) => await this.#finalizedIn(destination.store, hashes, options),
        }),
        redact,
        onUnwritten: warnUnwritten,
      });
  }

  /** Reads the service's address; no request is sent and no key is read. */
  public static async open(session: Session, config: DataProcessorConfig): Promise<RemoteConnectedProcessor> {
    const { timeouts } = session.config;
    const path = session.configPath("dataProcessor");
    const { url, apiKey, edition } = config;
    const http = await httpClient({
      ...{ service: DATA_PROCESSOR, path, url, apiKey, timeouts },
      network: session.networkName,
    });
    const compiledClass = async (programHash: Hex): Promise<Record<string, unknown>> => {
      const program = await knownPrograms(session.project.config).search(programHash, session.config);
      // A class that is not known is left out; whether the service takes the hash alone is its own affair.
      return { ...(isClass(program?.compiledClassJson) ? program.compiledClassJson : {}) };
    };
    const remote = new RemoteDataProcessor({ http, edition: EDITIONS[edition]({ compiledClass }), taskHash });
    const endpoint = new URL(await readAddress(url, `${path}.url`, DATA_PROCESSOR));
    const redact = (text: string): string => http.quote(text);
    return new RemoteConnectedProcessor(session, config, journalOf(session), {
      remote,
      endpoint,
      redact,
    });
  }

  public async submit(request: TaskRequest, options?: SubmitOptions): Promise<Submission> {
    // What can be wrong here is found before anything is sent: the key, and the store with the connection behind it.
    await readKey(this.#config.apiKey, this.#session.configPath("dataProcessor"), DATA_PROCESSOR);
    await requireDestination(request.destinationChainId, this.#session);
    await requireBlocks(request, this.#session);
    await this.#requirePrograms(request);
    const stores = await destinationStore(request.destinationChainId, this.#session);
    const [store, chain] = await Promise.all([stores.openForReading(), stores.chain()]);
    if (!chain.startsAnew && (await stores.isMock(store))) {
      throw mockOfALiveChain(store.address, request.destinationChainId, this.#session.networkName);
    }
    const submission = await this.#journaled({ store, chain }).submit(request, options);
    this.#remember(submission);
    return submission;
  }

  public async find(submission: Submission | string): Promise<Submission> {
    const { networkName } = this.#session;
    const found =
      typeof submission === "string"
        ? await findSubmission(await this.#journal.look(), submission, this.#endpoint, networkName)
        : submission;
    this.#remember(found);
    return found;
  }

  public async wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus> {
    const { timeout, signal, onStatus, onPause } = options;
    const end = systemClock.monotonic() + timeout;
    const { status } = await awaitSubmission(this, submission, {
      ...{ timeout, signal, onStatus, onPause },
      network: this.#session.networkName,
    });
    if (submission.processor !== STORE_ONLY)
      await this.#stored(submission, end - systemClock.monotonic(), { signal, onPause });
    return status;
  }

  /** Looks again until the store has the results: it may lag behind what the service says. */
  async #stored(
    submission: Submission,
    left: number,
    options: Pick<AwaitOptions, "signal" | "onPause">,
  ): Promise<void> {
    const { id, destinationChainId, taskHashes } = submission;
    const stores = await destinationStore(destinationChainId, this.#session);
    const store = await stores.openForReading();
    const { networkName: network } = this.#session;
    const commands = taskHashes.map((hash) => suggested("hdp:result", [hash], { network }));
    const again = suggested("hdp:submit", [], { network, after: "<task file> --force" });
    const restarted = (await stores.chain()).startsAnew
      ? `. Where the chain was started anew or taken back since, send the tasks again: ${again}`
      : "";
    await poll<number>(
      {
        look: async () => (await this.#storedUnder(store, taskHashes)).filter((hash) => hash !== undefined).length,
        done: (found) => found === taskHashes.length,
        what: `the results of submission ${id} in store ${store.address}`,
        describe: (found) => `the service says that it is finalized, the store has ${found} of ${taskHashes.length}`,
        comeBack: `Read them later: ${commands.join(", ")}${restarted}`,
      },
      { timeout: Math.max(left, 1), ...options },
    );
  }

  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    if (submission.processor !== STORE_ONLY) {
      return await this.#journaled()
        .status(submission, options)
        .catch(async (error: unknown) => {
          throw isServiceFailure(error, "not-found") ? forgotten(error, await this.#givingUp(submission)) : error;
        });
    }
    const store = await this.#session.part(EvmStores).openForReading();
    return await storeStatus(store, submission.taskHashes);
  }

  public async results({ processor, destinationChainId, taskHashes }: Submission): Promise<readonly TaskResult[]> {
    // A hash that the journal does not have was looked for in the connection's own store.
    const store =
      processor === STORE_ONLY
        ? await this.#session.part(EvmStores).openForReading()
        : await this.#store(destinationChainId);
    return await this.#readAll(store, taskHashes);
  }

  public async read(store: ExecutionStore, taskHash: Hex): Promise<TaskResult> {
    const [result] = await this.#readAll(store, [taskHash]);
    if (result === undefined) throw new TypeError(`no result of task ${taskHash} was read`);
    return result;
  }

  /**
   * The results of tasks, each under the service's own hash of it where that differs from ours: it is what the
   * specification says results are read by.
   */
  async #readAll(store: ExecutionStore, taskHashes: readonly Hex[]): Promise<readonly TaskResult[]> {
    const theirs = await this.#serviceHashesOf(taskHashes);
    // Which of two hashes was used is only to be found out where there are two.
    const stored = theirs.some((hash) => hash !== undefined) ? await this.#storedUnder(store, taskHashes) : [];
    const hashes = taskHashes.map((hash, at) => stored[at] ?? theirs[at] ?? hash);
    const results = await store.readResults(hashes, { withTransaction: true });
    return await this.#annotated(
      results.map((result, at) => {
        const named = theirs[at] === undefined ? {} : { storedUnder: result.taskHash };
        return { ...result, taskHash: taskHashes[at] ?? result.taskHash, ...named };
      }),
    );
  }

  /** Those of the tasks that a store holds already, under our hash of them or the service's. */
  async #finalizedIn(
    store: ExecutionStore,
    hashes: readonly Hex[],
    options: CallOptions,
  ): Promise<ReadonlyMap<Hex, TaskResult>> {
    const found = (await this.#storedUnder(store, hashes, options)).flatMap((stored, at) => {
      const taskHash = hashes[at];
      return stored === undefined || taskHash === undefined ? [] : [{ taskHash, stored }];
    });
    const results = await store.readResults(
      found.map(({ stored }) => stored),
      options,
    );
    return new Map(
      results.map((result, at) => {
        const taskHash = found[at]?.taskHash ?? result.taskHash;
        return [taskHash, { ...result, taskHash }];
      }),
    );
  }

  /** Which hash of each task a store has finalized: the service's, else ours, else none. */
  async #storedUnder(
    store: ExecutionStore,
    taskHashes: readonly Hex[],
    options?: CallOptions,
  ): Promise<readonly (Hex | undefined)[]> {
    const theirs = await this.#serviceHashesOf(taskHashes);
    const others = theirs.filter((hash) => hash !== undefined);
    const asked = [...taskHashes, ...others];
    const states = await store.statuses(asked, options);
    const finalized = new Set(asked.filter((_, at) => states[at] === "finalized"));
    return taskHashes.map((hash, at) => [theirs[at], hash].find((one) => one !== undefined && finalized.has(one)));
  }

  /** The service's hash of each task, where it returned another one than ours; of other processes' from the journal. */
  async #serviceHashesOf(taskHashes: readonly Hex[]): Promise<readonly (Hex | undefined)[]> {
    const unknown = taskHashes.filter((hash) => !this.#serviceHashes.has(hash));
    const records = unknown.length === 0 ? new Map<string, JournalRecord>() : await this.#acceptedWith(unknown);
    for (const record of new Set(unknown.flatMap((hash) => records.get(hash.toLowerCase()) ?? []))) {
      this.#remember(submissionOf(record));
    }
    return taskHashes.map((hash) => this.#serviceHashes.get(hash));
  }

  /**
   * By a task's hash in lower case, the newest submission with it that this service accepted: another one may hash it
   * otherwise.
   */
  async #acceptedWith(taskHashes: readonly Hex[]): Promise<ReadonlyMap<string, JournalRecord>> {
    const look = await this.#journal.look();
    const here = placeOf(this.#endpoint);
    const newest = new Map<string, JournalRecord>();
    for (const record of await look.withTasks(taskHashes)) {
      if (record.serviceId === undefined || !isMadeAt(record, here)) continue;
      for (const hash of record.taskHashes) newest.set(hash.toLowerCase(), record);
    }
    return newest;
  }

  public destinationOf(hash: string): ChainIdentifier | undefined {
    return this.#destinations.get(hash);
  }

  /** Results that were read end the journal's story of their tasks. */
  async #annotated(results: readonly TaskResult[]): Promise<readonly TaskResult[]> {
    const records = await this.#acceptedWith(results.map(({ taskHash }) => taskHash));
    const read = results.flatMap((result) => {
      const record = records.get(result.taskHash.toLowerCase());
      return record === undefined ? [] : [{ submission: submissionOf(record), result }];
    });
    if (read.length > 0) await this.#journaled().recordResults(read);
    return await Promise.all(
      results.map(async (result) => {
        const record = records.get(result.taskHash.toLowerCase());
        return record === undefined ? result : await this.#withPreimage(result, record);
      }),
    );
  }

  async #withPreimage(result: TaskResult, record: JournalRecord): Promise<TaskResult> {
    const { serviceId: id, request, taskHashes } = record;
    const task = request?.tasks[taskHashes.indexOf(result.taskHash)];
    if (id === undefined || task?.type !== "Module" || this.#config.edition !== "module-tasks") return result;
    const preimage = await outputPreimageOf(result, { id, programHash: task.programHash }, this.#session);
    return preimage === undefined ? result : { ...result, preimage };
  }

  #remember({ processor, taskHashes, serviceTaskHashes, destinationChainId }: Submission): void {
    if (processor === STORE_ONLY) return;
    for (const [index, hash] of taskHashes.entries()) {
      this.#destinations.set(hash, destinationChainId);
      const theirs = serviceTaskHashes?.[index];
      this.#serviceHashes.set(hash, theirs === hash ? undefined : theirs);
    }
  }

  /** A program that the configured registry does not know; a registry that does not answer keeps nothing from going. */
  async #requirePrograms({ tasks }: TaskRequest): Promise<void> {
    if (this.#session.config.programRegistry === undefined) return;
    const hashes = new Set(tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : [])));
    if (hashes.size === 0) return;
    const { client: registry } = await programRegistry(this.#session);
    for (const hash of hashes) {
      await registry.metadata(hash).catch((error: unknown) => {
        if (isHdpError(error, "HDP-2041")) throw error;
      });
    }
  }

  /** How the submissions behind an id are given up, each in a sentence: their tasks can then be sent again. */
  async #givingUp({ id }: Submission): Promise<readonly string[]> {
    const look = await this.#journal.look();
    const here = placeOf(this.#endpoint);
    const records: JournalRecord[] = [];
    for (const part of possibleParts(id)) {
      const record = (await look.withServiceId(part)).findLast((one) => isMadeAt(one, here));
      if (record?.state === "open") records.push(record);
    }
    return records.map(
      (record) =>
        `give it up with ${suggested("hdp resume", [record.id], { network: this.#session.networkName, after: "--lost" })} (its tasks can then be sent again).`,
    );
  }

  async #store(destination: ChainIdentifier): Promise<ExecutionStore> {
    const stores = await destinationStore(destination, this.#session);
    return await stores.openForReading();
  }
}

/** Where the results of a submission go. */
interface Destination {
  readonly store: ExecutionStore;
  readonly chain: DestinationChain;
}

function mockOfALiveChain(store: string, destination: ChainIdentifier, networkName: string): HdpError {
  return new HdpError({
    code: "HDP-6025",
    path: "hdp.executionStore.address",
    message: `the execution store ${store} on network "${networkName}" (${destination}) is a mock, and the tasks go to a service.`,
    hints: [
      "Configure the service's store, or leave the address out where a published store is known.",
      "Nothing was sent.",
    ],
  });
}

/** A local front without a data folder, or a service that keeps its tasks for a while only, knows nothing of it. */
function forgotten(error: ServiceFailure, ways: readonly string[]): ServiceFailure {
  const { shortMessage: message, endpoint, status, serviceWords } = error;
  // The first hint is the service's own words, where there are any.
  const hints = error.hints.slice(serviceWords === undefined ? 0 : 1);
  const more = ways.map((way) => `Where the service has forgotten the submission: ${way}`);
  const options = { message, endpoint, status, serviceWords, hints: [...hints, ...more], cause: error };
  return new ServiceFailure({ code: "HDP-2040", ...options });
}

/** Known classes were parsed before they were kept: this tells the compiler. */
function isClass(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null;
}
