import { hdpError, suggested } from "../errors/hdp-error.js";
import { printable, shellWord } from "../errors/printable.js";
import type { TaskRequest } from "../request/task.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import {
  failureReason,
  isLive,
  isUndecided,
  type Labelled,
  shownId,
  type SubmissionRecord,
  type SubmissionState,
  type Target,
  type WorkItem,
} from "./model.js";
import { KINDS } from "./kinds.js";
import { describeItems, refuseObstacles, withNothingSent } from "./obstacles.js";
import { workIdentity, type Plan, planSubmission } from "./plan.js";
import type { Change, SubmissionStore } from "./submission-store.js";
import { isBeingSent, type System } from "./system.js";
import type { Call, Called, Outcome, Sent, SentOnce, Work } from "./work.js";

/** Where a pipeline records submissions, and how it distinguishes a refusal from an unknown outcome. */
export interface PipelineOptions {
  readonly store: SubmissionStore;
  readonly system: System;
  /** Returns `refused` only for an error that proves that the service did not accept the request. */
  readonly outcomeOf: (error: unknown) => "refused" | "unknown";
  /** Milliseconds to wait for another process that is sending the same work. Default 90,000. */
  readonly patience?: number | undefined;
}

type Claim =
  { readonly wait: readonly string[] } | { readonly plan: Plan; readonly id: string | undefined };

/** Sends everything that may be charged: plans, claims, sends once, records. */
export class Pipeline {
  readonly #options: PipelineOptions;

