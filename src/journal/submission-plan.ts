import type { Hex } from "viem";

import { HdpError } from "../errors/hdp-error.js";
import { sameInjectedRoots } from "../request/injected-state.js";
import type { TaskResult } from "../request/lifecycle.js";
import type { Task } from "../request/task.js";
import { isMadeAt, isOnAnotherChain, type SubmissionTarget } from "./journal-entry.js";
import type { JournaledResult, JournalRecord } from "./journal-record.js";

export interface HashedTask {
  readonly task: Task;
  readonly taskHash: Hex;
}

/** A task that need not be sent. */
export type ReusedTask = HashedTask &
  (
    | { readonly kind: "open"; readonly record: JournalRecord; readonly serviceId: string }
    /** `record` is missing when only the execution store knows it. */
    | { readonly kind: "finalized"; readonly record?: JournalRecord | undefined; readonly result: JournaledResult }
  );

/** A task whose last submission may or may not have been accepted, or may or may not have been the same. */
export interface UnresolvedTask extends HashedTask {
  readonly record: JournalRecord;
  /** The journal has lost from which injected state the submission started, which the task hash does not cover. */
  readonly isOfUnknownState?: boolean;
}

/** What to do with each task of a request. A task that occurs twice in it is planned once. */
export interface SubmissionPlan {
  readonly send: readonly HashedTask[];
  readonly reuse: readonly ReusedTask[];
  /** While there is one, nothing is sent: sending might make it run twice. */
  readonly unresolved: readonly UnresolvedTask[];
}

export interface PlanOptions {
  /** The store was asked for every task: a result that only the journal has is not there, or not any more. */
  readonly isStoreAsked?: boolean | undefined;
  /**
   * The chain may start anew: what was sent for another chain, or stored and is not there any more, keeps nothing from
   * being sent. On any other chain such a submission still counts as sent, since it was paid for.
   */
  readonly startsAnew?: boolean | undefined;
  /** Send every task, whatever is known of it. */
  readonly force?: boolean | undefined;
}

function concerns(record: JournalRecord, taskHash: Hex, target: SubmissionTarget): boolean {
  return (
    record.taskHashes.includes(taskHash) &&
    record.destinationChainId === target.destinationChainId &&
    record.processor === target.processor &&
    isMadeAt(record, target)
  );
}

/**
 * Whether a record is of the same injected state, which the task hash does not cover; `undefined` where its request is
 * lost and the task has such a state. What has none is taken for the same then.
 */
function isOfSameState({ request, taskHashes }: JournalRecord, { task, taskHash }: HashedTask): boolean | undefined {
  if (task.type !== "Module") return true;
  const journaled = request?.tasks[taskHashes.indexOf(taskHash)];
  if (journaled === undefined && task.injectedState !== undefined) return undefined;
  const before = journaled?.type === "Module" ? journaled.injectedState : undefined;
  return sameInjectedRoots(task.injectedState, before);
}

/**
 * A result that the store holds is the task's, unless it was computed from other injected state: the store is asked by
 * the task hash, and whoever reads it would be given that result.
 */
function requireOwnResult(
  { task, taskHash }: HashedTask,
  known: readonly JournalRecord[],
  own: readonly JournalRecord[],
  stored: TaskResult | undefined,
): void {
  const hasState = task.type === "Module" && task.injectedState !== undefined;
  if (stored === undefined || own.length > 0 || (!hasState && known.length === 0)) return;
  throw new HdpError({
    code: "HDP-5014",
    path: "injected_state",
    message: `the execution store ${stored.store} holds a result for the task hash ${taskHash} that was computed from other injected state. Nothing was sent.`,
    hints: [
      "The task hash covers the program and its public inputs only: give the root as a public input, so that each state has its own hash.",
      "--force sends the task all the same.",
    ],
  });
}

/** What a record says of a task on the chain as it is; undefined where it says nothing. */
function asItIs(
  record: JournalRecord,
  taskHash: Hex,
  target: SubmissionTarget,
  { isStoreAsked, startsAnew }: PlanOptions,
): JournalRecord | undefined {
  const isGone = isStoreAsked === true && record.results.has(taskHash);
  if (!isGone && !isOnAnotherChain(record, target)) return record;
  if (startsAnew === true) return undefined;
  const results = new Map(record.results);
  results.delete(taskHash);
  return { ...record, results };
}

