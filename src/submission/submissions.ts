import type { Hex } from "viem";

import { isTaskHash } from "../base/hex.js";
import {
  type HdpError,
  hdpError,
  isHdpError,
  pastableName,
  suggested,
} from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  DataProcessor,
  Submission,
  SubmissionPart,
  SubmitOptions,
  TaskStatus,
} from "../request/data-processor.js";
import type { Task, TaskRequest } from "../request/task.js";
import type { Anchor, TaskResult } from "../request/task-result.js";
import { refuseConflicts, taskHash } from "../request/task-hash.js";
import { awaitSubmission } from "../service/data-processor/remote-data-processor.js";
import { poll } from "../service/http/polling.js";
import { type ExecutionStore, NotFinalizedError } from "../store/execution-store.js";
import {
  type PartRecord,
  storedText,
  type SubmissionRecord,
  type Target,
  taskHashesOf,
} from "./model.js";
import { describePlan, identityOf, type WorkItem } from "./plan.js";
import {
  forgotten,
  noSuchSubmission,
  notItsId,
  notResumable,
  ofChainBefore,
  recordNamed,
} from "./settle.js";
import { Pipeline, type PipelineOptions } from "./pipeline.js";

/** The chain of the results, as far as its node answers. */
export interface DestinationChain {
  /** Hash of its first block. */
  readonly genesis?: Hex | undefined;
  /** Whether it is a development chain, which may restart or go back at any time. */
  readonly startsAnew: boolean;
}

export interface Destination {
  chain(): Promise<DestinationChain>;
  /** Returns the block of a transaction; undefined where the chain does not have it. */
  blockOf?(transactionHash: Hex): Promise<bigint | undefined>;
  openForReading(): Promise<ExecutionStore>;
}

export interface SubmissionsOptions extends PipelineOptions {
  readonly processor: DataProcessor;
  readonly network: string;
  /** Host and address of the service; undefined for the local data processor. */
  readonly place?: Required<Pick<Target, "host" | "endpoint">> | undefined;
  /** Returns the store of the results of a chain; without a chain, of the connection's own. */
  readonly destination: (chain: ChainIdentifier | undefined) => Promise<Destination>;
  /** Called with observations that could not be recorded, and with warnings. */
  readonly warn: (error: unknown) => void;
  /** Default timeout of a wait, in milliseconds. */
  readonly timeout: number;
  /** Returns the service's own hash of a submission's single task, where the service has and reports one. */
  readonly serviceHash?:
    ((part: SubmissionPart, options: CallOptions) => Promise<Hex | undefined>) | undefined;
  /** Returns whether the chain that a local run read still has the block of its proofs. */
  readonly holds?: ((anchor: Anchor) => Promise<boolean>) | undefined;
  /** Returns a result with the data that the service adds. */
  readonly annotate?:
    ((result: TaskResult, record: SubmissionRecord) => Promise<TaskResult>) | undefined;
}

export interface ProcessorInfo {
  readonly kind: "local" | "remote";
  /** Description for users: "local data processor", or the service's host and API version. */
  readonly description: string;
}

/** The data processor of a session with its submissions. */
export interface ConnectedProcessor {
  readonly info: ProcessorInfo;
  readonly submissions: Submissions;
  /** Throws for a request with detectable problems, before anything is sent. */
  readonly requireSendable: (request: TaskRequest) => Promise<void>;
}

export interface Finished {
  readonly status: TaskStatus;
  readonly results: () => Promise<readonly TaskResult[]>;
}

/** Submissions of tasks to one data processor: sent once, recorded, awaited, and read from the execution store. */
export class Submissions {
  readonly #options: SubmissionsOptions;

  public constructor(options: SubmissionsOptions) {
    this.#options = options;
  }

  get #pipeline(): Pipeline {
    return new Pipeline(this.#options);
  }

