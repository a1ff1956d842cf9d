import type { Hex } from "viem";

import { outcomeOfCall } from "../../src/plugin/charged-calls.js";
import { tasksEdition } from "../../src/service/data-processor/editions.js";
import { ModuleTasksClient } from "../../src/service/data-processor/module-tasks-client.js";
import {
  awaitSubmission,
  RemoteDataProcessor,
} from "../../src/service/data-processor/remote-data-processor.js";
import { HttpClient } from "../../src/service/http/http-client.js";
import { isServiceFailure } from "../../src/service/http/service-errors.js";
import { ProgramRegistryClient } from "../../src/service/program-registry.js";
import { StorageProofClient } from "../../src/service/storage-proof.js";
import type { TaskRequest } from "../../src/request/task.js";
import {
  isLive,
  isUndecided,
  serviceAddress,
  type SubmissionRecord,
  type Target,
} from "../../src/submission/model.js";
import { watchRequests } from "../../src/submission/request-watch.js";
import type { HdpError } from "../../src/errors/hdp-error.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import {
  type SubmissionFinding,
  forgotten,
  notResumable,
  settle,
  settleByRegistry,
} from "../../src/submission/settle.js";
import type { StoredSubmission } from "../../src/submission/stored-submission.js";
import type { SubmissionStore } from "../../src/submission/submission-store.js";
import {
  RemoteSubmissions,
  type RemoteSubmissionsOptions,
} from "../../src/submission/remote-submissions.js";
import type { Destination, Submissions } from "../../src/submission/submissions.js";
import type { System } from "../../src/submission/system.js";
import type { Dispatcher } from "undici";
import { z } from "zod";
import { knownHash } from "./tasks.js";

const URL_OF_SERVICE = new URL("https://hdp.example.org");
const NETWORK = "sepolia";
const REQUESTED_BY: Hex = `0x${"ab".repeat(32)}`;
/** Milliseconds of a watch. */
export const WATCHES_FOR = 20_000;

export interface ToolOptions {
  readonly store: SubmissionStore;
  readonly system: System;
  readonly dispatcher: Dispatcher;
  readonly destination: Destination;
  /** Milliseconds of a wait. */
  readonly timeout: number;
  /** Runs tasks before they are sent. */
  readonly rehearse?: RemoteSubmissionsOptions["rehearse"];
  /** Whether the service takes one task a request. */
  readonly oneTask?: boolean | undefined;
}

/** The real code of this package in one process: everything from the command to the HTTP client and SQLite. */
export class Tool {
  public readonly store: SubmissionStore;
  /** What could not be recorded and stopped nothing. */
  public readonly warnings: unknown[] = [];
  readonly #options: ToolOptions;
  readonly #http: HttpClient;
  readonly #submissions: Submissions;
  readonly #pipeline: Pipeline;

