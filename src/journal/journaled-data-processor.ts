import type { Hex } from "viem";

import type {
  CallOptions,
  DataProcessor,
  Submission,
  SubmitOptions,
  TaskResult,
  TaskStatus,
} from "../request/lifecycle.js";
import type { Task, TaskRequest } from "../request/task.js";
import { isMadeAt, type NewEntry, placeOf, type SubmissionTarget } from "./journal-entry.js";
import { suggested } from "../errors/suggested.js";
import { printable, shellWord } from "../base/text.js";
import { JournalError } from "./journal-error.js";
import { refuseUnreadable, unresolvedError } from "./nothing-sent.js";
import { describePlan, type HashedTask, planSubmission, type SubmissionPlan } from "./submission-plan.js";
import { journalText, reasonOf } from "./journal-text.js";
import type { Journal } from "./journal.js";
import type { JournalLook } from "./journal-look.js";
import type { JournalRecord } from "./journal-record.js";
import { withoutPrivateInputs } from "./journaled-request.js";
import { submissionOf } from "./find-record.js";
import { joinStatuses, joinSubmissions, partsOf, possibleParts } from "./joined-submission.js";

export interface JournaledOptions {
  readonly processor: DataProcessor;
  readonly journal: Journal;
  /** The network's name in the user's configuration. */
  readonly network: string;
  /** The service's address: only its host is written down. */
  readonly endpoint?: URL | undefined;
  readonly taskHash: (task: Task) => Hex;
  /** `refused` only when the error proves that the service did not accept the request. */
  readonly outcomeOf: (error: unknown) => "refused" | "unknown";
  /** What the destination's execution store already holds, by task hash. With it, the journal's word for a result is not enough. */
  readonly finalizedInStore?:
    ((taskHashes: readonly Hex[], options: CallOptions) => Promise<ReadonlyMap<Hex, TaskResult>>) | undefined;
  /** The chain that the results go to, as far as it can be asked. */
  readonly chain?: DestinationChain | undefined;
  /** Told when what was seen (a state, a result) could not be written down: the disk is full. */
  readonly onUnwritten?: ((error: unknown) => void) | undefined;
  /** Takes secrets out of a text from outside. URLs are stripped of credentials and queries in any case. */
  readonly redact?: ((text: string) => string) | undefined;
}

export interface DestinationChain {
  /** Hash of its first block. */
  readonly genesis?: Hex | undefined;
  /** Whether it is one for trying things out, which may start anew at any time. */
  readonly startsAnew: boolean;
}

/** What was written down before it is sent. */
interface Intent {
  readonly id: string;
  readonly taskHashes: readonly Hex[];
  readonly request: TaskRequest;
  /** Ends the time in which others wait for the answer. */
  readonly sent: () => Promise<void>;
}

/** A result with the submission that it is of. */
export interface ReadResult {
  readonly submission: Pick<Submission, "id">;
  readonly result: TaskResult;
}

/** A submission that an id stands for, with what the journal has of it. */
interface Part {
  readonly id: string;
  readonly record?: JournalRecord | undefined;
}

/** `beingSent`: submissions of the same tasks that other callers are sending right now. */
type Claim = { readonly plan: SubmissionPlan; readonly intent?: Intent } | { readonly beingSent: readonly string[] };

/**
 * A data processor whose submissions are journalled: the intent is on the disk before a request is sent, the answer,
 * each newly observed state and the results after. Tasks that are open or finalized are not sent again.
 */
export class JournaledDataProcessor implements DataProcessor {
  public readonly name: string;
  readonly #options: JournaledOptions;
  readonly #redact: (text: string) => string;
  /** The last state written for a submission, by journal id. */
  readonly #last = new Map<string, Pick<TaskStatus, "name" | "phase">>();

  public constructor(options: JournaledOptions) {
    this.name = options.processor.name;
    this.#options = options;
    this.#redact = options.redact ?? ((text) => text);
  }

