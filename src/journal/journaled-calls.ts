import { createHash } from "node:crypto";

import { suggested } from "../errors/suggested.js";
import { printable, shellWord } from "../base/text.js";
import { jsonText } from "../base/json.js";
import type { CallOptions } from "../request/lifecycle.js";
import { type CallRecord, findCall } from "./call-record.js";
import { hintsForCall, nameOfCall } from "./call-standing.js";
import { type CallTarget, isMadeAt, type NewEntry, placeOf } from "./journal-entry.js";
import { JournalError } from "./journal-error.js";
import { isUndecided } from "./journal-record.js";
import { journalText, reasonOf } from "./journal-text.js";
import type { Journal } from "./journal.js";
import { refuseUnreadable } from "./nothing-sent.js";

export interface JournaledCallsOptions {
  readonly journal: Journal;
  /** The network's name in the user's configuration. */
  readonly network: string;
  /** The service's address: only its host is written down. */
  readonly endpoint: URL;
  /** `refused` only when the error proves that the service did not accept. */
  readonly outcomeOf: (error: unknown) => "refused" | "unknown";
  /** Takes secrets out of a text from outside. */
  readonly redact: (text: string) => string;
  /** Told when what was seen could not be written down: the disk is full. */
  readonly onUnwritten: (error: unknown) => void;
}

/** How something that may cost money is sent. */
export interface SendOptions extends CallOptions {
  /** Send it although it was sent before, or may have been. */
  readonly force?: boolean | undefined;
  /** A word for it in lists and messages: a file's name. */
  readonly label?: string | undefined;
  /** Told of what was sent before, when nothing is sent. */
  readonly onEarlier?: ((earlier: CallRecord) => void) | undefined;
}

