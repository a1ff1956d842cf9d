import type { Hex } from "viem";

import { isTaskHash } from "../base/hex.js";
import { type HdpError, hdpError, suggested } from "../errors/hdp-error.js";
import { taskForm, hashesInForms, inOtherForm, type TaskForm } from "../request/task-form.js";
import { taskHash } from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import { KINDS } from "./kinds.js";
import { mayHaveArrived, STATES, type SubmissionRecord } from "./model.js";
import type { StoredSubmission } from "./stored-submission.js";
import type { SubmissionStore } from "./submission-store.js";

/** Minimum length of the beginning of an id. */
const MIN_PREFIX = 4;

/**
 * Returns the submission of a name: an id of this project or of the service, the beginning of one, or a task hash.
 * Services count alike, and a task may have gone to several: submissions that are `here` take precedence, then accepted
 * ones, then newer ones.
 */
export function recordNamed(
  store: SubmissionStore,
  name: string,
  isHere: (record: SubmissionRecord) => boolean = () => true,
): StoredSubmission | undefined {
  const own = store.byId(name);
  if (own !== undefined) return own;
  if (isTaskHash(name)) return preferred(store.withHashes([name]), isHere);
  const accepted = preferred(store.withServiceId(name), isHere);
  if (accepted !== undefined || name.length < MIN_PREFIX) return accepted;
  const beginning = store.withPrefix(name);
  return beginning.length === 1 ? beginning[0] : undefined;
}

function preferred(
  records: readonly StoredSubmission[],
  isHere: (record: SubmissionRecord) => boolean,
): StoredSubmission | undefined {
  const here = records.filter(isHere);
  const concerned = here.length > 0 ? here : records;
  return concerned.findLast(({ serviceId }) => serviceId !== undefined) ?? concerned.at(-1);
}

/** Returns the submission of a name. @throws HdpError HDP-5010 where there is none */
export function requireRecord(store: SubmissionStore, name: string): StoredSubmission {
  const record = recordNamed(store, name);
  if (record === undefined) throw noSuchSubmission(store, name);
  return record;
}

/** Returns HDP-5010: no submission of tasks, or several, of a name. @param other what has the name instead */
export function noSuchSubmission(
  store: SubmissionStore,
  name: string,
  other?: SubmissionRecord,
): HdpError {
  const alike = name.length < MIN_PREFIX ? 0 : store.withPrefix(name).length;
  const look = other && suggested("hdp resume", [other.id], { network: other.network });
  return hdpError("HDP-5010", {
    name,
    kind: other === undefined ? "" : " of tasks",
    other: other && `a ${KINDS[other.kind].name}, ${STATES[other.state].shown}`,
    look,
    alike: alike > 1 ? alike : undefined,
  });
}

/** A task by its hash in one form. */
export interface FormHash {
  readonly taskHash: Hex;
  readonly form: TaskForm;
}

/** Returns the hash of a task in its other form; undefined where it has one form. */
export function otherFormHash(task: Task): FormHash | undefined {
  const other = inOtherForm(task);
  return other && { taskHash: taskHash(other), form: taskForm(other) };
}

/** A task in the form of a hash, and the submission that has it in either form. */
export interface RecordedTask {
  readonly task: Task;
  readonly record: StoredSubmission;
}

/** Returns the task of a hash as it was submitted last. */
export function recordedTask(store: SubmissionStore, hash: string): RecordedTask | undefined {
  const record = store.withHashes([hash]).findLast(({ kind }) => kind === "tasks");
  const position = record?.parts.findIndex((part) => part.hash === hash.toLowerCase()) ?? -1;
  const task = record?.request?.tasks[position];
  return record !== undefined && task !== undefined ? { task, record } : undefined;
}

/** Returns the task of a hash that was submitted in its other form alone, by its newest submission. */
export function recordedInOtherForm(
  store: SubmissionStore,
  hash: string,
): RecordedTask | undefined {
  const wanted = hash.toLowerCase();
  if (!isTaskHash(hash)) return undefined;
  for (const record of store.list().filter(mayHaveArrived).reverse()) {
    const sent = record.request?.tasks ?? [];
    const found = sent.find((task) => hashesInForms(task)[1] === wanted);
    const task = found && inOtherForm(found);
    if (task !== undefined) return { task, record };
  }
  return undefined;
}

/** A task that is new in the form of a connection, and known in its other form. */
export interface KnownInOtherForm extends FormHash {
  /** The task in the form of the connection. */
  readonly asked: FormHash;
  /** Id of its newest submission in the other form; undefined where only the store knows it. */
  readonly submission?: string | undefined;
}

/** Says that a task is looked up anew, in one line. */
export function otherFormLine({
  asked,
  submission,
  taskHash: hash,
  form,
}: KnownInOtherForm): string {
  const how = submission === undefined ? "stored" : `sent as ${submission}`;
  return `Task ${asked.taskHash} is looked up anew: in the ${form} form it has another hash, ${hash}, ${how}.`;
}
