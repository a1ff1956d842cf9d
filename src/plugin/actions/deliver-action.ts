import type { Hex } from "viem";

import { hdpError, isHdpError, suggested, undefinedFor } from "../../errors/hdp-error.js";
import { shellWord } from "../../errors/printable.js";
import type { AwaitOptions, Submission } from "../../request/data-processor.js";
import type { TaskResult } from "../../request/task-result.js";
import { noSuchSubmission, recordedInOtherForm } from "../../submission/lookup.js";
import { mayHaveArrived } from "../../submission/model.js";
import { withHint } from "../../service/http/service-errors.js";
import { type Delivery, type DeliverOptions, prepareDelivery } from "../delivery.js";
import type { ConnectedNetwork } from "../connected-network.js";
import type { ProcessorOwner } from "../connected-processor.js";
import type { Scope, Session } from "../session.js";
import { projectSubmissions } from "../project-database.js";
import { finishSubmission } from "../checked-request.js";
import type { TaskInput } from "../task-input.js";
import { wantedCall } from "../wanted-call.js";
import { namedTasks, type NamedTask, readNamed } from "./submission-actions.js";

export type { Delivery, DeliverOptions } from "../delivery.js";

/** The member of `hdp` that brings results to contracts. */
export interface DeliverActions {
  /**
   * Waits for the result of a submitted task, simulates the call of a contract with its value, and sends it in one
   * transaction. A delivery that was sent before, from whatever process, is returned and not sent again.
   *
   * @param task a task hash, or one task as `run` takes it
   * @throws HdpError HDP-5010 for a task that was not submitted, HDP-3016 where the contract refuses the call, HDP-3017
   * where it cannot be found out whether it was sent before
   * @example await hdp.deliver(task, { contract: `FeeGate@${gate.address}`, function: "update" });
   */
  readonly deliver: (task: TaskInput, options: DeliverOptions) => Promise<Delivery>;
}

/** Returns the action over a connection. */
export function deliverActions(scope: Scope): DeliverActions {
  return {
    deliver: async (task, options) => {
      const session = await scope.session();
      const wanted = await wantedCall(session, session.project.artifacts, options);
      const named = await oneTask(task, session);
      const result = await awaitedResult(named, session, options);
      return await (await prepareDelivery(result, session, { ...options, wanted })).send();
    },
  };
}

/** Returns the task of an input that names one. @throws HdpError HDP-1136 for several */
export async function oneTask(input: TaskInput, session: Session): Promise<NamedTask> {
  const [named, ...others] = await namedTasks(input, session);
  if (named === undefined || others.length > 0)
    throw hdpError("HDP-1136", { tasks: others.length + 1 });
  return named;
}

/** Returns the result of a task, with the value that its root stands for. Waits for one that was submitted. */
export async function awaitedResult(
  named: NamedTask,
  session: Session,
  options: AwaitOptions,
): Promise<TaskResult> {
  const stored = await readNamed(named, session).catch(undefinedFor("HDP-3001"));
  if (stored !== undefined) return stored;
  await untilFinalized(named.hash, session, options);
  return await readNamed(named, session);
}

async function untilFinalized(hash: Hex, session: Session, options: AwaitOptions): Promise<void> {
  const { submissions } = await session.processor();
  try {
    const submission = submissions.find(hash);
    const isSubmitted = submission.parts.length > 0 || (await isScheduled(submission, session));
    if (!isSubmitted) throw noSuchSubmission(projectSubmissions(session.config.dataDir), hash);
    await finishSubmission(session, submission, options);
  } catch (error) {
    if (!isHdpError(error, "HDP-5010") && !isHdpError(error, "HDP-4402")) throw error;
    throw withHint(error, `The task has no result here, and ${whereSubmitted(hash, session)}`);
  }
}

/** Returns whether a contract asked the store for a task that was not submitted from here, or whether it has the result. */
async function isScheduled(submission: Submission, owner: ProcessorOwner): Promise<boolean> {
  const { submissions } = await owner.processor();
  return (await submissions.status(submission)).name !== "Unknown";
}

/** Returns on which other network a task was submitted, as a clause; else how to submit it on this one, if it lasts. */
function whereSubmitted(hash: Hex, connected: ConnectedNetwork): string {
  const { networkName: network, isSimulated, config } = connected;
  const store = projectSubmissions(config.dataDir);
  const sent = store.withHashes([hash]).findLast(mayHaveArrived);
  const made = sent ?? recordedInOtherForm(store, hash)?.record;
  if (made !== undefined && made.network !== network)
    return `was submitted on network ${made.network}: add --network ${shellWord(made.network)}`;
  if (isSimulated)
    return `network "${network}" ends with this process: name the network where it was submitted with --network`;
  return `was not submitted from here: ${suggested("hdp:submit", ["<file>"], { network })}`;
}