  get #isLocal(): boolean {
    return this.#options.place === undefined;
  }

  /**
   * Submits the tasks of a request that are neither open nor finalized; the local data processor computes every time.
   * @throws HdpError as `Pipeline.submit`, HDP-1125 where two tasks of one hash differ
   */
  public async submit(request: TaskRequest, options: SubmitOptions = {}): Promise<Submission> {
    const { destinationChainId, tasks } = request;
    refuseConflicts(tasks);
    const taskHashes = tasks.map((task) => taskHash(task));
    const parts = this.#isLocal
      ? [await this.#compute(request, options)]
      : await this.#send(request, taskHashes, options);
    return { id: parts[0]?.id ?? taskHashes[0] ?? "", destinationChainId, taskHashes, parts };
  }

  async #compute(request: TaskRequest, { signal }: SubmitOptions): Promise<SubmissionPart> {
    const { processor, store, network, system, destination } = this.#options;
    const { destinationChainId } = request;
    const chain =
      store.path === undefined ? undefined : await (await destination(destinationChainId)).chain();
    // Throws before any work begins if the submission cannot be recorded.
    store.transaction(() => undefined);
    const part = await processor.submit(request, { signal });
    store.insert({
      ...{
        id: part.id,
        serviceId: part.id,
        kind: "tasks",
        state: "accepted",
        forced: false,
        network,
        request,
      },
      ...{ processor: part.processor, sender: system.processes.self, destinationChainId },
      genesis: chain?.genesis,
      parts: part.taskHashes.map((hash) => ({ hash, identity: `local ${part.id}`, live: false })),
    });
    return part;
  }

  async #send(
    request: TaskRequest,
    hashes: readonly Hex[],
    options: SubmitOptions,
  ): Promise<SubmissionPart[]> {
    const { force, signal, onPlan } = options;
    const { processor, store, network, place, destination, warn } = this.#options;
    const { destinationChainId } = request;
    const stores = await destination(destinationChainId);
    const { genesis, startsAnew } = await stores.chain();
    const target = { network, processor: processor.name, ...place, destinationChainId, genesis };
    const tasks = new Map<string, Task>();
    const items = hashes.map((hash, at) => {
      const task = request.tasks[at];
      const identity = identityOf("tasks", hash, target, { startsAnew, task });
      if (task !== undefined) tasks.set(identity, task);
      return { hash, identity };
    });
    const before = startsAnew ? store.withHashes(hashes) : [];
    const asking = { destination: destinationChainId, signal };
    const stored =
      force === true
        ? undefined
        : await this.#stored(await stores.openForReading(), hashes, asking);
    const requestOf = (some: readonly WorkItem[]): TaskRequest => ({
      destinationChainId,
      tasks: some.flatMap(({ identity }) => tasks.get(identity) ?? []),
    });
    const { plan, sent } = await this.#pipeline.submit<SubmissionPart>({
      ...{ kind: "tasks", target, items, force, signal, requestOf, stored, before },
      onPlan: (decided) => {
        const { elsewhere, ...described } = describePlan(decided);
        if (onPlan === undefined) elsewhere.forEach(warn);
        else onPlan(described);
      },
      send: async (some, idempotencyKey) => {
        const part = await processor.submit(requestOf(some), { signal, idempotencyKey });
        return { answer: part, serviceId: part.id, serviceHashes: part.serviceTaskHashes };
      },
    });
    const reused = plan.decisions.flatMap((one) => (one.kind === "reuse" ? [one.record] : []));
    const earlier = new Map(reused.map((record) => [record.id, this.#partOf(record)]));
    return [...(sent === undefined ? [] : [sent.answer]), ...earlier.values()];
  }

  /**
   * Returns the submission of a name, as {@link recordNamed} finds it.
   * @throws HdpError HDP-5010 where there is none, HDP-5009 for one not accepted, HDP-6045 for one at another service
   */
  public find(name: string): Submission {
    const { store, place, network } = this.#options;
    const record = recordNamed(store, name, (one) => this.#isHere(one));
    if (record === undefined && isTaskHash(name))
      return { id: name, taskHashes: [name], parts: [] };
    if (record?.kind !== "tasks") throw noSuchSubmission(store, name);
    if (!this.#isHere(record)) {
      const values = {
        id: record.serviceId ?? record.id,
        host: record.host,
        network,
        other: record.network,
      };
      const own = record.host === place?.host ? "another address there" : place?.host;
      throw hdpError("HDP-6045", { ...values, own }, { path: "id" });
    }
    const { destinationChainId, state, serviceId } = record;
    // If the answer was lost and the results were read all the same, the service cannot be asked.
    const parts = state === "finalized" && serviceId === undefined ? [] : [this.#partOf(record)];
    return {
      id: serviceId ?? record.id,
      destinationChainId,
      taskHashes: taskHashesOf(record),
      parts,
    };
  }

  /**
   * Checks with the service that an id is a submission's; with `force`, only that the service knows the id.
   * @throws HdpError HDP-5017 where the id is another submission's, HDP-2040 where the service does not know it
   */
  public async requireAccepted(
    record: SubmissionRecord,
    serviceId: string,
    { force, signal }: CallOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<void> {
    const { store, processor, serviceHash } = this.#options;
    const part = this.#partOf({ ...record, serviceId });
    await processor.status(part, { signal });
    if (force === true) return;
    const other = store
      .withServiceId(serviceId)
      .find((one) => one.id !== record.id && this.#isHere(one));
    if (other !== undefined) throw notItsId(record, serviceId, "another submission has it");
    const [hash, ...others] = part.taskHashes;
    const theirs = await serviceHash?.(part, { signal }).catch(() => undefined);
    if (theirs === undefined || theirs === hash || others.length > 0) return;
    const task = record.request?.tasks[0];
    if (task !== undefined && theirs === taskHash(task, { datalakeEncoding: "without-chain-id" }))
      return;
    const reason = `the service says that its task hash is ${theirs}, the submission's is ${hash ?? "none"}`;
    throw notItsId(record, serviceId, reason);
  }

  /** Returns the chain that the results of a task were sent to, if it was submitted from this project. */
  public destinationOf(hash: Hex): ChainIdentifier | undefined {
    const record =
      this.#newest([hash], undefined).get(hash) ?? recordNamed(this.#options.store, hash);
    return record?.destinationChainId;
  }

  /** Returns the current status; of several parts, the least advanced one. */
  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    const statuses: TaskStatus[] = [];
    for (const part of submission.parts)
      statuses.push(await this.#partStatus(part, submission, options));
    return joinStatuses(statuses) ?? (await this.#inStore(submission));
  }

  /** Waits until the results are in the store. @throws HdpError at failure, at the timeout, and of the status calls */
  public async finish(submission: Submission, options: AwaitOptions = {}): Promise<Finished> {
    return this.#isLocal
      ? await this.#finishLocal(submission, options)
      : await this.#finishRemote(submission, options);
  }

  async #finishRemote(submission: Submission, options: AwaitOptions): Promise<Finished> {
    const { network, system, timeout: usual } = this.#options;
    const { timeout = usual } = options;
    const { clock, random } = system;
    const end = clock.monotonic() + timeout;
    let status = FINALIZED;
    // The store is more certain than the service about results that were read: the service may have forgotten them or
    // failed since.
    const parts = submission.parts.filter(
      (part) => this.#recordOf(part)?.parts.every(({ word }) => word) !== true,
    );
    if (parts.length > 0)
      status = await awaitSubmission(
        this,
        { ...submission, parts },
        { ...options, timeout, network, clock, random },
      );
    await this.#whenStored(submission, status, {
      ...options,
      timeout: Math.max(end - clock.monotonic(), 1),
    });
    return { status, results: async () => await this.results(submission) };
  }

  async #finishLocal(submission: Submission, options: AwaitOptions): Promise<Finished> {
    const { processor, timeout } = this.#options;
    const [part] = submission.parts;
    const results = async (): Promise<readonly TaskResult[]> => await this.results(submission);
    if (part === undefined || !this.#isOfThisProcess(part)) {
      const status = await this.#ofOtherProcess(part, submission);
      if (status.phase === "finalized") return { status, results };
      const what = part === undefined ? `task ${submission.id}` : part.taskHashes.join(", ");
      throw hdpError("HDP-4402", { what }, { path: "id" });
    }
    const status = await processor.wait?.(part, { timeout, ...options });
    if (status?.phase !== "finalized") throw failed(part, status);
    const parts = this.#recordOf(part)?.parts ?? [];
    if (parts.every(({ word }) => word !== undefined)) {
      const now = await this.#asInStore(submission, status);
      if (now.phase === "failed") throw failed(part, now);
      return { status: now, results };
    }
    const computed = (await processor.results?.(part)) ?? [];
    if (parts.some((one) => one.computed === undefined)) this.ended(part, status, computed);
    const read = await this.results(submission);
    for (const { taskHash: hash, word } of computed) {
      const found = read.find((result) => result.taskHash === hash);
      if (found === undefined || found.word === word) continue;
      const advice = "is what contracts read: submit the task again before anything relies on it";
      throw hdpError("HDP-4404", {
        stored: found.word,
        hash,
        computed: word,
        store: found.store,
        advice,
      });
    }
    return { status, results: async () => await Promise.resolve(read) };
  }

  /** Records the end of a submission to the local data processor. */
  public ended(part: SubmissionPart, status: TaskStatus, results: readonly TaskResult[]): void {
    const { store } = this.#options;
    this.#record(() => {
      store.transaction(() => {
        store.recordComputed(part.id, results);
        store.observe(part.id, status);
      });
    });
  }

  /** Returns the results of a finished submission, in request order. @throws HdpError HDP-3001 where one is missing */
  public async results(submission: Submission): Promise<readonly TaskResult[]> {
    const { taskHashes, destinationChainId, parts } = submission;
    const [part] = this.#isLocal ? parts : [];
    return await this.readAll(
      await this.#storeOf(submission),
      taskHashes,
      destinationChainId,
    ).catch((error: unknown) => {
      throw part !== undefined && error instanceof NotFinalizedError
        ? failed(part, REVERTED)
        : error;
    });
  }

  /**
   * Finishes a submission and returns its results; of one that was not confirmed as accepted, those that have arrived.
   * @throws HdpError HDP-5009 where they have not, and the errors of {@link finish}
   */
  public async resume(
    record: SubmissionRecord,
    options: AwaitOptions = {},
  ): Promise<readonly TaskResult[]> {
    const chain = await (await this.#options.destination(record.destinationChainId)).chain();
    if (chain.startsAnew && record.genesis !== undefined && record.genesis !== chain.genesis)
      throw ofChainBefore(record);
    if (record.serviceId !== undefined) await this.#askServiceHash(record, options);
    const results = await (await this.#resumed(record, options)).results();
    // A newer submission of the same tasks may be for a chain before a restart.
    this.#record(() => this.#options.store.recordResults(record.id, results));
    return results;
  }

  async #resumed(
    record: SubmissionRecord,
    options: AwaitOptions,
  ): Promise<Pick<Finished, "results">> {
    const { id, destinationChainId, serviceId } = record;
    if (serviceId !== undefined) return await this.finish(this.find(id), options);
    const submission = { id, destinationChainId, taskHashes: taskHashesOf(record), parts: [] };
    if ((await this.status(submission)).phase !== "finalized") throw notResumable(record);
    return { results: async () => await this.results(submission) };
  }

  /** Reads the service's hash of a task: of a submission whose answer was lost, it was lost too. */
  async #askServiceHash(record: SubmissionRecord, { signal }: CallOptions): Promise<void> {
    const { serviceHash, store } = this.#options;
    const [part, ...others] = record.parts;
    if (part?.serviceHash !== undefined || others.length > 0) return;
    // A service that does not report its hash may store the result under this project's hash.
    const hash = await serviceHash?.(this.#partOf(record), { signal }).catch(() => undefined);
    if (hash !== undefined && hash !== part?.hash)
      this.#record(() => store.recordServiceHash(record.id, hash));
  }

  /**
   * Reads the results of tasks from a store, in their order, with the recorded data about them. `destination` is the
   * chain whose submissions they end; undefined for a store that they were not sent to.
   */
  public async readAll(
    store: ExecutionStore,
    hashes: readonly Hex[],
    destination: ChainIdentifier | undefined,
  ): Promise<readonly TaskResult[]> {
    const { annotate } = this.#options;
    const records = this.#newest(hashes, destination);
    const theirs = this.#theirs(hashes, destination);
    // Which of two hashes was used matters only where there are two.
    const under = theirs.size > 0 ? await this.#storedUnder(store, hashes, theirs) : [];
    const stale = await this.#stale(hashes, records);
    const hasTransaction = (hash: Hex): boolean =>
      partIn(records.get(hash), hash)?.transactionHash !== undefined;
    const isKnown = hashes.every((hash) => !stale.has(hash) && hasTransaction(hash));
    const stored = hashes.map((hash, at) => under[at] ?? hash);
    const read = await store.readResults(stored, { withTransaction: !isKnown });
    const results = read.map((result, at) => {
      const hash = hashes[at] ?? result.taskHash;
      const part = partIn(records.get(hash), hash);
      const named = theirs.has(hash.toLowerCase()) ? { storedUnder: result.taskHash } : {};
      return withComputed(
        { ...result, ...named, taskHash: hash },
        stale.has(hash) ? undefined : part,
      );
    });
    if (destination !== undefined) this.#recordRead(results, records);
    if (annotate === undefined) return results;
    const annotated = results.map(async (result) => {
      const record = records.get(result.taskHash);
      return record === undefined ? result : await annotate(result, record);
    });
    return await Promise.all(annotated);
  }

  /** Returns the tasks whose run rests on an anchor block or finalizing transaction that the chain no longer has. */
  async #stale(
    hashes: readonly Hex[],
    records: ReadonlyMap<Hex, SubmissionRecord>,
  ): Promise<ReadonlySet<Hex>> {
    const { destination, holds } = this.#options;
    // The results of a run share both.
    const asked = new Map<string, Promise<boolean>>();
    const once = async (key: string, ask: () => Promise<boolean>): Promise<boolean> => {
      const answer = asked.get(key) ?? ask();
      asked.set(key, answer);
      return await answer;
    };
    const isStale = async (hash: Hex): Promise<boolean> => {
      const record = records.get(hash);
      const { transactionHash, blockNumber, anchor } = partIn(record, hash)?.computed ?? {};
      const isFinalized =
        transactionHash === undefined ||
        (await once(transactionHash, async () => {
          const stores = await destination(record?.destinationChainId);
          return (await stores.blockOf?.(transactionHash).catch(() => undefined)) === blockNumber;
        }));
      if (!isFinalized || anchor === undefined || holds === undefined) return !isFinalized;
      return !(await once(
        `${anchor.source?.network}:${anchor.hash}`,
        async () => await holds(anchor),
      ));
    };
    const states = await Promise.all(hashes.map(isStale));
    return new Set(hashes.filter((_, at) => states[at]));
  }

  /** Records results that were read: they end every submission of their tasks that is not being sent right now. */
  #recordRead(read: readonly TaskResult[], records: ReadonlyMap<Hex, SubmissionRecord>): void {
    const { store } = this.#options;
    const found = read.flatMap((result) => {
      const part = partIn(records.get(result.taskHash), result.taskHash);
      return part === undefined
        ? []
        : [{ hash: part.hash, identity: part.identity, word: result.word, result }];
    });
    for (const record of store.awaiting(found)) {
      if (this.#pipeline.isBeingSent(record)) continue;
      const own = found.filter(({ identity }) =>
        record.parts.some((part) => part.identity === identity),
      );
      const results = own.map(({ result }) => result);
      this.#record(() => store.recordResults(record.id, results));
    }
  }

  /** Returns the tasks that a store holds already, under this project's hash or the service's. */
  async #stored(
    store: ExecutionStore,
    hashes: readonly Hex[],
    { destination, ...options }: CallOptions & { readonly destination: ChainIdentifier },
  ): Promise<Map<string, TaskResult>> {
    const under = await this.#storedUnder(
      store,
      hashes,
      this.#theirs(hashes, destination),
      options,
    );
    const found = hashes.filter((_, at) => under[at] !== undefined);
    if (found.length === 0) return new Map();
    const stored = under.filter((hash) => hash !== undefined);
    const results = await store.readResults(stored, options);
    const named = results.map((result, at) => ({
      ...result,
      taskHash: found[at] ?? result.taskHash,
    }));
    this.#recordRead(named, this.#newest(hashes, destination));
    return new Map(named.map((result) => [result.taskHash, result]));
  }

  /** Returns the hash under which a store has each result: this project's, else the service's, else undefined. */
  async #storedUnder(
    store: ExecutionStore,
    hashes: readonly Hex[],
    theirs: ReadonlyMap<string, Hex>,
    options?: CallOptions,
  ): Promise<readonly (Hex | undefined)[]> {
    const asked = [...hashes, ...theirs.values()];
    const states = await store.statuses(asked, options);
    const finalized = new Set(asked.filter((_, at) => states[at] === "finalized"));
    return hashes.map((hash) =>
      [hash, theirs.get(hash.toLowerCase())].find((one) => one !== undefined && finalized.has(one)),
    );
  }

  #theirs(
    hashes: readonly Hex[],
    destinationChainId: ChainIdentifier | undefined,
  ): ReadonlyMap<string, Hex> {
    const { store, place } = this.#options;
    return store.serviceHashes(hashes, { endpoint: place?.endpoint, destinationChainId });
  }

  /** Waits until the store has the results: it may lag behind the service's status. */
  async #whenStored(
    submission: Submission,
    status: TaskStatus,
    options: AwaitOptions,
  ): Promise<void> {
    const { network, destination, system } = this.#options;
    const { id, destinationChainId, taskHashes } = submission;
    const stores = await destination(destinationChainId);
    const store = await stores.openForReading();
    const commands = taskHashes.map((hash) => suggested("hdp:result", [hash], { network }));
    const again = suggested("hdp resume", [pastableName(id, taskHashes[0])], {
      network,
      after: "--lost",
    });
    const restarted = (await stores.chain()).startsAnew
      ? `. Where the chain was started anew or reverted since, give it up, so that its tasks can be sent again: ${again}`
      : "";
    await poll<number>({
      options: { ...options, clock: system.clock, random: system.random },
      look: async () => {
        const under = await this.#storedUnder(
          store,
          taskHashes,
          this.#theirs(taskHashes, destinationChainId),
        );
        return under.filter((hash) => hash !== undefined).length;
      },
      onNew: (found) => {
        const detail = `so far store ${store.address} has ${found} of ${taskHashes.length}`;
        if (found < taskHashes.length) options.onStatus?.({ ...status, detail });
      },
      shownAs: String,
      done: (found) => found === taskHashes.length,
      what: `the results of submission ${id} in store ${store.address}`,
      describe: (found) =>
        `the service says that it is finalized, the store has ${found} of ${taskHashes.length}`,
      comeBack: `Read them later: ${commands.join(", ")}${restarted}`,
    });
  }

  async #partStatus(
    part: SubmissionPart,
    submission: Submission,
    options?: CallOptions,
  ): Promise<TaskStatus> {
    const { processor } = this.#options;
    if (this.#isLocal) {
      if (!this.#isOfThisProcess(part)) return await this.#ofOtherProcess(part, submission);
      return await this.#asInStore(submission, await processor.status(part, options));
    }
    const record = this.#recordOf(part);
    const status = await processor.status(part, options).catch(async (error: unknown) => {
      // A service may forget a task whose result is stored.
      if (isHdpError(error, "HDP-2040") && (await this.#isStored(submission))) return FINALIZED;
      throw forgotten(error, record);
    });
    if (record !== undefined) this.#observe(record, status);
    return status;
  }

  #observe({ id, seen }: SubmissionRecord, { name, phase, detail }: TaskStatus): void {
    const { store } = this.#options;
    const status = { name: storedText(name), phase };
    if (seen?.name === status.name && seen.phase === phase) return;
    this.#record(() =>
      store.observe(id, detail === undefined ? status : { ...status, detail: storedText(detail) }),
    );
  }

  /** Returns the status of another process's local submission by the store; failed if the process has ended. */
  async #ofOtherProcess(
    part: SubmissionPart | undefined,
    submission: Submission,
  ): Promise<TaskStatus> {
    const { store, system } = this.#options;
    const record = part && this.#recordOf(part);
    // Asked before the store: a process that ends later may still finalize.
    const hasEnded = record?.sender !== undefined && !system.processes.mayRun(record.sender);
    const status = await this.#inStore(submission);
    if (status.phase === "finalized" || !hasEnded) return status;
    this.#record(() => store.move(record.id, ["accepted"], "failed", { reason: ENDED.detail }));
    return ENDED;
  }

  /** Returns whether the execution store has every result, under this project's hash or the service's. */
  async #isStored({ taskHashes, destinationChainId }: Submission): Promise<boolean> {
    const store = await this.#storeOf({ destinationChainId });
    const under = await this.#storedUnder(
      store,
      taskHashes,
      this.#theirs(taskHashes, destinationChainId),
    );
    return !under.includes(undefined);
  }

  /** Returns the status of the tasks by the execution store alone. */
  async #inStore(submission: Submission): Promise<TaskStatus> {
    const store = await this.#storeOf(submission);
    const states = await store.statuses(submission.taskHashes);
    if (states.every((state) => state === "finalized")) return FINALIZED;
    const name = states.includes("scheduled") ? "Scheduled" : "Unknown";
    return { name, phase: "pending", detail: `in store ${store.address}` };
  }

  /** Returns the data processor's status, unless the chain has gone back to an earlier block. */
  async #asInStore(submission: Submission, status: TaskStatus): Promise<TaskStatus> {
    if (status.phase !== "finalized") return status;
    return (await this.#inStore(submission)).phase === "finalized" ? status : REVERTED;
  }

  async #storeOf({
    destinationChainId,
  }: Pick<Submission, "destinationChainId">): Promise<ExecutionStore> {
    return await (await this.#options.destination(destinationChainId)).openForReading();
  }

  /** Returns the newest submission of each hash made here, for a chain or any; accepted ones take precedence. */
  #newest(
    hashes: readonly Hex[],
    destinationChainId: ChainIdentifier | undefined,
  ): Map<Hex, SubmissionRecord> {
    const { store, place } = this.#options;
    const wanted = new Map(hashes.map((hash) => [hash.toLowerCase(), hash]));
    const newest = new Map<Hex, SubmissionRecord>();
    if (hashes.length === 0) return newest;
    for (const record of store.newest(hashes, { endpoint: place?.endpoint, destinationChainId })) {
      for (const part of record.parts) {
        const hash = wanted.get(part.hash);
        if (hash === undefined) continue;
        if (record.serviceId !== undefined || newest.get(hash)?.serviceId === undefined)
          newest.set(hash, record);
      }
    }
    return newest;
  }

  #isHere({ endpoint }: SubmissionRecord): boolean {
    return endpoint === this.#options.place?.endpoint;
  }

  #recordOf({ id }: SubmissionPart): SubmissionRecord | undefined {
    return this.#options.store.withServiceId(id).findLast((record) => this.#isHere(record));
  }

  #isOfThisProcess(part: SubmissionPart): boolean {
    return this.#recordOf(part)?.sender === this.#options.system.processes.self;
  }

  /** Returns the submission's part at the service. @throws HdpError HDP-5009 where it was not accepted */
  #partOf(record: SubmissionRecord): SubmissionPart {
    const { serviceId, processor, destinationChainId, parts } = record;
    if (serviceId === undefined || destinationChainId === undefined) throw notResumable(record);
    const part = { id: serviceId, processor, destinationChainId, taskHashes: taskHashesOf(record) };
    const serviceTaskHashes = parts.flatMap(({ serviceHash }) => serviceHash ?? []);
    return serviceTaskHashes.length === 0 ? part : { ...part, serviceTaskHashes };
  }

  /** Records an observation. A failure is reported and does not stop the caller: the observation is made again. */
  #record(action: () => unknown): void {
    try {
      action();
    } catch (error) {
      this.#options.warn(error);
    }
  }
}