  /**
   * Sends those tasks of the request that are neither open nor finalized, and returns a submission that stands for the
   * whole request. When several submissions answer it, their ids are joined by commas.
   *
   * @throws JournalError HDP-5005 when an earlier submission of a task is of unknown outcome, HDP-5006 when a newer
   * version wrote the journal, HDP-5007 when the acceptance could not be written, HDP-5008 when it is unknown whether
   * the request was accepted, HDP-5012 when lines of the journal are damaged, HDP-5001 to HDP-5004 when it cannot be used. In all but HDP-5007 and HDP-5008
   * nothing was sent. A refusal is thrown as the data processor threw it.
   */
  public async submit(request: TaskRequest, options: SubmitOptions = {}): Promise<Submission> {
    const { journal, taskHash, finalizedInStore } = this.#options;
    const { signal, force } = options;
    const tasks = request.tasks.map((task) => ({ task, taskHash: taskHash(task) }));
    const taskHashes = tasks.map((task) => task.taskHash);
    const stored = force === true ? undefined : await finalizedInStore?.(taskHashes, { signal });
    const target = this.#targetOf(request);
    const fallback = { processor: this.name, destinationChainId: request.destinationChainId };
    for (;;) {
      // The journal is held while it is decided what is sent, not while it is sent: that may take minutes.
      const claim = await journal.exclusively(async () => await this.#claim(tasks, target, stored, options), signal);
      if ("beingSent" in claim) {
        for (const id of claim.beingSent) await journal.whenSent(id, signal);
        continue;
      }
      const sent = claim.intent === undefined ? undefined : await this.#send(claim.intent, target, options);
      return joinSubmissions(taskHashes, claim.plan, sent, fallback);
    }
  }

  /** Asks for the state, and writes it down when it is new. Submissions unknown to the journal are only asked for. */
  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    const { processor } = this.#options;
    const statuses: TaskStatus[] = [];
    for (const { id, record } of await this.#partsOf(submission.id, await this.#options.journal.look())) {
      const part = record === undefined ? { ...submission, id } : submissionOf(record);
      const status = await processor.status(part, options);
      if (record !== undefined) await this.#observe(record, status);
      statuses.push(status);
    }
    return joinStatuses(statuses);
  }

  /** Writes results down, each for its submissions that have none yet. */
  public async recordResults(results: readonly ReadResult[]): Promise<void> {
    const look = await this.#options.journal.look();
    const parts = new Map<string, readonly Part[]>();
    const entries: NewEntry[] = [];
    for (const { submission, result } of results) {
      const { taskHash, word, store, transactionHash, blockNumber } = result;
      const own = parts.get(submission.id) ?? (await this.#partsOf(submission.id, look));
      parts.set(submission.id, own);
      for (const { record } of own) {
        if (record?.taskHashes.includes(taskHash) !== true) continue;
        if (record.results.get(taskHash)?.word === word) continue;
        entries.push({
          ...{ event: "result", id: record.id, taskHash, word, store },
          ...{ transactionHash, blockNumber },
        });
      }
    }
    await Promise.all(entries.map(async (entry) => await this.#remember(entry)));
  }

  #targetOf({ destinationChainId }: Pick<TaskRequest, "destinationChainId">): SubmissionTarget {
    const { network, endpoint, chain } = this.#options;
    const place = endpoint === undefined ? {} : placeOf(endpoint);
    const genesis = chain?.genesis === undefined ? {} : { genesis: chain.genesis };
    return { destinationChainId, processor: this.name, network, ...place, ...genesis };
  }

  /** The submissions that an id stands for, with what the journal has of them. */
  async #partsOf(id: string, look: JournalLook): Promise<readonly Part[]> {
    const { endpoint } = this.#options;
    const here = endpoint && placeOf(endpoint);
    const known = new Map<string, JournalRecord>();
    for (const part of possibleParts(id)) {
      const accepted = await look.withServiceId(part);
      const record = accepted.findLast(
        (one) => one.processor === this.name && (here === undefined || isMadeAt(one, here)),
      );
      if (record !== undefined) known.set(part, record);
    }
    return partsOf(id, (part) => known.has(part)).map((part) => ({ id: part, record: known.get(part) }));
  }

  /** Decides what is sent, and writes that down. Nobody else decides meanwhile. */
  async #claim(
    tasks: readonly HashedTask[],
    target: SubmissionTarget,
    stored: ReadonlyMap<Hex, TaskResult> | undefined,
    { force, onPlan, signal }: SubmitOptions,
  ): Promise<Claim> {
    const { journal } = this.#options;
    await journal.settle();
    let plan = await this.#planned(tasks, target, stored, force);
    if (plan.unresolved.length > 0) {
      const intents = plan.unresolved.flatMap(({ record }) => (record.state === "intent" ? [record.id] : []));
      const beingSent = await journal.beingSent([...new Set(intents)]);
      if (beingSent.length > 0) return { beingSent };
      // Who was sending may have recorded the answer, and gone, after the journal was read.
      plan = await this.#planned(tasks, target, stored, force);
      if (plan.unresolved.length > 0) throw unresolvedError(plan.unresolved);
    }
    if (plan.reuse.length > 0) {
      const reuse = plan.reuse.map((task) => task.taskHash);
      onPlan?.({ send: plan.send.map((task) => task.taskHash), reuse, sentences: describePlan(plan) });
    }
    signal?.throwIfAborted();
    if (plan.send.length === 0) return { plan };
    const id = journal.newId();
    const taskHashes = plan.send.map((task) => task.taskHash);
    const request = { destinationChainId: target.destinationChainId, tasks: plan.send.map(({ task }) => task) };
    const journaled = { id, ...target, taskHashes, request: withoutPrivateInputs(request) };
    const sent = await journal.intend({ event: "intent", ...journaled, ...(force === true ? { forced: true } : {}) });
    return { plan, intent: { id, taskHashes, request, sent } };
  }