  public constructor(options: ToolOptions) {
    const { store, system, dispatcher, destination, timeout, rehearse, oneTask } = options;
    this.#options = options;
    this.store = store;
    this.#http = new HttpClient({
      service: "the data processor",
      url: URL_OF_SERVICE.href,
      network: NETWORK,
      dispatcher,
      clock: system.clock,
      random: system.random,
      apiKey: async () => await Promise.resolve("key"),
    });
    const common = { store, system, outcomeOf: outcomeOfCall };
    this.#pipeline = new Pipeline(common);
    const processor = new RemoteDataProcessor({
      http: this.#http,
      edition: tasksEdition,
      taskHash: knownHash,
    });
    this.#submissions = new RemoteSubmissions({
      awaitEnd: awaitSubmission,
      ...common,
      processor,
      network: NETWORK,
      timeout,
      rehearse,
      oneTask,
      serviceHash: async (part, call) => await processor.serviceHash(part, call),
      place: serviceAddress(URL_OF_SERVICE),
      destination: async () => await Promise.resolve(destination),
      warn: (error) => this.warnings.push(error),
    });
  }

  /** The process. */
  public get name(): string {
    return this.#options.system.processes.self;
  }

  /** `hdp:submit`. @returns the words of the results, in the order of the tasks */
  public async submit(request: TaskRequest, force: boolean): Promise<readonly Word[]> {
    const submission = await this.#submissions.submit(request, { force });
    return words(await (await this.#submissions.finish(submission)).results());
  }

  /** `hdp:submit --request`. */
  public async answer(request: TaskRequest): Promise<readonly Word[]> {
    const submission = await this.#submissions.submit(request, { requestedBy: REQUESTED_BY });
    return words(await (await this.#submissions.finish(submission)).results());
  }

  /** `hdp:submit --watch`, for some time. @returns the errors of the requests that it left */
  public async watch(
    requests: readonly TaskRequest[],
  ): Promise<readonly { readonly taskHash: Hex; readonly error: HdpError }[]> {
    const { destination, system } = this.#options;
    const asked = requests.map((request) => ({
      request,
      taskHash: request.tasks.map(knownHash)[0] ?? "0x",
      transactionHash: REQUESTED_BY,
    }));
    const left: { taskHash: Hex; error: HdpError }[] = [];
    const end = new AbortController();
    system.clock.after(WATCHES_FOR, () => end.abort());
    await watchRequests<(typeof asked)[number]>({
      clock: system.clock,
      signal: end.signal,
      interval: 4_000,
      look: async () => {
        const store = await destination.openForReading();
        const statuses = await store.statuses(asked.map(({ taskHash }) => taskHash));
        return asked.filter((_, at) => statuses[at] !== "finalized");
      },
      answer: async ({ request }) => {
        await this.#submissions.submit(request, { requestedBy: REQUESTED_BY });
      },
      onRefused: ({ taskHash }, error) => left.push({ taskHash, error }),
      onTrouble: () => undefined,
    });
    return left;
  }

  /** `hdp service-tasks retry`. */
  public async retry(record: SubmissionRecord): Promise<void> {
    const client = new ModuleTasksClient(this.#http);
    await this.#pipeline.retry(
      record,
      async (once) => await client.retry(record.serviceId ?? "", once),
    );
  }

  /** `hdp:await`. */
  public async await(name: string): Promise<readonly Word[]> {
    const finished = await this.#submissions.finish(this.#submissions.find(name));
    return words(await finished.results());
  }

  /** `hdp resume`. */
  public async resume(record: SubmissionRecord): Promise<readonly Word[]> {
    if (record.kind === "tasks") return words(await this.#submissions.resume(record));
    await this.#resumeCall(record).catch((error: unknown) => {
      throw forgotten(error, record);
    });
    return [];
  }

  async #resumeCall(record: SubmissionRecord): Promise<void> {
    const { id, kind, serviceId } = record;
    if (kind === "program" && isUndecided(record)) {
      const registry = new ProgramRegistryClient({ submit: this.#http });
      await settleByRegistry(
        this.store,
        this.#pipeline,
        record,
        async (hash) => await registry.metadata(hash),
      );
      return;
    }
    if (!isLive(record) || serviceId === undefined) throw notResumable(record);
    if (kind === "storage-proof") await this.#awaitProof(id, serviceId);
    if (kind === "grow-order") await new StorageProofClient(this.#http).growOrder(serviceId);
  }

  /** `hdp resume --accepted` or `--lost`. */
  public async settle(
    record: SubmissionRecord,
    finding: SubmissionFinding,
  ): Promise<StoredSubmission> {
    return await settle(this.store, this.#pipeline, record, finding);
  }

  /** `hdp:proof:submit`. */
  public async prove(number: number): Promise<void> {
    const body = { number };
    const client = new StorageProofClient(this.#http);
    const { answer } = await this.#pipeline.call({
      kind: "storage-proof",
      content: JSON.stringify(body),
      target: this.#target("storage-proof"),
      send: async (once) => await client.submitRequest(body, once),
      idOf: ({ request_id }) => request_id,
      look: this.#looks(async (id) => await client.getQueries(id, { attempts: 1 })),
    });
    const record = answer && this.store.withServiceId(answer.request_id).at(-1);
    if (record !== undefined) await this.#awaitProof(record.id, answer?.request_id ?? "");
  }

  /** `hdp grow-orders create`. */
  public async order(number: number): Promise<void> {
    const body = { number };
    const client = new StorageProofClient(this.#http);
    const { earlier } = await this.#pipeline.call({
      kind: "grow-order",
      content: JSON.stringify(body),
      target: this.#target("grow-order"),
      send: async (once) => await client.createGrowOrder(body, once),
      idOf: (answer) => z.object({ id: z.string() }).parse(answer).id,
      look: this.#looks(async (id) => await client.growOrder(id, { attempts: 1 })),
    });
    if (earlier?.serviceId !== undefined) await client.growOrder(earlier.serviceId);
  }

  /** `hdp:program:upload`. */
  public async upload(number: number): Promise<void> {
    const programHash: Hex = `0x${number.toString(16)}`;
    const registry = new ProgramRegistryClient({ submit: this.#http, metadata: this.#http });
    await this.#pipeline.call({
      kind: "program",
      content: programHash,
      target: this.#target("program"),
      send: async (once) =>
        await registry.upload({ name: programHash, content: new Uint8Array() }, once),
      idOf: (answer) => answer.programHash,
      look: async (hash) => await registry.metadata(hash, { attempts: 1 }),
    });
  }

  #target(processor: string): Target {
    return { network: NETWORK, processor, ...serviceAddress(URL_OF_SERVICE) };
  }

  /** Only services of development chains are asked what they have lost. */
  #looks(look: (id: string) => Promise<unknown>): (id: string) => Promise<unknown> {
    const { destination } = this.#options;
    return async (id) => ((await destination.chain()).startsAnew ? await look(id) : undefined);
  }

  async #awaitProof(id: string, requestId: string): Promise<void> {
    const { system, timeout } = this.#options;
    const client = new StorageProofClient(this.#http);
    const options = { timeout, clock: system.clock, random: system.random };
    await client.awaitRequest(requestId, options).catch((error: unknown) => {
      if (isServiceFailure(error, "task-failed"))
        this.store.observe(id, { name: "FAILED", phase: "failed" });
      throw error;
    });
    this.store.observe(id, { name: "COMPLETED", phase: "finalized" });
  }
}

/** What a result says of a task. */
export interface Word {
  readonly taskHash: Hex;
  readonly word: Hex;
  readonly storedUnder: Hex;
}

function words(
  results: readonly { taskHash: Hex; word: Hex; storedUnder?: Hex }[],
): readonly Word[] {
  return results.map(({ taskHash, word, storedUnder = taskHash }) => ({
    taskHash,
    word,
    storedUnder,
  }));
}
