import type { Hex } from "viem";

import type {
  AwaitOptions,
  FieldOptions,
  Submission,
  SubmitOptions,
  TaskStatus,
} from "../request/data-processor.js";
import type { FieldChoice } from "../request/reader.js";
import type { TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import type { ProcessorOwner, ResolvedDestination } from "./connected-processor.js";
import { resolveDestination } from "./destination.js";
import { otherFormLine } from "../submission/lookup.js";
import { knownInOtherForm } from "./other-form.js";
import { requireSendable } from "./send-checks.js";
import { withValue } from "./result-value.js";
import type { Session } from "./session.js";
import { warn } from "./warn.js";

/** A submission whose tasks are finalized. */
export interface FinishedSubmission {
  readonly submission: Submission;
  readonly taskHashes: readonly Hex[];
  readonly status: TaskStatus;
  /** Returns the results, in request order. Results that the wait has read are not read again. */
  readonly results: () => Promise<readonly TaskResult[]>;
}

/**
 * Returns the fields that a request may compute over: the local data processor computes the supported ones only.
 * @throws HdpError HDP-2001 where no data processor is configured, before anything of the request is looked up
 */
export async function fieldsOffered(
  owner: ProcessorOwner,
  { unsupportedFields = false }: FieldOptions,
): Promise<FieldChoice> {
  const { info } = await owner.processor();
  // A service may know a value that no published evaluator knows.
  return unsupportedFields && info.kind === "remote" ? "encodable" : "supported";
}

/**
 * Throws for whatever keeps a request from being sent: refusals, and earlier submissions of its tasks.
 * @throws HdpError as `Submissions.submit`
 */
export async function requireUnobstructed(
  owner: ProcessorOwner,
  request: TaskRequest,
  options: SubmitOptions,
  destination: ResolvedDestination,
): Promise<void> {
  const { checks, submissions } = await owner.processor();
  await requireSendable(checks, request, destination);
  const obstacle = await submissions.obstacle(request, options, destination.store);
  if (obstacle !== undefined) throw obstacle;
}

/** Waits until a submission is finalized. @throws HdpError as `Submissions.finish` */
export async function finishSubmission(
  owner: ProcessorOwner,
  submission: Submission,
  options?: AwaitOptions,
  destination?: ResolvedDestination,
): Promise<FinishedSubmission> {
  const { submissions } = await owner.processor();
  const { status, results } = await submissions.finish(submission, options, destination?.store);
  return { submission, taskHashes: submission.taskHashes, status, results };
}

/** Returns the results of a request with their values: of a task that nothing here sent, no record knows that its word is a root. */
export async function valuedResults(
  { results }: FinishedSubmission,
  { tasks }: TaskRequest,
  session: Session,
): Promise<readonly TaskResult[]> {
  return await Promise.all(
    (await results()).map(async (result, at) => await withValue(result, tasks[at], session)),
  );
}

/** A request that nothing keeps from being sent, and where its results go. */
export interface CheckedRequest {
  readonly request: TaskRequest;
  readonly destination: ResolvedDestination;
}

/**
 * Checks a parsed request, and warns of tasks that are known in their other form alone. Sends nothing.
 * @throws HdpError the first reason for which it is not sent
 */
export async function checkedRequest(
  session: Session,
  request: TaskRequest,
): Promise<CheckedRequest> {
  const destination = await resolveDestination(request.destinationChainId, session);
  const { checks } = await session.processor();
  const [known] = await Promise.all([
    knownInOtherForm(request.tasks, session, destination.store),
    requireSendable(checks, request, destination),
  ]);
  for (const one of known) warn(otherFormLine(one));
  return { request, destination };
}

/** Submits a request that was checked. */
export async function submitChecked(
  owner: ProcessorOwner,
  { request, destination }: CheckedRequest,
  options: SubmitOptions,
): Promise<Submission> {
  const { submissions } = await owner.processor();
  return await submissions.submit(request, options, destination.store);
}

/** Submits a request that was checked, awaits it and returns its results, in request order. */
export async function runChecked(
  session: Session,
  checked: CheckedRequest,
  options: SubmitOptions & AwaitOptions,
): Promise<readonly [TaskResult, ...TaskResult[]]> {
  const { request, destination } = checked;
  const submission = await submitChecked(session, checked, options);
  const finished = await finishSubmission(session, submission, options, destination);
  const [first, ...others] = await valuedResults(finished, request, session);
  if (first === undefined) throw new TypeError("a submission without tasks was accepted");
  return [first, ...others];
}
