import { scryptSync } from "node:crypto";

import type { Hex } from "viem";

import { plural } from "../base/text.js";
import type { SubmitPlan } from "../request/data-processor.js";
import type { Task } from "../request/task.js";
import { taskHash, uncovered } from "../request/task-hash.js";
import type { SubmissionRecord, Target, WorkItem } from "./model.js";
import type { SubmissionKind } from "./kinds.js";
import { areOfOtherChains, isLive, isUndecided } from "./model.js";

/**
 * Returns a text that is equal for equal work: kind, hash, destination, service, on development chains the chain
 * itself; after `#` the content that no task hash covers. For private inputs that is 4 bytes of a slow digest: the
 * database does not hold their values.
 */
export function workIdentity(
  kind: SubmissionKind,
  hash: string,
  { destinationChainId, endpoint, genesis }: Target,
  {
    startsAnew = false,
    task,
  }: { readonly startsAnew?: boolean; readonly task?: Task | undefined } = {},
): string {
  const place = [kind, hash, destinationChainId, endpoint, startsAnew ? genesis : undefined].join(
    " ",
  );
  const { inputs, injected_state: roots } = uncovered(task);
  const digest =
    inputs === "" ? "" : ` private ${scryptSync(inputs, place, 4, { N: 4_096 }).toString("hex")}`;
  return `${place}#${roots}${digest}`;
}

/** Returns the items of tasks, and the tasks by identity. */
export function workItems(
  tasks: readonly Task[],
  hashes: readonly Hex[],
  identity: (hash: Hex, task: Task) => string,
): { readonly items: readonly WorkItem[]; readonly tasks: ReadonlyMap<string, Task> } {
  const items: WorkItem[] = [];
  const byIdentity = new Map<string, Task>();
  for (const [position, task] of tasks.entries()) {
    const hash = hashes[position] ?? taskHash(task);
    const item = { hash, identity: identity(hash, task) };
    items.push(item);
    byIdentity.set(item.identity, task);
  }
  return { items, tasks: byIdentity };
}

/** Returns an identity without the content that no task hash covers. */
function covered(identity: string): string {
  return identity.slice(0, identity.indexOf("#"));
}

/** Work to plan, and what was read of it before. */
export interface PlannedWork {
  readonly items: readonly WorkItem[];
  readonly target: Target;
  /** Results in the execution store, by hash; undefined where the store was not read. */
  readonly stored?: ReadonlyMap<string, { readonly store: Hex }> | undefined;
  /** Submissions for a development chain from before the store was read: others may have read a result since. */
  readonly before?: readonly SubmissionRecord[] | undefined;
  /** Ids of submissions that their service no longer knows. */
  readonly gone?: ReadonlySet<string> | undefined;
  readonly force?: boolean | undefined;
  /** Whether a contract asked for the items: then one that failed is not sent again. */
  readonly isRequested?: boolean | undefined;
}

/** What the plan of a submission is decided from. */
export interface PlanInput extends PlannedWork {
  /** All submissions with one of the hashes, oldest first. */
  readonly records: readonly SubmissionRecord[];
  /** Whether the process that is sending a submission is still running. */
  readonly isBeingSent: (record: SubmissionRecord) => boolean;
}

/**
 * Decision about an item:
 * - `send` it; `elsewhere` is a submission of it that is open at another address of the same host
 * - `stored`: the execution store has its result
 * - `reuse`: a submission of it was accepted
 * - `wait`: another caller is sending it
 * - `undecided`: it is unknown whether a submission of it was accepted
 * - `other-version`: it is open at the same service under another API version
 * - `other-stored`: the store has a result for its hash, which may be of other private inputs or injected state
 * - `other-open`: a submission of its hash, with other private inputs or injected state, may end with a result
 * - `failed`: a contract asked for it, and a submission of it failed
 *
 * If one of the last six applies to an item, nothing of its request is sent.
 */
type Decision =
  | { readonly kind: "send"; readonly elsewhere?: SubmissionRecord | undefined }
  | { readonly kind: "stored"; readonly store: Hex }
  | { readonly kind: "other-stored"; readonly store: Hex }
  | { readonly kind: "reuse"; readonly record: SubmissionRecord }
  | { readonly kind: "wait"; readonly record: SubmissionRecord }
  | { readonly kind: "undecided"; readonly record: SubmissionRecord }
  | { readonly kind: "other-version"; readonly record: SubmissionRecord }
  | { readonly kind: "other-open"; readonly record: SubmissionRecord }
  | { readonly kind: "failed"; readonly record: SubmissionRecord };

/** What happens to each item of a submission: sent, reused or refused. */
export interface Plan {
  readonly decisions: readonly (Decision & { readonly item: WorkItem })[];
  /** Earlier submissions that no longer count, and whose record still blocks an item. */
  readonly release: readonly { readonly record: SubmissionRecord; readonly hash: string }[];
}

/**
 * Decides for each item whether it is sent. Pure. A result in the execution store takes precedence, then an accepted
 * submission, then one that is being sent, then one of unknown outcome. Failed, refused and lost submissions do not
 * block an item.
 */