/** States of submissions that were accepted or may have been, and did not fail. */
const MAY_RUN: ReadonlySet<JournalRecord["state"]> = new Set(["intent", "unknown", "open", "finalized"]);

type Decision = ReusedTask | UnresolvedTask | undefined;

function decide(hashed: HashedTask, records: readonly JournalRecord[], stored: TaskResult | undefined): Decision {
  const { taskHash } = hashed;
  const read = records.findLast((record) => record.results.has(taskHash));
  const result = stored ?? read?.results.get(taskHash);
  if (result !== undefined) return { ...hashed, kind: "finalized", record: read, result };
  for (const record of records.toReversed()) {
    const isLive = record.state === "open" || record.state === "finalized";
    if (isLive && record.serviceId !== undefined) {
      return { ...hashed, kind: "open", record, serviceId: record.serviceId };
    }
  }
  const unresolved = records.findLast((record) => record.state === "intent" || record.state === "unknown");
  return unresolved === undefined ? undefined : { ...hashed, record: unresolved };
}

/** Sending might make the very task run twice that a record is of whose request is lost. */
function ofUnknownState(hashed: HashedTask, records: readonly JournalRecord[]): UnresolvedTask | undefined {
  const record = records.findLast((one) => MAY_RUN.has(one.state) && isOfSameState(one, hashed) === undefined);
  return record && { ...hashed, record, isOfUnknownState: true };
}

/**
 * Decides for each task whether it has to be sent. Pure.
 *
 * A result in the execution store or in the journal comes first, then an accepted submission, then one of unknown
 * outcome. Failed, refused and lost submissions do not keep a task from being sent. Submissions are compared by task
 * hash, injected state, destination, data processor and endpoint; chains are told apart by their first block.
 *
 * @param records the journal's, oldest first
 * @param finalizedInStore by task hash: what the execution store of the destination already holds
 * @throws HdpError HDP-5014 where the store holds a result of other injected state
 */
export function planSubmission(
  tasks: readonly HashedTask[],
  target: SubmissionTarget,
  records: Iterable<JournalRecord>,
  finalizedInStore: ReadonlyMap<Hex, TaskResult>,
  options: PlanOptions = {},
): SubmissionPlan {
  const unique = [...new Map(tasks.map((hashed) => [hashed.taskHash, hashed])).values()];
  if (options.force === true) return { send: unique, reuse: [], unresolved: [] };
  const send: HashedTask[] = [];
  const reuse: ReusedTask[] = [];
  const unresolved: UnresolvedTask[] = [];
  const all = [...records];
  for (const hashed of unique) {
    const { taskHash } = hashed;
    const stored = finalizedInStore.get(taskHash);
    const ofHash = all.filter((record) => concerns(record, taskHash, target));
    const concerned = ofHash.filter((record) => isOfSameState(record, hashed) === true);
    requireOwnResult(hashed, ofHash, concerned, stored);
    const known =
      stored === undefined ? concerned.flatMap((record) => asItIs(record, taskHash, target, options) ?? []) : concerned;
    const decision = decide(hashed, known, stored) ?? ofUnknownState(hashed, ofHash);
    if (decision === undefined) send.push(hashed);
    else if ("kind" in decision) reuse.push(decision);
    else unresolved.push(decision);
  }
  return { send, reuse, unresolved };
}

const tasksText = (count: number): string => (count === 1 ? "1 task" : `${count} tasks`);

/** Says what a plan does, one sentence a line: how many tasks are sent, and why each of the others is not. */
export function describePlan(plan: SubmissionPlan): string[] {
  const total = plan.send.length + plan.reuse.length + plan.unresolved.length;
  const sending = plan.unresolved.length > 0 ? 0 : plan.send.length;
  return [
    `${sending} of ${tasksText(total)} to send.`,
    ...plan.reuse.map((task) =>
      task.kind === "open"
        ? `${task.taskHash} is not sent: submitted ${task.record.firstAt} as ${task.serviceId}.`
        : `${task.taskHash} is not sent: finalized in ${task.result.store}.`,
    ),
    ...plan.unresolved.map(({ taskHash, record, isOfUnknownState }) =>
      isOfUnknownState === true
        ? `${taskHash} is not sent: whether submission ${record.id} started from the same injected state is unknown.`
        : `${taskHash} is not sent: whether submission ${record.id} was accepted is unknown.`,
    ),
  ];
}