  public constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /**
   * Sends those items that are neither open nor finalized. The record is on the disk before the first byte is sent.
   * @throws HdpError HDP-1125, HDP-5003, HDP-5005, HDP-5014, HDP-5015 and HDP-51xx: nothing was sent; HDP-5007 and HDP-5008: a
   * request was sent. A service's refusal is rethrown.
   */
  public async submit<T>(work: Work<T>): Promise<Outcome<T>> {
    const { store, system } = this.#options;
    for (;;) {
      const claim = this.#claim(work);
      if ("wait" in claim) {
        await this.whenSent(claim.wait, work.signal);
        continue;
      }
      const { plan, id } = claim;
      try {
        const isNews = plan.decisions.some(
          (one) => one.kind !== "send" || one.elsewhere !== undefined,
        );
        if (isNews) work.onPlan?.(plan);
        work.signal?.throwIfAborted();
      } catch (error) {
        // A claim that another process has taken over is that process's.
        if (id !== undefined)
          void store.move(id, ["claimed"], "refused", { reason: "nothing was sent" });
        throw error;
      }
      if (id === undefined) return { plan };
      // Does not send a claim that another process has taken over.
      const { self } = system.processes;
      const items = itemsToSend(plan);
      const once = withNothingSent(() => this.#once(id, { id, items }));
      if (!withNothingSent(() => store.move(id, ["claimed"], "sending", { sender: self })))
        continue;
      const sent = { id, items, work };
      const answer = await this.#outcome(sent, "refused", async () => await work.send(items, once));
      return { plan, sent: { id, answer } };
    }
  }

  /** Sends a body, unless it was accepted before and the service still knows it. @throws HdpError as {@link submit} */
  public async call<T>({ content, send, idOf, look, ...work }: Call<T>): Promise<Called<T>> {
    const { kind, target, force } = work;
    const item = { hash: content, identity: workIdentity(kind, content, target) };
    const gone = new Set<string>();
    for (const record of force === true ? [] : this.#options.store.withHashes([content])) {
      const { id, serviceId, parts } = record;
      const isSame = isLive(record) && parts.some(({ identity }) => identity === item.identity);
      if (!isSame || serviceId === undefined) continue;
      const isLost = await look(serviceId).then(
        () => false,
        (error: unknown) => isServiceFailure(error, "not-found"),
      );
      if (isLost) gone.add(id);
    }
    const { plan, sent } = await this.submit({
      ...work,
      items: [item],
      gone,
      send: async (_, once) => {
        const answer = await send(once);
        return { answer, serviceId: idOf(answer), isDone: KINDS[kind].ends === "at-once" };
      },
    });
    if (sent !== undefined) return { answer: sent.answer };
    const [decision] = plan.decisions;
    if (decision?.kind !== "reuse")
      throw new TypeError("nothing was sent, and nothing was sent before");
    return { earlier: decision.record };
  }

  /**
   * Starts a failed submission again at its service, once: until the answer it counts as being sent, so that nobody submits
   * its tasks meanwhile, and after it as accepted.
   * @throws HdpError HDP-5021 where it has not failed, or is open in another submission; else as {@link submit}
   */
  public async retry<T>(
    record: SubmissionRecord,
    send: (once: SentOnce) => Promise<T>,
  ): Promise<T> {
    const { store, system } = this.#options;
    const { id, kind, serviceId, parts } = record;
    this.#recordAgain();
    withNothingSent(() => {
      store.check();
      store.transaction(() => {
        const [other] = this.#openOthers(id, parts);
        const reason = other && `its task is open in submission ${shownId(other)} (${other.state})`;
        if (reason !== undefined) throw hdpError("HDP-5021", { id: shownId(record), reason });
        if (store.move(id, ["failed"], "sending", { sender: system.processes.self })) return;
        const now = store.byId(id)?.state ?? "gone";
        const not = `it is ${now}, and only one that failed is`;
        throw hdpError("HDP-5021", { id: shownId(record), reason: not });
      });
    });
    const once = this.#once(system.newId(), { id, items: parts });
    const work = { kind, target: record, items: parts, requestOf: () => record.request };
    return await this.#outcome({ id, items: parts, work }, "failed", async () => ({
      answer: await send(once),
      serviceId,
    }));
  }

  /** Waits while running processes are sending submissions. @throws HdpError HDP-5003 after `patience` milliseconds */
  public async whenSent(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const { store, system, patience = 90_000 } = this.#options;
    const { clock } = system;
    const end = clock.monotonic() + patience;
    for (let pause = 10; ; pause = Math.min(2 * pause, 200)) {
      const sending = ids
        .map((id) => store.byId(id))
        .find((record) => record && this.isBeingSent(record));
      if (sending === undefined) return;
      signal?.throwIfAborted();
      if (clock.monotonic() >= end) {
        const { id, network, sender } = sending;
        const resume = (after: string): string => suggested("hdp resume", [id], { network, after });
        throw hdpError("HDP-5003", {
          sender,
          id,
          seconds: patience / 1_000,
          accepted: resume("--accepted <service id>"),
          lost: resume("--lost"),
        });
      }
      await clock.sleep(pause, signal);
    }
  }

  /** Returns whether a submission is being sent, by this process or another that may still be running. */
  public isBeingSent(record: SubmissionRecord): boolean {
    const { store, system } = this.#options;
    return !store.answered.has(record.id) && isBeingSent(record, system.processes);
  }

  /** Decides which items are sent, and records the decision, in one transaction. */
  #claim<T>(work: Work<T>): Claim {
    const { store, system } = this.#options;
    const { kind, target, items, force = false, label } = work;
    this.#recordAgain();
    return withNothingSent(() => {
      store.check();
      return store.transaction(() => {
        const records = store.withHashes(items.map(({ hash }) => hash));
        const plan = planSubmission({
          ...work,
          records,
          isBeingSent: (record) => this.isBeingSent(record),
        });
        const wait = plan.decisions.flatMap((one) => (one.kind === "wait" ? [one.record.id] : []));
        if (wait.length > 0) return { wait: [...new Set(wait)] };
        refuseObstacles(plan, work);
        for (const { record, hash } of plan.release) {
          // A submission that was sent stays in its state.
          void store.move(record.id, ["claimed"], "refused", { reason: "nothing was sent" });
          store.release(record.id, hash);
        }
        const send = itemsToSend(plan);
        if (send.length === 0) return { plan, id: undefined };
        const id = system.newId();
        const parts = send.map((item) => ({ ...item, live: true }));
        const request = work.requestOf?.(send);
        store.insert({
          ...target,
          id,
          kind,
          state: "claimed",
          forced: force,
          label,
          parts,
          request,
        });
        return { plan, id };
      });
    });
  }

  /** Returns what a service needs to accept a submission once. */
  #once(idempotencyKey: string, { id, items }: Pick<SentWork, "id" | "items">): SentOnce {
    const before = new Set(this.#openOthers(id, items).map((one) => one.id));
    return {
      idempotencyKey,
      mayRepeat: () => this.#openOthers(id, items).every((one) => before.has(one.id)),
    };
  }

  /** Returns the other submissions of the same work that a service has, or may have, accepted: those before a `--force`. */
  #openOthers(id: string, items: readonly WorkItem[]): SubmissionRecord[] {
    const identities = new Set(items.map(({ identity }) => identity));
    return this.#options.store
      .withHashes(items.map(({ hash }) => hash))
      .filter(
        (one) =>
          one.id !== id &&
          (isLive(one) || isUndecided(one)) &&
          one.parts.some(({ identity }) => identities.has(identity)),
      );
  }

  /** Sends, and records what became of it; `unsent` is the state of what was certainly not accepted. */
  async #outcome<T>(
    sent: SentWork,
    unsent: "refused" | "failed",
    send: () => Promise<Sent<T>>,
  ): Promise<T> {
    const { id, items, work } = sent;
    const { kind, label, target } = work;
    const { network } = target;
    const { answered } = this.#options.store;
    const what = describeItems(items, { kind, label });
    answered.delete(id);
    const { answer, serviceId, serviceHashes, processor, isDone } = await send()
      .finally(() => void answered.add(id))
      .catch((error: unknown) => {
        throw this.#notAccepted(sent, { what, unsent }, error);
      });
    const as = serviceId === undefined ? undefined : ` as ${printable(serviceId, 200)}`;
    const hints = KINDS[kind].hasResults ? items.map(({ hash }) => `Task ${hash}`) : [];
    const state = isDone === true ? "finalized" : "accepted";
    const change = { serviceId, serviceHashes, processor };
    let isRecorded: boolean;
    try {
      isRecorded = this.#recordOutcome(sent, state, change);
    } catch (cause) {
      const problem = "the answer could not be recorded";
      const after = `--accepted ${serviceId === undefined ? "<service id>" : shellWord(serviceId)}`;
      const command = suggested("hdp resume", [id], { network, after });
      const values = { what, as, problem, command, resume: undefined };
      const error = hdpError("HDP-5007", values, { hints, cause });
      const record = (): void => void this.#recordOutcome(sent, state, change);
      this.#options.store.unrecorded.set(id, { record, error });
      throw error;
    }
    if (isRecorded) return answer;
    const problem = "its record was gone: the database was deleted or replaced while it was sent";
    const resume = suggested("hdp resume", [id], { network });
    throw hdpError("HDP-5007", { what, as, problem, resume, command: undefined }, { hints });
  }

  /**
   * Records what became of a request. Where its record is gone, or is one from before it was sent, another program has
   * deleted or replaced the database. @returns false where the record was gone, and was made anew
   */
  #recordOutcome(
    { id, items, work }: SentWork,
    state: keyof typeof BEFORE,
    change: Change,
  ): boolean {
    const { store, system } = this.#options;
    return store.transaction(() => {
      // A submission in another state has ended, or a user has settled it, since.
      if (store.move(id, BEFORE[state], state, change) || store.byId(id) !== undefined) return true;
      const { target, kind, label, force = false, requestOf } = work;
      store.insert({
        ...target,
        id,
        kind,
        label,
        state: "sending",
        sender: system.processes.self,
        forced: force,
        // A later claim of the same work may be live.
        parts: items.map((item) => ({ ...item, live: false })),
        request: requestOf?.(items),
      });
      void store.move(id, ["sending"], state, change);
      return false;
    });
  }

  /** Records the outcomes of this process that could not be recorded before. @throws HDP-5007 where one still cannot be */
  #recordAgain(): void {
    const { unrecorded } = this.#options.store;
    for (const [id, { record, error }] of unrecorded) {
      try {
        record();
      } catch {
        if (error !== undefined) throw error;
        continue;
      }
      unrecorded.delete(id);
    }
  }

  #notAccepted(
    sent: SentWork,
    { what, unsent }: { readonly what: string; readonly unsent: "refused" | "failed" },
    error: unknown,
  ): unknown {
    const { id, work } = sent;
    const outcome = this.#options.outcomeOf(error);
    const reason = failureReason(error);
    const state = outcome === "refused" ? unsent : outcome;
    const record = (): void => void this.#recordOutcome(sent, state, { reason });
    try {
      record();
    } catch {
      // The record stays `sending`, which also prevents another send; the error of the send is more important.
      this.#options.store.unrecorded.set(id, { record });
    }
    if (outcome === "refused") return error;
    const command = suggested("hdp resume", [id], { network: work.target.network });
    return hdpError("HDP-5008", { what, id, reason, command }, { cause: error });
  }
}

/** Work as it is recorded when it is sent. */
interface RecordedWork extends Labelled {
  readonly target: Target;
  readonly force?: boolean | undefined;
  readonly requestOf?: ((items: readonly WorkItem[]) => TaskRequest | undefined) | undefined;
}

/** A request that was sent. */
interface SentWork {
  readonly id: string;
  readonly items: readonly WorkItem[];
  readonly work: RecordedWork;
}

const ACCEPTED_FROM = ["claimed", "sending", "unknown", "lost", "accepted", "refused"] as const;
const UNKNOWN_FROM = ["claimed", "sending", "refused"] as const;

/** The states that an outcome overrides: `claimed` and `refused` in an older copy of the file. */
const BEFORE = {
  accepted: ACCEPTED_FROM,
  finalized: ACCEPTED_FROM,
  unknown: UNKNOWN_FROM,
  refused: ["claimed", "sending"],
  failed: ["sending"],
} as const satisfies Partial<Record<SubmissionState, readonly SubmissionState[]>>;

function itemsToSend({ decisions }: Plan): WorkItem[] {
  return decisions.filter(({ kind }) => kind === "send").map(({ item }) => item);
}
