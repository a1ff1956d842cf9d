import type { HardhatConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { Hex } from "viem";

import { undefinedFor } from "../errors/hdp-error.js";
import { taskForm, type TaskForm } from "../request/task-form.js";
import { taskHash } from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import {
  type FormHash,
  type KnownInOtherForm,
  otherFormHash,
  recordedInOtherForm,
  recordNamed,
} from "../submission/lookup.js";
import { mayHaveArrived, shownId, type SubmissionRecord } from "../submission/model.js";
import type { SubmissionStore } from "../submission/submission-store.js";
import { formOfChoice } from "./processor-choice.js";
import { projectSubmissions, submissionStores } from "./project-database.js";
import type { Session } from "./session.js";
import type { ResultStore } from "./stores/result-store.js";

/** Returns the tasks that were sent from this network, or are stored, in their other form alone. */
export async function knownInOtherForm(
  tasks: readonly Task[],
  session: Session,
  stores: ResultStore | undefined,
): Promise<readonly KnownInOtherForm[]> {
  // The form of a chain in this process does not change while the chain is there.
  if (session.isSimulated && (await session.processor()).info.kind === "local") return [];
  const sent = (hash: Hex): string | undefined =>
    sentFrom(session.networkName, submissionStores(session), hash);
  const unsent = tasks.flatMap((task) => {
    const other = otherFormHash(task);
    const asked = { taskHash: taskHash(task), form: taskForm(task) };
    const isNew = other !== undefined && sent(asked.taskHash) === undefined;
    return isNew ? [{ ...other, asked }] : [];
  });
  if (unsent.length === 0) return [];
  const hashes = unsent.flatMap(({ taskHash: hash, asked }) => [hash, asked.taskHash]);
  const store = await stores?.openForReading().catch(undefinedFor());
  const statuses = await store?.statuses(hashes).catch(undefinedFor());
  const isStored = (hash: Hex): boolean => statuses?.[hashes.indexOf(hash)] === "finalized";
  const known = unsent.map((one) => ({ ...one, submission: sent(one.taskHash) }));
  return known.filter(({ asked, submission, taskHash: hash }) => {
    if (isStored(asked.taskHash)) return false;
    return submission !== undefined || isStored(hash);
  });
}

/** Returns the id of the newest submission of a task from a network. */
function sentFrom(from: string, stores: readonly SubmissionStore[], hash: Hex): string | undefined {
  const records = stores.flatMap((store) => store.withHashes([hash]));
  const own = records.findLast((one) => one.network === from && mayHaveArrived(one));
  return own && shownId(own);
}

/** The other form of a task that was sent, where it was sent in that form too, or its network has that form now. */
export interface OtherForm extends FormHash {
  readonly network: string;
  /** Whether the configuration of the network has this form now. */
  readonly isNow: boolean;
  /** Id of the newest submission in this form, and the network that it was sent from. */
  readonly submission?: string | undefined;
  readonly from?: string | undefined;
}

/** Returns the other forms of the tasks of a submission that matter: sent too, or the network's form by now. */
export function otherTaskForms(
  record: SubmissionRecord,
  hre: HardhatRuntimeEnvironment,
): readonly OtherForm[] {
  const tasks = record.request?.tasks ?? [];
  return tasks.flatMap((task) => otherForm(task, record, hre) ?? []);
}

function otherForm(
  task: Task,
  record: SubmissionRecord,
  { config }: HardhatRuntimeEnvironment,
): OtherForm | undefined {
  const other = otherFormHash(task);
  if (other === undefined) return undefined;
  const { network } = record;
  const isNow = formNow(record, config) === other.form;
  const records = projectSubmissions(config.hdp.dataDir).withHashes([other.taskHash]);
  const newest = records.findLast(mayHaveArrived);
  const submission = newest && shownId(newest);
  const sent = { submission, from: newest?.network };
  return isNow || submission !== undefined ? { ...other, network, isNow, ...sent } : undefined;
}

/** Returns the form that the configuration of a submission's network has now; undefined where it has none. */
function formNow(
  { network, processor }: SubmissionRecord,
  config: HardhatConfig,
): TaskForm | undefined {
  const hdp = config.networks[network]?.hdp;
  const choice = processor === "local" ? "local" : hdp?.dataProcessor;
  return hdp && choice && formOfChoice(choice, hdp);
}

/** Returns the other forms of the tasks of a submission, or of a hash that was sent in its other form alone. */
export function findOtherForms(name: string, hre: HardhatRuntimeEnvironment): readonly OtherForm[] {
  const store = projectSubmissions(hre.config.hdp.dataDir);
  const record = recordNamed(store, name);
  if (record !== undefined) return otherTaskForms(record, hre);
  const found = recordedInOtherForm(store, name);
  const sent = found && otherForm(found.task, found.record, hre);
  return sent === undefined ? [] : [sent];
}

/** Says in one line how a task is known in another form. */
export function otherFormText(known: OtherForm): string {
  const { form, isNow, network, submission, from, taskHash } = known;
  const now = isNow ? `, which network "${network}" has now` : "";
  const how =
    submission === undefined
      ? "it is looked up anew"
      : `sent as ${submission} from network "${from}"`;
  return `In the ${form} form${now}: ${taskHash}, ${how}`;
}