  /** What the journal and the store say of the tasks by now. */
  async #planned(
    tasks: readonly HashedTask[],
    target: SubmissionTarget,
    stored: ReadonlyMap<Hex, TaskResult> | undefined,
    force: boolean | undefined,
  ): Promise<SubmissionPlan> {
    const { journal, chain } = this.#options;
    const look = await journal.look();
    refuseUnreadable(journal.path, look.damage);
    const concerned = await look.withTasks(tasks.map((task) => task.taskHash));
    return planSubmission(tasks, target, concerned, stored ?? new Map(), {
      force,
      isStoreAsked: stored !== undefined,
      startsAnew: chain?.startsAnew,
    });
  }

  async #send(intent: Intent, target: SubmissionTarget, options: SubmitOptions): Promise<Submission> {
    try {
      return await this.#sendClaimed(intent, target, options);
    } finally {
      await intent.sent();
    }
  }

  async #sendClaimed(
    { id, taskHashes, request }: Intent,
    target: SubmissionTarget,
    options: SubmitOptions,
  ): Promise<Submission> {
    const { journal, processor, network } = this.#options;
    const submission = await processor
      .submit(request, { signal: options.signal, idempotencyKey: id })
      .catch(async (error: unknown) => {
        throw await this.#notAccepted(id, error);
      });
    await journal
      .append({
        ...{ event: "accepted", id, ...target, taskHashes, serviceId: submission.id },
        serviceProcessor: submission.processor,
        serviceTaskHashes: submission.serviceTaskHashes,
      })
      .catch((cause: unknown) => {
        throw new JournalError({
          code: "HDP-5007",
          message: `the data processor accepted the tasks as ${printable(submission.id)}, but the journal could not record it.`,
          hints: [
            `Once the journal can be written again: ${suggested("hdp resume", [id], { network, after: `--accepted ${shellWord(submission.id)}` })}`,
            ...taskHashes.map((hash) => `Task ${hash}`),
          ],
          cause,
        });
      });
    return submission;
  }

  async #notAccepted(id: string, error: unknown): Promise<unknown> {
    const { journal, outcomeOf, network } = this.#options;
    const event = outcomeOf(error);
    const reason = reasonOf(error, this.#redact);
    // Where this cannot be written the intent stands, which keeps the tasks from being sent again just as well;
    // what the caller has to know is why sending failed.
    await journal.append({ event, id, reason }).catch(() => undefined);
    if (event === "refused") return error;
    return new JournalError({
      code: "HDP-5008",
      message: `it is not known whether the data processor accepted submission ${id} (${reason}).`,
      hints: [
        "It is not sent again by itself, because it might then run twice.",
        `What can be done: ${suggested("hdp resume", [id], { network })}`,
      ],
      cause: error,
    });
  }

  async #observe(record: JournalRecord, status: TaskStatus): Promise<void> {
    const last = this.#last.get(record.id) ?? record.states.at(-1);
    const name = journalText(status.name, this.#redact);
    if (last?.name === name && last.phase === status.phase) return;
    const detail = status.detail === undefined ? undefined : journalText(status.detail, this.#redact);
    const { id } = record;
    const isWritten = await this.#remember(
      status.phase === "failed"
        ? { event: "failed", id, name, detail }
        : { event: "status", id, name, phase: status.phase, detail },
    );
    if (isWritten) this.#last.set(id, { name, phase: status.phase });
  }

  /** Writes down what was seen. What cannot be written is seen again, and keeps nobody from seeing it now. */
  async #remember(entry: NewEntry): Promise<boolean> {
    try {
      await this.#options.journal.append(entry);
      return true;
    } catch (error) {
      this.#options.onUnwritten?.(error);
      return false;
    }
  }
}