/** What is to be sent, once. */
export interface CallToSend<T> extends Pick<CallTarget, "kind" | "content" | "label"> {
  readonly send: (idempotencyKey: string) => Promise<T>;
  /** What the service calls it, if its answer says so. */
  readonly idOf: (answer: T) => string | undefined;
  /** Whether the service has lost what it accepted: a development service that starts anew has. */
  readonly isGone?: ((record: CallRecord) => Promise<boolean>) | undefined;
  /** Send it, whatever is known of it. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SentCall<T> = { readonly answer: T } | { readonly earlier: CallRecord };

type Claim = SentCallRecord | { readonly id: string; readonly sent: () => Promise<void> } | { readonly wait: string };
interface SentCallRecord {
  readonly earlier: CallRecord;
}

/** Tells JSON bodies apart, whatever the order of their members. */
export function contentOf(body: unknown): string {
  const sent: unknown = JSON.parse(jsonText({ body }));
  return `sha256:${createHash("sha256")
    .update(jsonText(sorted(sent)))
    .digest("hex")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * What is sent to a service beside tasks, journalled like them: the intent is on the disk before anything leaves, the
 * answer after; what was sent already is not sent again unless that is asked for.
 */
export class JournaledCalls {
  readonly #options: JournaledCallsOptions;

  public constructor(options: JournaledCallsOptions) {
    this.#options = options;
  }

  /**
   * Sends once; what is accepted already is returned as `earlier`.
   *
   * @throws JournalError HDP-5005 when whether an earlier one was accepted is not known, HDP-5007 when the acceptance
   * could not be written, HDP-5008 when it is unknown whether it was accepted, HDP-5006 and HDP-5012 when lines cannot
   * be read, HDP-5001 to HDP-5004 when the journal cannot be used. A refusal is thrown as it came.
   */
  public async send<T>(call: CallToSend<T>): Promise<SentCall<T>> {
    const { journal } = this.#options;
    const target = this.#targetOf(call);
    const gone = call.force === true ? new Set<string>() : await this.#gone(target, call);
    for (;;) {
      // The journal is held while it is decided, not while it is sent.
      const claim = await journal.exclusively(async () => await this.#claim(target, gone, call), call.signal);
      if ("earlier" in claim) return claim;
      if ("wait" in claim) {
        await journal.whenSent(claim.wait, call.signal);
        continue;
      }
      try {
        return { answer: await this.#sendClaimed(claim.id, target, call) };
      } finally {
        await claim.sent();
      }
    }
  }

  /** Writes down where a call stands when that is new; one that the journal does not know is passed over. */
  public async observe(serviceId: string, seen: { readonly name: string; readonly phase: Phase }): Promise<void> {
    const { journal, redact, onUnwritten } = this.#options;
    const named = await (await journal.look()).callsNamed(serviceId);
    const here = [...named].filter(([, record]) => this.#isHere(record));
    const record = findCall(new Map(here), serviceId);
    if (record === undefined) return;
    const name = journalText(seen.name, redact);
    const last = record.states.at(-1);
    if (last?.name === name && last.phase === seen.phase) return;
    const { phase } = seen;
    const entry: NewEntry =
      phase === "failed" ? { event: "failed", id: record.id, name } : { event: "status", id: record.id, name, phase };
    await journal.append(entry).catch(onUnwritten);
  }

  #targetOf({ kind, content, label }: Pick<CallTarget, "kind" | "content" | "label">): CallTarget {
    const { network, endpoint, redact } = this.#options;
    return {
      ...{ kind, network, ...placeOf(endpoint), content },
      ...(label === undefined ? {} : { label: journalText(label, redact).slice(0, 300) }),
    };
  }

  #isHere(record: CallRecord): boolean {
    return isMadeAt(record, placeOf(this.#options.endpoint));
  }

  /** Earlier calls of the same content at the same service, oldest first. */
  async #same({ kind, content }: CallTarget): Promise<CallRecord[]> {
    const calls = await (await this.#options.journal.look()).callsOf(content);
    return calls.filter((record) => record.kind === kind && this.#isHere(record));
  }

  async #gone(target: CallTarget, { isGone }: Pick<CallToSend<unknown>, "isGone">): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    if (isGone === undefined) return gone;
    for (const record of (await this.#same(target)).filter(isLive)) if (await isGone(record)) gone.add(record.id);
    return gone;
  }

  /** Decides whether it is sent, and writes that down. Nobody else decides meanwhile. */
  async #claim(
    target: CallTarget,
    gone: ReadonlySet<string>,
    call: Pick<CallToSend<unknown>, "force" | "signal">,
  ): Promise<Claim> {
    const { journal } = this.#options;
    await journal.settle();
    refuseUnreadable(journal.path, (await journal.look()).damage);
    const force = call.force === true;
    for (const id of gone) await journal.append({ event: "lost", id, reason: "the service does not know it any more" });
    let same = force ? [] : await this.#same(target);
    if (!same.some(isLive) && same.some(({ state }) => isUndecided(state))) {
      const [wait] = await journal.beingSent(same.flatMap(({ id, state }) => (state === "intent" ? [id] : [])));
      if (wait !== undefined) return { wait };
      // Who was sending may have recorded the answer, and gone, after the journal was read.
      same = await this.#same(target);
    }
    const earlier = same.findLast(isLive);
    if (earlier !== undefined) return { earlier };
    const undecided = same.find(({ state }) => isUndecided(state));
    if (undecided !== undefined) throw unresolved(undecided);
    call.signal?.throwIfAborted();
    const id = journal.newId();
    const sent = await journal.intend({ event: "call", id, ...target, ...(force ? { forced: true } : {}) });
    return { id, sent };
  }

  async #sendClaimed<T>(id: string, target: CallTarget, { send, idOf }: CallToSend<T>): Promise<T> {
    const { journal, outcomeOf, redact, network } = this.#options;
    const answer = await send(id).catch(async (error: unknown) => {
      const event = outcomeOf(error);
      const reason = reasonOf(error, redact);
      // Where this cannot be written the intent stands, which keeps it from being sent again just as well.
      await journal.append({ event, id, reason }).catch(() => undefined);
      if (event === "refused") throw error;
      throw new JournalError({
        code: "HDP-5008",
        message: `it is not known whether ${nameOfCall(target)} (${id}) was accepted (${reason}).`,
        hints: [
          "It is not sent again by itself, because it might then be done and paid twice.",
          `What can be done: ${suggested("hdp resume", [id], { network })}`,
        ],
        cause: error,
      });
    });
    const serviceId = idOf(answer);
    await journal.append({ event: "call-accepted", id, ...target, serviceId }).catch((cause: unknown) => {
      const after = `--accepted ${serviceId === undefined ? "<service id>" : shellWord(serviceId)}`;
      throw new JournalError({
        code: "HDP-5007",
        message: `${nameOfCall(target)} was accepted${serviceId === undefined ? "" : ` as ${printable(serviceId, 200)}`}, but the journal could not record it.`,
        hints: [`Once the journal can be written again: ${suggested("hdp resume", [id], { network, after })}`],
        cause,
      });
    });
    return answer;
  }
}

type Phase = "pending" | "finalized" | "failed";

/** Accepted, and not failed or given up since. */
function isLive({ state }: CallRecord): boolean {
  return state === "open" || state === "finalized";
}

function unresolved(record: CallRecord): JournalError {
  return new JournalError({
    code: "HDP-5005",
    message: `whether ${nameOfCall(record)}, sent before, was accepted is not known. Nothing was sent.`,
    hints: hintsForCall(record),
  });
}