export function planSubmission(input: PlanInput): Plan {
  const byHash = new Map<string, SentWork[]>();
  for (const record of input.records) {
    for (const { identity } of record.parts) {
      const hash = covered(identity);
      byHash.set(hash, [...(byHash.get(hash) ?? []), { record, identity }]);
    }
  }
  const items = new Map(input.items.map((item) => [item.identity, item]));
  const decisions: (Decision & { item: WorkItem })[] = [];
  const release: { record: SubmissionRecord; hash: string }[] = [];
  for (const item of items.values()) {
    const sent = byHash.get(covered(item.identity)) ?? [];
    const known = sent.filter((one) => !saysNothing(one, item, input));
    for (const one of sent)
      if (!known.includes(one)) release.push({ record: one.record, hash: item.hash });
    decisions.push({ ...decide(item, sent, known, input), item });
  }
  return { decisions, release };
}

/** A submission with the identity of its part that has an item's hash. */
interface SentWork {
  readonly record: SubmissionRecord;
  readonly identity: string;
}

/** Decides about one item. @param sent submissions of the item's hash, of which `known` are those that still count */
function decide(
  item: WorkItem,
  sent: readonly SentWork[],
  known: readonly SentWork[],
  input: PlanInput,
): Decision {
  const { target, stored, records, isBeingSent, force } = input;
  if (force === true) return { kind: "send" };
  const isSame = ({ identity }: SentWork): boolean => identity === item.identity;
  const found = stored?.get(item.hash);
  if (found !== undefined) {
    // The store finds a result by the task hash alone.
    const isOther = !sent.some(isSame) && (sent.length > 0 || !item.identity.endsWith("#"));
    return { kind: isOther ? "other-stored" : "stored", store: found.store };
  }
  const own = known.filter(isSame).map(({ record }) => record);
  const live = own.findLast(isLive);
  if (live !== undefined)
    return { kind: live.processor === target.processor ? "reuse" : "other-version", record: live };
  const undecided = own.findLast(isUndecided);
  if (undecided !== undefined)
    return { kind: isBeingSent(undecided) ? "wait" : "undecided", record: undecided };
  const failed = own.findLast(({ state }) => state === "failed");
  if (input.isRequested === true && failed !== undefined) return { kind: "failed", record: failed };
  const other = known.findLast(({ record }) => isLive(record) || isUndecided(record));
  if (other !== undefined) return { kind: "other-open", record: other.record };
  return {
    kind: "send",
    elsewhere: records.findLast((record) => isElsewhere(record, item, target)),
  };
}

/**
 * Returns whether a submission of an item no longer counts: nothing was sent yet, its service has forgotten it, its
 * result was stored and a development chain has gone back to an earlier block, or everything is sent anew.
 */
function saysNothing({ record, identity }: SentWork, item: WorkItem, input: PlanInput): boolean {
  const { stored, before = [], gone, force } = input;
  if (force === true || record.state === "claimed") return true;
  if (!isLive(record) || stored?.has(item.hash) === true) return false;
  if (gone?.has(record.id) === true) return true;
  const parts = before.find(({ id }) => id === record.id)?.parts ?? [];
  return (
    stored !== undefined &&
    parts.some((part) => part.identity === identity && part.word !== undefined)
  );
}

/** Returns whether a task is open at another address of the same host, for the same chain. */
function isElsewhere(record: SubmissionRecord, { hash }: WorkItem, target: Target): boolean {
  if (record.host === undefined || !(isLive(record) || isUndecided(record))) return false;
  if (
    record.endpoint === target.endpoint ||
    record.destinationChainId !== target.destinationChainId
  )
    return false;
  if (
    areOfOtherChains(record.genesis, target.genesis) ||
    withoutPort(record.host) !== withoutPort(target.host ?? "")
  )
    return false;
  return record.parts.some((part) => part.hash === hash);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "");
}

/** Describes a plan: one sentence for the number of tasks that are sent, and one for each task that is not. */
export function describePlan({
  decisions,
}: Plan): SubmitPlan & { readonly elsewhere: readonly string[] } {
  const of = (...kinds: Decision["kind"][]): Hex[] =>
    decisions
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ item }): Hex => `0x${item.hash.slice(2)}`);
  const elsewhere = decisions.flatMap((one) => {
    if (one.kind !== "send" || one.elsewhere === undefined) return [];
    const { host, serviceId, id } = one.elsewhere;
    return [
      `${one.item.hash} is sent although it is open at another address of the same host, ${host}, as ${serviceId ?? id}.`,
    ];
  });
  const reused = decisions.flatMap((one) => {
    const { hash } = one.item;
    if (one.kind === "stored") return [`${hash} is not sent: finalized in ${one.store}.`];
    if (one.kind !== "reuse") return [];
    const { createdAt, serviceId, id } = one.record;
    return [
      `${hash} is not sent: submitted ${new Date(createdAt).toISOString()} as ${serviceId ?? id}.`,
    ];
  });
  const send = of("send");
  const count = `${send.length} of ${plural(decisions.length, "task")} to send.`;
  return {
    send,
    reuse: of("stored", "reuse"),
    sentences: [count, ...elsewhere, ...reused],
    elsewhere,
  };
}
