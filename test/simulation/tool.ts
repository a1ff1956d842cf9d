import type { Hex } from "viem";

import { outcomeOfCall } from "../../src/plugin/services.js";
import { tasksEdition } from "../../src/service/data-processor/editions.js";
import { RemoteDataProcessor } from "../../src/service/data-processor/remote-data-processor.js";
import { HttpClient } from "../../src/service/http/http-client.js";
import { isServiceFailure } from "../../src/service/http/service-errors.js";
import { ProgramRegistryClient } from "../../src/service/program-registry.js";
import { StorageProofClient } from "../../src/service/storage-proof.js";
import type { TaskRequest } from "../../src/request/task.js";
import { placeOf, type SubmissionRecord } from "../../src/submission/model.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import { identityOf } from "../../src/submission/plan.js";
import { type Finding, forgotten, settle, settleByRegistry } from "../../src/submission/settle.js";
import type { StoredSubmission, SubmissionStore } from "../../src/submission/store.js";
import { type Destination, Submissions } from "../../src/submission/submissions.js";
import type { System } from "../../src/submission/system.js";
import type { Dispatcher } from "undici";
import { knownHash } from "./tasks.js";

const URL_OF_SERVICE = new URL("https://hdp.example.org");
const NETWORK = "sepolia";

export interface ToolOptions {
  readonly store: SubmissionStore;
  readonly system: System;
  readonly dispatcher: Dispatcher;
  readonly destination: Destination;
  /** Milliseconds of a wait. */
  readonly timeout: number;
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
    const { store, system, dispatcher, destination, timeout } = options;
    this.#options = options;
    this.store = store;
    this.#http = new HttpClient({
      ...{ service: "the data processor", url: URL_OF_SERVICE.href, network: NETWORK, dispatcher },
      ...{ clock: system.clock, random: system.random, apiKey: async () => await Promise.resolve("key") },
    });
    const common = { store, system, outcomeOf: outcomeOfCall };
    this.#pipeline = new Pipeline(common);
    const processor = new RemoteDataProcessor({ http: this.#http, edition: tasksEdition, taskHash: knownHash });
    this.#submissions = new Submissions({
      ...common,
      ...{ processor, network: NETWORK, timeout },
      serviceHash: async (part, call) => await processor.serviceHash(part, call),
      place: placeOf(URL_OF_SERVICE),
      destination: async () => await Promise.resolve(destination),
      warn: (error) => this.warnings.push(error),
    });
  }

  /** `hdp:submit`. @returns the words of the results, in the order of the tasks */
  public async submit(request: TaskRequest, force: boolean): Promise<readonly Word[]> {
    const submission = await this.#submissions.submit(request, { force });
    return words(await (await this.#submissions.finish(submission)).results());
  }

  /** `hdp:await`. */
  public async await(name: string): Promise<readonly Word[]> {
    const finished = await this.#submissions.finish(this.#submissions.find(name));
    return words(await finished.results());
  }

  /** `hdp resume`. */
  public async resume(record: SubmissionRecord): Promise<readonly Word[]> {
    if (record.kind === "tasks") return words(await this.#submissions.resume(record));
    if (record.kind === "program") {
      const registry = new ProgramRegistryClient({ metadata: this.#http });
      await settleByRegistry(this.store, this.#pipeline, record, async (hash) => await registry.metadata(hash));
    } else if (record.serviceId !== undefined) {
      await this.#awaitProof(record.id, record.serviceId).catch((error: unknown) => {
        throw forgotten(error, record);
      });
    }
    return [];
  }

  /** `hdp resume --accepted` or `--lost`. */
  public async settle(record: SubmissionRecord, finding: Finding): Promise<StoredSubmission> {
    return await settle(this.store, this.#pipeline, record, finding);
  }

  /** `hdp:proof:submit`. */
  public async prove(number: number): Promise<void> {
    const body = { number };
    const client = new StorageProofClient(this.#http);
    const { sent } = await this.#once("storage-proof", JSON.stringify(body), async (idempotencyKey) => {
      const answer = await client.submitRequest(body, { idempotencyKey });
      return { answer, serviceId: answer.request_id };
    });
    if (sent !== undefined) await this.#awaitProof(sent.id, sent.answer.request_id);
  }

  /** `hdp:program:upload`. */
  public async upload(number: number): Promise<void> {
    const programHash: Hex = `0x${number.toString(16)}`;
    const registry = new ProgramRegistryClient({ submit: this.#http, metadata: this.#http });
    await this.#once("program", programHash, async (idempotencyKey) => {
      const answer = await registry.upload({ name: programHash, content: new Uint8Array() }, { idempotencyKey });
      return { answer, serviceId: answer.programHash, isDone: true };
    });
  }

  async #once<T>(
    kind: "storage-proof" | "program",
    content: string,
    send: (key: string) => Promise<{ readonly answer: T; readonly serviceId: string; readonly isDone?: boolean }>,
  ) {
    const target = { network: NETWORK, processor: kind, ...placeOf(URL_OF_SERVICE) };
    const items = [{ hash: content, identity: identityOf(kind, content, target) }];
    return await this.#pipeline.submit({ kind, target, items, send: async (_, key) => await send(key) });
  }

  async #awaitProof(id: string, requestId: string): Promise<void> {
    const { system, timeout } = this.#options;
    const client = new StorageProofClient(this.#http);
    const options = { timeout, clock: system.clock, random: system.random };
    await client.awaitRequest(requestId, options).catch((error: unknown) => {
      if (isServiceFailure(error, "task-failed")) this.store.observe(id, { name: "FAILED", phase: "failed" });
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

function words(results: readonly { taskHash: Hex; word: Hex; storedUnder?: Hex }[]): readonly Word[] {
  return results.map(({ taskHash, word, storedUnder = taskHash }) => ({ taskHash, word, storedUnder }));
}