const FINALIZED: TaskStatus = { name: "Finalized", phase: "finalized" };

const REVERTED: TaskStatus = {
  name: "Reverted",
  phase: "failed",
  detail: "it was finalized, but the chain was reverted to before that: submit it again",
};

const ENDED = {
  ...{ name: "Ended", phase: "failed" },
  detail: "the local data processor ended with its process",
} as const satisfies TaskStatus;

/** Returns one status for several parts: failed if any is, finalized if all are. */
function joinStatuses(statuses: readonly TaskStatus[]): TaskStatus | undefined {
  const of = (wanted: TaskStatus["phase"]): TaskStatus[] =>
    statuses.filter(({ phase }) => phase === wanted);
  const shown = of("failed")[0] ?? of("pending")[0] ?? statuses.at(-1);
  if (statuses.length === 1 || shown?.phase !== "pending") return shown;
  const finished = of("finalized").length;
  const progress = `${finished} of ${statuses.length} submissions finalized`;
  return {
    ...shown,
    detail: shown.detail === undefined ? progress : `${shown.detail} (${progress})`,
  };
}

function partIn(record: SubmissionRecord | undefined, hash: Hex): PartRecord | undefined {
  return record?.parts.find((part) => part.hash === hash.toLowerCase());
}

/** Returns a result with a local run's data, as long as the stored value is that run's. */
function withComputed(result: TaskResult, part: PartRecord | undefined): TaskResult {
  if (part?.computed?.word !== result.word || part.computed.store !== result.store) return result;
  return { ...part.computed, ...result };
}

function failed({ id }: SubmissionPart, status: TaskStatus | undefined): HdpError {
  const reason = status?.detail ?? status?.name ?? "unknown";
  const recovery = reason.startsWith("HDP-3009")
    ? "Do not submit it again before that: once the transaction is mined, hdp.readResult reads the result."
    : "Nothing of it was finalized. Correct the cause and submit it again.";
  return hdpError("HDP-4406", { id, reason, recovery });
}
