import type { Hex } from "viem";

import type { Clock, Random } from "../base/clock.js";
import { plural } from "../base/text.js";
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
  Rehearsal,
  Submission,
  SubmissionPart,
  SubmitOptions,
  TaskStatus,
  ForceOptions,
} from "../request/data-processor.js";
import type { ModuleTask, Task, TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { refuseConflicts, taskHash } from "../request/task-hash.js";
import type { ExecutionStore } from "../store/execution-store.js";
import {
  type ServicePlace,
  storedText,
  type SubmissionRecord,
  type Target,
  type WorkItem,
} from "./model.js";
import { Pipeline, type PipelineOptions } from "./pipeline.js";
import { refuseObstacles } from "./obstacles.js";
import { describePlan, workIdentity, workItems, type Plan, planSubmission } from "./plan.js";
import { acceptedPart, Records } from "./records.js";
import { joinStatuses, reusedParts, throwAfter } from "./submission-parts.js";
import { FINALIZED, ResultReader, type ResultReaderOptions } from "./result-reader.js";
import { failedAs } from "./recovery.js";
import { finishRecorded, requireSameChain } from "./resume.js";
import {
  comparedHashes,
  finalizedBefore,
  hasOneHash,
  neitherHashText,
  notTheirHashes,
  otherTask,
  type ServiceHashes,
} from "./service-hashes.js";
import { forgotten, notItsId } from "./settle.js";
import type {
  AcceptedOptions,
  Destination,
  Finished,
  Submissions,
  SubmissionsOptions,
} from "./submissions.js";
import { whenStored } from "./when-stored.js";

/** What a submission's status is awaited with. */
interface AwaitEndOptions extends AwaitOptions {
  readonly network: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Asks for the status of a submission until it is final, and returns it; rejects for one that failed. */
type AwaitEnd = (
  processor: {
    readonly status: (submission: Submission, options?: CallOptions) => Promise<TaskStatus>;
  },
  submission: Submission,
  options: AwaitEndOptions,
) => Promise<TaskStatus>;

/** What submissions to a service work with. */
export interface RemoteSubmissionsOptions extends SubmissionsOptions, PipelineOptions {
  readonly processor: DataProcessor;
  readonly awaitEnd: AwaitEnd;
  /** Host and address of the service. */
  readonly place: ServicePlace;
  /** Whether the service takes one task a request: several tasks become a request each, of one submission. */
  readonly oneTask?: boolean | undefined;
  /** Returns the service's own hash of a submission's single task, where the service has and reports one. */
  readonly serviceHash?:
    ((part: SubmissionPart, options: CallOptions) => Promise<Hex | undefined>) | undefined;
  /** Returns a task's hash by the flat hash of its program; undefined where its class is not known here. */
  readonly flatHash?: ((task: ModuleTask) => Promise<Hex | undefined>) | undefined;
  /** Runs tasks here before they are sent. Rejects where one fails: nothing is sent then. */
  readonly rehearse?:
    | ((
        tasks: readonly Task[],
        options: CallOptions & { readonly destination: ChainIdentifier },
      ) => Promise<readonly Rehearsal[]>)
    | undefined;
  /** Returns a result with the data that the service adds. */
  readonly annotate?: ResultReaderOptions["annotate"];
}

interface SubmitAnswer {
  readonly part: SubmissionPart;
  readonly hashes: ServiceHashes;
  /** The newest block before it was sent. */
  readonly head: bigint | undefined;
}

/** The tasks of a request as work of the pipeline. */
interface Prepared {
  readonly target: Target;
  readonly work: ReturnType<typeof workItems>;
  readonly before: readonly SubmissionRecord[];
  readonly stored: ReadonlyMap<Hex, TaskResult> | undefined;
}

/** Submissions to a service: sent once, through the pipeline. */
export class RemoteSubmissions implements Submissions {
  readonly #options: RemoteSubmissionsOptions;
  readonly #pipeline: Pipeline;
  readonly #records: Records;
  readonly #reader: ResultReader;
  /** Results of rehearsals by task hash, until their tasks are sent. */
  readonly #rehearsed = new Map<Hex, TaskResult>();

  public constructor(options: RemoteSubmissionsOptions) {
    this.#options = options;
    const { store, system, place, destination, warn, annotate } = options;
    this.#pipeline = new Pipeline(options);
    this.#records = new Records({ store, place, warn });
    const records = this.#records;
    this.#reader = new ResultReader({ records, store, system, destination, annotate, warn });
  }

  /**
   * Sends the tasks of a request that are neither open nor finalized.
   * @throws HdpError as `Pipeline.submit`, HDP-1125 where two tasks of one hash differ, HDP-5018 for hashes of the
   * service that cannot be the tasks'
   */
  public async submit(
    request: TaskRequest,
    options: SubmitOptions = {},
    given?: Destination,
  ): Promise<Submission> {
    const { destinationChainId, tasks } = request;
    refuseConflicts(tasks);
    const taskHashes = tasks.map((task) => taskHash(task));
    const destination = given ?? (await this.#options.destination(destinationChainId));
    if (options.rehearsal !== false) {
      const rehearsals = await this.rehearse(request, options, destination);
      if (rehearsals.length > 0) options.onRehearsal?.(rehearsals);
    }
    const requests =
      this.#options.oneTask === true
        ? tasks.map((task) => ({ ...request, tasks: [task] }))
        : [request];
    const parts: SubmissionPart[] = [];
    for (const one of requests) {
      const sent = this.#submitRequest(one, options, destination);
      parts.push(...(await sent.catch((error: unknown) => throwAfter(parts, tasks, error))));
    }
    return { id: parts[0]?.id ?? taskHashes[0] ?? "", destinationChainId, taskHashes, parts };
  }

  public async rehearse(
    request: TaskRequest,
    options: ForceOptions = {},
    given?: Destination,
  ): Promise<readonly Rehearsal[]> {
    const { rehearse } = this.#options;
    if (rehearse === undefined) return [];
    const destination = given ?? (await this.#options.destination(request.destinationChainId));
    const { plan, tasks: all } = await this.#planned(request, options, destination);
    const tasks = plan.decisions.flatMap(({ kind, item }) =>
      kind === "send" ? (all.get(item.identity) ?? []) : [],
    );
    if (tasks.length === 0) return [];
    const { address } = await destination.openForReading();
    const rehearsals = await rehearse(tasks, {
      signal: options.signal,
      destination: request.destinationChainId,
    });
    for (const { taskHash: hash, result } of rehearsals)
      if (result !== undefined) this.#rehearsed.set(hash, { ...result, store: address });
    return rehearsals;
  }

  public async obstacle(
    request: TaskRequest,
    options: SubmitOptions = {},
    given?: Destination,
  ): Promise<HdpError | undefined> {
    const destination = given ?? (await this.#options.destination(request.destinationChainId));
    const { plan } = await this.#planned(request, options, destination);
    try {
      refuseObstacles(plan, { kind: "tasks" });
      return undefined;
    } catch (error) {
      if (isHdpError(error)) return error;
      throw error;
    }
  }

  /** Returns what would be done with the tasks of a request now, and the tasks by identity. */
  async #planned(
    request: TaskRequest,
    options: SubmitOptions,
    destination: Destination,
  ): Promise<{ readonly plan: Plan; readonly tasks: ReadonlyMap<string, Task> }> {
    const prepared = await this.#prepare(request, options, destination);
    const { items, tasks } = prepared.work;
    const plan = planSubmission({
      ...prepared,
      items,
      force: options.force,
      isRequested: options.requestedBy !== undefined,
      records: this.#options.store.withHashes(items.map(({ hash }) => hash)),
      isBeingSent: (record) => this.#pipeline.isBeingSent(record),
    });
    return { plan, tasks };
  }

  /** Returns the tasks of a request as work, and what the store has of them. */
  async #prepare(
    request: TaskRequest,
    { force, signal }: ForceOptions,
    destination: Destination,
  ): Promise<Prepared> {
    const { processor, store, network, place } = this.#options;
    const { destinationChainId, tasks } = request;
    const taskHashes = tasks.map((task) => taskHash(task));
    const { genesis, startsAnew } = await destination.chain();
    const target = { network, processor: processor.name, ...place, destinationChainId, genesis };
    const work = workItems(tasks, taskHashes, (hash, task) =>
      workIdentity("tasks", hash, target, { startsAnew, task }),
    );
    const before = startsAnew ? store.withHashes(taskHashes) : [];
    const stored =
      force === true ? undefined : await this.#stored(request, taskHashes, destination, signal);
    return { target, work, before, stored };
  }

  /** Sends the tasks of one request that are neither open nor finalized. */
  async #submitRequest(
    request: TaskRequest,
    options: SubmitOptions,
    destination: Destination,
  ): Promise<readonly SubmissionPart[]> {
    const { processor } = this.#options;
    const { force, signal, onPlan, requestedBy } = options;
    const { destinationChainId } = request;
    const { work, ...prepared } = await this.#prepare(request, options, destination);
    const requestForItems = (items: readonly WorkItem[]): TaskRequest => ({
      destinationChainId,
      tasks: items.flatMap(({ identity }) => work.tasks.get(identity) ?? []),
    });
    const head = await destination.head?.().catch(() => undefined);
    const { plan, sent } = await this.#pipeline.submit<SubmitAnswer>({
      ...prepared,
      kind: "tasks",
      items: work.items,
      force,
      isRequested: requestedBy !== undefined,
      label: requestedBy,
      signal,
      requestOf: requestForItems,
      onPlan: (decided) => this.#report(decided, onPlan),
      send: async (items, once) => {
        const sending = requestForItems(items);
        const part = await processor.submit(sending, { ...once, signal, requestedBy });
        const hashes = comparedHashes(part, sending.tasks, this.#records);
        const serviceHashes = hashes.fault === undefined ? part.serviceTaskHashes : undefined;
        const other = part.processor === processor.name ? undefined : part.processor;
        const answer = { part, hashes, head };
        return { answer, serviceId: part.id, serviceHashes, processor: other };
      },
    });
    if (sent !== undefined) {
      this.#recordRehearsed(sent.id, sent.answer.part);
      this.#requireOwnVersion(sent.answer.part);
      await this.#requireOwnHashes(sent.id, sent.answer, destination);
    }
    return [...(sent === undefined ? [] : [sent.answer.part]), ...reusedParts(plan)];
  }

  /** Records the results of rehearsals: a stored root does not say which value it stands for. */
  #recordRehearsed(id: string, { taskHashes }: SubmissionPart): void {
    const computed = taskHashes.map((hash) => this.#rehearsed.get(hash));
    if (computed.every((result) => result === undefined)) return;
    for (const hash of taskHashes) this.#rehearsed.delete(hash);
    this.#records.observe((store) => store.recordComputed(id, computed));
  }

  /** Throws for a task that a service of another API version took, which this one cannot follow. @throws HDP-5022 */
  #requireOwnVersion({ id, processor: found, taskHashes }: SubmissionPart): void {
    const { processor, network } = this.#options;
    if (found === processor.name) return;
    const command = suggested("hdp:await", [pastableName(id, taskHashes[0])], { network });
    const what = plural(taskHashes.length, "task");
    throw hdpError("HDP-5022", { what, id, found, configured: processor.name, command });
  }

  /** Throws for hashes that cannot be the tasks', which stay accepted. @throws HdpError HDP-5018 */
  async #requireOwnHashes(
    id: string,
    { part, hashes, head }: SubmitAnswer,
    destination: Destination,
  ): Promise<void> {
    const { network } = this.#options;
    if (hashes.fault !== undefined) throw notTheirHashes(part, id, hashes.fault, network);
    if (hashes.unknown.length === 0) return;
    const finalized = await finalizedBefore(
      await destination.openForReading(),
      hashes.unknown,
      head,
    );
    if (finalized === undefined) return;
    this.#records.observe((store) => store.forgetServiceHashes(id));
    const fault = `the hash ${finalized}, whose result was finalized before`;
    throw notTheirHashes(part, id, fault, network);
  }

  async #stored(
    { destinationChainId }: TaskRequest,
    taskHashes: readonly Hex[],
    destination: Destination,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<Hex, TaskResult>> {
    const store = await destination.openForReading();
    return await this.#reader.stored(store, taskHashes, destinationChainId, { signal });
  }

  #report(plan: Plan, onPlan: SubmitOptions["onPlan"]): void {
    const { elsewhere, ...described } = describePlan(plan);
    if (onPlan === undefined) elsewhere.forEach(this.#options.warn);
    else onPlan(described);
  }

  public find(name: string): Submission {
    return this.#records.find(name, this.#options.network);
  }

  public findDestination(hash: Hex): ChainIdentifier | undefined {
    return this.#records.findDestination(hash);
  }

  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    const statuses: TaskStatus[] = [];
    for (const part of submission.parts)
      statuses.push(await this.#partStatus(part, submission, options));
    return joinStatuses(statuses) ?? (await this.#reader.status(submission));
  }

  async #partStatus(
    part: SubmissionPart,
    submission: Submission,
    options?: CallOptions,
  ): Promise<TaskStatus> {
    const record = this.#records.ofPart(part);
    const status = await this.#options.processor
      .status(part, options)
      .catch(async (error: unknown) => {
        // A service may forget a task whose result is stored.
        const isUnknown = isHdpError(error, "HDP-2040");
        if (isUnknown && (await this.#reader.hasAll(submission))) return FINALIZED;
        throw forgotten(error, record);
      });
    if (record !== undefined) this.#observe(record, status);
    return status;
  }

  #recordsOf(parts: readonly SubmissionPart[]): readonly SubmissionRecord[] {
    return parts.flatMap((part) => this.#records.ofPart(part) ?? []);
  }

  #observe({ id, seen }: SubmissionRecord, { name, phase, detail }: TaskStatus): void {
    const status = { name: storedText(name), phase };
    if (seen?.name === status.name && seen.phase === phase) return;
    const observed = detail === undefined ? status : { ...status, detail: storedText(detail) };
    this.#records.observe((store) => store.observe(id, observed));
  }

  public async finish(
    submission: Submission,
    options: AwaitOptions = {},
    given?: Destination,
  ): Promise<Finished> {
    const { awaitEnd, network, system, timeout: usual } = this.#options;
    const { timeout = usual } = options;
    const { clock, random } = system;
    const end = clock.monotonic() + timeout;
    // The store is more certain than the service about results that were read: the service may have forgotten them or
    // failed since.
    const parts = submission.parts.filter(
      (part) => this.#records.ofPart(part)?.parts.every(({ word }) => word) !== true,
    );
    const waiting = { ...options, timeout, network, clock, random };
    const status =
      parts.length === 0
        ? FINALIZED
        : await awaitEnd(this, { ...submission, parts }, waiting).catch((error: unknown) => {
            throw failedAs(error, this.#recordsOf(parts));
          });
    for (const part of parts) await this.#compareHash(part, options);
    const destination = given ?? (await this.#options.destination(submission.destinationChainId));
    const left = Math.max(end - clock.monotonic(), 1);
    await whenStored(submission, destination, {
      ...options,
      timeout: left,
      status,
      network,
      system,
      count: async (store) => await this.#reader.count(store, submission),
    });
    return { status, results: async () => await this.results(submission, destination) };
  }

  /**
   * Compares the hash in the details of a finished module with those that it can have: by its program's hash by segments,
   * which is the task's own here, and by the flat one, under which its result is read too. Says where none fits.
   * @throws HdpError HDP-5019 for another hash of a standard program, which has but one
   */
  async #compareHash(part: SubmissionPart, { signal }: CallOptions): Promise<void> {
    const { serviceHash, flatHash, warn } = this.#options;
    const record = this.#records.ofPart(part);
    const [task] = record?.request?.tasks ?? [];
    const [own, ...others] = part.taskHashes;
    if (record === undefined || task?.type !== "Module" || own === undefined) return;
    if (others.length > 0) return;
    // A result under the task's own hash is the task's, whatever the service says of it or does not say.
    const theirs = await serviceHash?.(part, { signal }).catch(() => undefined);
    if (theirs === undefined || theirs === own) return;
    if (hasOneHash(task)) throw otherTask(part.id, own, theirs);
    const flat = await flatHash?.(task);
    if (flat !== undefined && flat !== theirs) {
      warn(neitherHashText(own, flat, theirs));
      return;
    }
    this.#keepServiceHash(record, own, theirs);
  }

  /** Records the service's own hash of a task, unless it is another task's: results are read under it too. */
  #keepServiceHash({ id }: SubmissionRecord, own: string, theirs: Hex): void {
    if (this.#records.isOfOther(theirs, own)) return;
    this.#records.observe((store) => store.recordServiceHash(id, theirs));
  }

  public async results(
    submission: Submission,
    destination?: Destination,
  ): Promise<readonly TaskResult[]> {
    return await this.#reader.results(submission, destination);
  }

  public async readAll(
    store: ExecutionStore,
    hashes: readonly Hex[],
    destination: ChainIdentifier | undefined,
  ): Promise<readonly TaskResult[]> {
    return await this.#reader.readAll(store, hashes, destination);
  }

  public async resume(
    record: SubmissionRecord,
    options: AwaitOptions = {},
  ): Promise<readonly TaskResult[]> {
    await requireSameChain(record, this.#options.destination);
    if (record.serviceId !== undefined) await this.#askServiceHash(record, options);
    return await finishRecorded(this, this.#records, record, options);
  }

  /** Reads the service's hash of a datalake task: of a submission whose answer was lost, it was lost too. */
  async #askServiceHash(record: SubmissionRecord, { signal }: CallOptions): Promise<void> {
    const { serviceHash } = this.#options;
    const [part, ...others] = record.parts;
    if (part === undefined || part.serviceHash !== undefined || others.length > 0) return;
    // That of a module is compared once it has ended.
    if (record.request?.tasks[0]?.type === "Module") return;
    // A service that does not report its hash may store the result under this project's hash.
    const hash = await serviceHash?.(acceptedPart(record), { signal }).catch(() => undefined);
    if (hash !== undefined && hash !== part.hash) this.#keepServiceHash(record, part.hash, hash);
  }

  /**
   * Checks with the service that an id is a submission's; with `force`, only that the service knows the id.
   * @throws HdpError HDP-5017 where the id is another submission's, HDP-2040 where the service does not know it
   */
  public async requireAccepted(
    record: SubmissionRecord,
    serviceId: string,
    { force, signal }: AcceptedOptions = {},
  ): Promise<void> {
    const { processor, serviceHash } = this.#options;
    const part = acceptedPart({ ...record, serviceId });
    await processor.status(part, { signal });
    if (force === true) return;
    this.#records.refuseOtherWith(serviceId, record);
    const [hash, ...others] = part.taskHashes;
    const theirs = await serviceHash?.(part, { signal }).catch(() => undefined);
    if (theirs === undefined || theirs === hash || others.length > 0) return;
    const task = record.request?.tasks[0];
    if (task !== undefined && theirs === taskHash(task, { datalakeEncoding: "without-chain-id" }))
      return;
    const reason = `the service says that its task hash is ${theirs}, the submission's is ${hash ?? "none"}`;
    throw notItsId(record, serviceId, reason);
  }
}
