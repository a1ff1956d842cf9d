import { createHash } from "node:crypto";

import { jsonText } from "../base/json.js";
import { isRecord } from "../base/collections.js";
import type { CallOptions, TaskStatus } from "../request/lifecycle.js";
import { isLive, placeOf, storedText, type SubmissionKind, type SubmissionRecord } from "../submission/model.js";
import { identityOf } from "../submission/plan.js";
import { Pipeline } from "../submission/pipeline.js";
import { nodeSystem } from "../submission/system.js";
import { type ChargingService, outcomeOfCall } from "./service-clients.js";
import type { Session } from "./session.js";
import { projectSubmissions, warnOf } from "./submission-stores.js";

/** How something that may be charged is sent. */
export interface SendOptions extends CallOptions {
  /** Send it although it was sent before, or may have been. */
  readonly force?: boolean | undefined;
  /** A name for it in lists and messages: a file's. */
  readonly label?: string | undefined;
  /** Called with what was sent before, when nothing is sent. */
  readonly onEarlier?: ((earlier: SubmissionRecord) => void) | undefined;
}

/** One body that is sent to a service. */
export interface ChargedCall<T> extends Pick<SendOptions, "force" | "label" | "signal"> {
  readonly kind: Exclude<SubmissionKind, "tasks">;
  /** Tells bodies apart: a program's hash, or {@link contentOf} the body, which is not stored itself. */
  readonly content: string;
  readonly send: (idempotencyKey: string) => Promise<T>;
  /** The service's id in its answer, if it names one. */
  readonly idOf: (answer: T) => string | undefined;
  /** Whether the service has lost what it accepted. */
  readonly isGone: (record: SubmissionRecord) => Promise<boolean>;
}

/** A digest that is equal for equal JSON bodies, whatever the order of their members. */
export function contentOf(body: unknown): string {
  const sent: unknown = JSON.parse(jsonText({ body }));
  return `sha256:${createHash("sha256")
    .update(jsonText(sorted(sent)))
    .digest("hex")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function callPipeline(session: Session, redact: (text: string) => string): Pipeline {
  const store = projectSubmissions(session.config.dataDir);
  return new Pipeline({ store, system: nodeSystem, outcomeOf: outcomeOfCall, redact });
}

/** Sends a body once. What was accepted before is returned as `earlier`. @throws HdpError as `Pipeline.submit` */
export async function sendOnce<T>(
  session: Session,
  { endpoint, redact }: ChargingService,
  { kind, content, label, force, signal, send, idOf, isGone }: ChargedCall<T>,
): Promise<{ readonly answer: T } | { readonly earlier: SubmissionRecord }> {
  const target = { network: session.networkName, processor: kind, ...placeOf(endpoint) };
  const item = { hash: content, identity: identityOf(kind, content, target) };
  const gone = new Set<string>();
  const sent = force === true ? [] : projectSubmissions(session.config.dataDir).withHashes([content]);
  for (const record of sent) {
    const isSame = record.parts.some(({ identity }) => identity === item.identity);
    if (isSame && isLive(record) && (await isGone(record))) gone.add(record.id);
  }
  const outcome = await callPipeline(session, redact).submit({
    ...{ kind, target, items: [item], gone, force, signal },
    label: label === undefined ? undefined : storedText(label, redact).slice(0, 300),
    send: async (_, idempotencyKey) => {
      const answer = await send(idempotencyKey);
      return { answer, serviceId: idOf(answer), isDone: kind === "program" };
    },
  });
  if (outcome.sent !== undefined) return { answer: outcome.sent.answer };
  const [decision] = outcome.plan.decisions;
  if (decision?.kind !== "reuse") throw new TypeError("nothing was sent, and nothing was sent before");
  return { earlier: decision.record };
}

/** Records where something that was sent stands; what this project did not send is left out. */
export function observeCall(
  session: Session,
  { endpoint, redact }: ChargingService,
  serviceId: string,
  { name, phase }: TaskStatus,
): void {
  const store = projectSubmissions(session.config.dataDir);
  const here = placeOf(endpoint).endpoint;
  const record = store.withServiceId(serviceId).findLast((one) => one.kind !== "tasks" && one.endpoint === here);
  if (record === undefined) return;
  try {
    store.observe(record.id, { name: storedText(name, redact), phase });
  } catch (error) {
    warnOf(error);
  }
}
