import { inspect } from "node:util";

import { isHdpError } from "../../src/errors/hdp-error.js";
import type { SubmissionRecord } from "../../src/submission/model.js";
import { failsToRehearse, type History, type Outcome } from "./history.js";
import type { Request } from "./plan.js";
import { type Acceptance, wordOf } from "./service.js";
import { WATCHES_FOR } from "./tool.js";

/** Milliseconds in which everything but waiting for results is over: two calls, and waiting for each other process. */
const SENDING = 300_000;
/** Milliseconds beyond its timeout that a wait may take: the looks that were under way. */
const LAST_LOOK = 5_000;

/** Looks at what has happened until now, while nothing is under way. */
export function checkHistory(history: History): void {
  if (history.isDamaged) {
    checkSentOnce(history);
    return;
  }
  const records = history.database.records();
  // A database that was replaced may have lost what a command went through.
  const recorded = Math.max(records.length, history.service.acceptances.length);
  for (const outcome of history.outcomes) checkOutcome(outcome, recorded, history);
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const acceptance of history.service.acceptances) checkAcceptance(acceptance, byId, history);
}

/** Of a damaged database, nothing is read; nor is anything sent again. */
function checkSentOnce({ service, violated }: History): void {
  for (const { id, contents, isSecond } of service.acceptances)
    if (isSecond) violated(`${contents.join(", ")} was accepted again, as ${id}`);
}

function checkOutcome(outcome: Outcome, recorded: number, history: History): void {
  const { command, process, error, words, began, ended } = outcome;
  const { id, request } = command;
  for (const { taskHash, word, storedUnder } of words) {
    if (word !== wordOf(taskHash) || !history.chain.hasHad(storedUnder, word)) {
      history.violated(
        `command ${id} read ${word} for task ${taskHash}, which was never finalized`,
      );
    }
  }
  const took = ended - began - process.stood;
  if (took > limitOf(request, recorded, history) + LAST_LOOK)
    history.violated(`command ${id} took ${took / 1_000} s`);
  if (error !== undefined && isUndisturbed(request, history)) {
    history.violated(`nothing was wrong, and command ${id} ends with ${inspect(error)}`);
  }
  if (
    error !== undefined &&
    !isExpected(
      error,
      history.plan.faults.some(({ kind }) => kind === "disk"),
    )
  ) {
    history.violated(`command ${id} ends with ${inspect(error)}`);
  }
  const mayNotSend = request.do === "submit" && failsToRehearse(id, history.plan);
  if (mayNotSend && history.network.hasPosted(process))
    history.violated(`command ${id} sent something although its rehearsal failed`);
  const sent = history.service.acceptances.find(({ sender }) => sender === process.name);
  if (saysNothingWasSent(error) && sent !== undefined) {
    history.violated(`command ${id} says that nothing was sent, and ${sent.id} was accepted`);
  }
}

/** Whether an error of this package tells the user that nothing was sent. */
export function saysNothingWasSent(error: unknown): boolean {
  return isHdpError(error) && /nothing was sent/i.test(error.message);
}

/** Milliseconds that a command may take; those that go through a list, for each that is recorded. */
function limitOf(request: Request, recorded: number, { timeout, plan }: History): number {
  if (request.do === "await") return timeout;
  if (request.do === "watch") return WATCHES_FOR + 2 * SENDING;
  if (request.do === "submit" && plan.takesOneTask === true)
    return request.tasks.length * SENDING + timeout;
  if (request.do === "submit" || request.do === "answer" || request.do === "prove")
    return SENDING + timeout;
  return request.do === "upload" || request.do === "order"
    ? SENDING
    : recorded * (SENDING + timeout);
}

/** Whether a command has to succeed: nothing goes wrong, and nobody says of another's work what became of it. */
function isUndisturbed(request: Request, { plan }: History): boolean {
  if (plan.faults.length > 0 || request.do === "await") return false;
  return !plan.commands.some((one) => one.request.do === "settle" || one.request.do === "give up");
}

/** Errors of tasks that differ in what no hash covers, or are open under another API version: no task here is such a one. */
const OF_OTHERS = ["HDP-5014", "HDP-5015", "HDP-1125"];

/** Every error is one of this package, true, and of the database only where the disk did not take what was written. */
export function isExpected(error: unknown, isDiskFull: boolean): boolean {
  if (!isHdpError(error) || OF_OTHERS.includes(error.code)) return false;
  return isDiskFull || !error.code.startsWith("HDP-51");
}

function checkAcceptance(
  acceptance: Acceptance,
  records: ReadonlyMap<string, SubmissionRecord>,
  history: History,
): void {
  const { id, key, contents, isSecond } = acceptance;
  if (isSecond) history.violated(`${contents.join(", ")} was accepted again, as ${id}`);
  if (key !== undefined && history.isLost(key)) return;
  const record = key === undefined ? undefined : records.get(key);
  if (record === undefined) {
    history.violated(`${id} was accepted, and nothing is recorded of it`);
    return;
  }
  const { state, serviceId } = record;
  const isKnown = state === "accepted" || state === "finalized" || state === "failed";
  if (isKnown && serviceId !== undefined && serviceId !== id && record.kind !== "program") {
    history.violated(`${id} was accepted, and ${record.id} is recorded as ${serviceId}`);
  }
  if (isKnown && serviceId === undefined && state === "accepted")
    history.violated(`${id} has no id in ${record.id}`);
  if (
    !isKnown &&
    state !== "sending" &&
    state !== "unknown" &&
    !history.service.isGone(acceptance)
  ) {
    history.violated(`${id} was accepted, and ${record.id} is recorded as ${state}`);
  }
}
