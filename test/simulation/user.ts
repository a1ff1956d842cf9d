import type { Hex } from "viem";

import { isHdpError } from "../../src/errors/hdp-error.js";
import { isLive, isUndecided, isUnfinished } from "../../src/submission/model.js";
import type { StoredSubmission } from "../../src/submission/stored-submission.js";
import { isExpected, saysNothingWasSent } from "./checks.js";
import { hashOf, requestOf } from "./tasks.js";
import type { History } from "./history.js";
import type { Command, Request } from "./plan.js";
import type { Acceptance } from "./service.js";
import type { Tool, Word } from "./tool.js";

/** Does what a plan says: the commands of a shell one after another, the shells at once. */
export async function giveCommands(history: History): Promise<void> {
  const { commands } = history.plan;
  const shells = [...new Set(commands.map(({ shell }) => shell))];
  const run = async (command: Command): Promise<void> => {
    begun += 1;
    await history.run(command, async (tool) => await carryOut(command.request, tool, history));
    begun -= 1;
  };
  let begun = 0;
  history.onBetween = (command) => void run(command);
  for (const shell of shells) {
    void (async () => {
      for (const command of commands) {
        if (command.shell !== shell) continue;
        await new Promise<void>((resolve) => history.scheduler.after(command.after ?? 0, resolve));
        await run(command);
      }
    })();
  }
  await history.passes();
  if (begun > 0) history.violated("a command does not end");
}

async function carryOut(
  request: Request,
  tool: Tool,
  history: History,
): Promise<readonly Word[] | undefined> {
  switch (request.do) {
    case "submit":
      return await recordedAgain(history, async () => {
        return await tool.submit(requestOf(...request.tasks), request.force === true);
      });
    case "answer":
      return await recordedAgain(history, async () => await tool.answer(requestOf(request.task)));
    case "watch":
      checkLeft(await tool.watch([requestOf(1), requestOf(2)]), tool, history);
      return undefined;
    case "retry":
      for (const record of tool.store.list()) {
        if (record.state !== "failed" || record.kind !== "tasks") continue;
        await tool.retry(record).catch((error: unknown) => {
          // Somebody else may have been faster.
          if (!isHdpError(error, "HDP-5021")) throw error;
        });
      }
      return undefined;
    case "await":
      return await awaited(hashOf(request.task), tool, history);
    case "prove":
      await asked("storage-proof", JSON.stringify({ number: request.body }), history, async () => {
        await tool.prove(request.body);
      });
      return undefined;
    case "order":
      await asked("grow-order", JSON.stringify({ number: request.body }), history, async () => {
        await tool.order(request.body);
      });
      return undefined;
    case "upload":
      await asked("program", `0x${request.program.toString(16)}`, history, async () => {
        await tool.upload(request.program);
      });
      return undefined;
    case "resume": {
      const words: Word[] = [];
      for (const record of tool.store.list({ unfinished: true })) {
        if (isUnfinished(record)) words.push(...(await resumed(record, tool)));
      }
      return words;
    }
    case "settle":
      for (const record of tool.store.list()) {
        const shown = history.service.shows(record.id);
        if (!isUndecided(record)) continue;
        if (shown === undefined) await giveUp(record, tool, history);
        else
          await unlessSettled(
            async () => await tool.settle(record, { as: "accepted", serviceId: shown.id }),
          );
      }
      return undefined;
    case "give up": {
      // The console is looked at once, for all that is listed.
      const left = tool.store
        .list()
        .filter((record) => history.service.shows(record.id) === undefined);
      for (const record of left) {
        if (isUndecided(record) || record.state === "claimed") await giveUp(record, tool, history);
      }
      return undefined;
    }
  }
}

/** What a watch leaves is refused for a reason that holds, and was not sent by it. */
function checkLeft(left: Awaited<ReturnType<Tool["watch"]>>, tool: Tool, history: History): void {
  const mayBeFull = history.plan.faults.some(({ kind }) => kind === "disk");
  for (const { taskHash, error } of left) {
    if (!isExpected(error, mayBeFull)) history.violated(`a watch leaves ${String(error)}`);
    const accepted = history.service.acceptances.some(
      ({ key = "", contents }) =>
        contents.includes(taskHash) && tool.store.byId(key)?.sender === tool.name,
    );
    if (accepted && saysNothingWasSent(error))
      history.violated(`a watch says that nothing was sent of ${taskHash}, which it sent`);
  }
}

/** Does the same once more in a process that could not record an answer: it is not waited for. */
async function recordedAgain<T>(history: History, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (first) {
    if (!isHdpError(first, "HDP-5007")) throw first;
    if (saysNothingWasSent(first))
      history.violated(`what was accepted was not sent, says: ${first.message}`);
    return await action().catch((error: unknown) => {
      if (isHdpError(error, "HDP-5003"))
        history.violated(`a process waits for itself: ${error.message}`);
      // What was sent, the first time has said.
      throw first;
    });
  }
}

/** Asks for something once more where the service has lost it: then it has to be there again, unless a fault says why not. */
async function asked(
  kind: Acceptance["kind"],
  content: string,
  history: History,
  action: () => Promise<void>,
): Promise<void> {
  const { service, chain, plan, violated } = history;
  const { losses } = service;
  const isAskedFor = kind === "program" || chain.isDevelopment;
  const isLost =
    isAskedFor &&
    service.hasLost(kind, content) &&
    plan.faults.every((fault) => fault.kind === "forget");
  await recordedAgain(history, action);
  if (isLost && service.losses === losses && service.hasLost(kind, content))
    violated(`${kind} ${content} was lost, and is not sent again`);
}

/** Awaits a task; that its service has forgotten it is no answer where its result is in the store. */
async function awaited(hash: Hex, tool: Tool, history: History): Promise<readonly Word[]> {
  const isThere =
    history.chain.has(hash) && !history.plan.faults.some(({ kind }) => kind === "chain");
  try {
    return await tool.await(hash);
  } catch (error) {
    if (isThere && isHdpError(error, "HDP-2040"))
      history.violated(`the service is asked for ${hash}, which is there`);
    throw error;
  }
}

/** Resumes what can be: that something cannot be resumed is an answer. */
async function resumed(record: StoredSubmission, tool: Tool): Promise<readonly Word[]> {
  try {
    return await tool.resume(record);
  } catch (error) {
    if (isHdpError(error, "HDP-5009")) return [];
    throw error;
  }
}

/** Gives up what the console did not show: looks once more where nobody waits for an answer. */
async function giveUp(record: StoredSubmission, tool: Tool, history: History): Promise<void> {
  const { id } = record;
  const now = tool.store.byId(id) ?? record;
  const mayBeAccepted = history.network.isUnderWay(id) || history.service.shows(id) !== undefined;
  if (history.isLeftAlone(now) && mayBeAccepted) return;
  await unlessSettled(async () => await tool.settle(record, { as: "lost" }));
}

/** Somebody else, or the answer, may have been faster. */
async function unlessSettled(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!isHdpError(error, "HDP-5011")) throw error;
  }
}

/** Rounds of looking at the list and doing what it says. */
const ROUNDS = 6;

/**
 * Ends the story in a calm world: does what is printed below each submission that is not over, until none is left, then
 * submits what was wanted once more, which has to give the results.
 */
export async function followNextSteps(history: History): Promise<void> {
  let next = 1_000;
  const inNewProcess = async (
    request: Request,
    action: (tool: Tool) => Promise<readonly Word[] | undefined>,
  ) => {
    next += 1;
    return await history.run({ id: next, shell: 0, request }, action);
  };
  const story = async (): Promise<void> => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      let left: readonly StoredSubmission[] = [];
      await inNewProcess({ do: "resume" }, async (tool) => {
        left = tool.store.list({ unfinished: true }).filter(isUnfinished);
        return await Promise.resolve([]);
      });
      left = left.filter((record) => !hashIsLost(record, history));
      if (left.length === 0) break;
      if (round === ROUNDS) {
        const [record] = left;
        history.violated(
          `the printed next steps do not end ${record?.id ?? ""}, which is ${record?.state ?? ""}`,
        );
      }
      for (const record of left) {
        await inNewProcess({ do: "resume" }, async (tool) => await follow(record, tool, history));
      }
    }
    const lost = history.database.records().filter((record) => hashIsLost(record, history));
    const isReadable = (task: number): boolean =>
      !lost.some(({ parts }) => parts.some(({ hash }) => hash === hashOf(task)));
    const tasks = wantedTasks(history).filter(isReadable);
    const { hasOwnHashes, faults } = history.plan;
    // Hashes of the service's own are lost with the file. Sent again, their results are refused as those of before.
    if (tasks.length === 0 || (hasOwnHashes && faults.some(({ kind }) => kind === "replace")))
      return;
    const request: Request = { do: "submit", tasks };
    const { end, error } = await inNewProcess(
      request,
      async (tool) => await carryOut(request, tool, history),
    );
    if (end !== "success")
      history.violated(`tasks ${tasks.join(", ")} have no results in the end: ${String(error)}`);
    const [task = 1] = tasks;
    const asked: Request = { do: "await", task };
    const { error: cause } = await inNewProcess(
      asked,
      async (tool) => await carryOut(asked, tool, history),
    );
    // Of a database that was replaced, what was given up or refused may be all that is recorded of a task.
    const isGivenUp =
      isHdpError(cause, "HDP-5009") && faults.some(({ kind }) => kind === "replace");
    if (cause instanceof Error && !isGivenUp)
      history.violated(`task ${task} cannot be awaited: ${cause.message}`);
  };
  const end = { isReached: false };
  void story().then(() => (end.isReached = true));
  await history.passes();
  if (!end.isReached) history.violated("a command of the end does not end");
}

/**
 * A service with its own hashes told several in an answer that was lost, and no other answer told them: nothing else that
 * is published does.
 */
function hashIsLost(record: StoredSubmission, { plan, network, database }: History): boolean {
  if (!plan.hasOwnHashes || !isLive(record)) return false;
  // The details of a single task tell it, unless the service has forgotten the task.
  const mayBeForgotten = plan.faults.some(({ kind }) => kind === "forget");
  if (record.parts.length === 1 && !mayBeForgotten) return false;
  const mayBeUnrecorded = plan.faults.some(({ kind }) =>
    ["kill", "disk", "hashes", "replace", "network"].includes(kind),
  );
  if (network.wasAnswered(record.id) && !mayBeUnrecorded) return false;
  const answered = database
    .records()
    .flatMap(({ parts }) => parts.filter((part) => part.serviceHash !== undefined));
  return record.parts.some(({ hash }) => !answered.some((part) => part.hash === hash));
}

function wantedTasks({ plan }: History): number[] {
  return [
    ...new Set(
      plan.commands.flatMap(({ request }) => (request.do === "submit" ? request.tasks : [])),
    ),
  ];
}

/** Does one of the printed next steps: the one that the console of the service speaks for. */
async function follow(
  record: StoredSubmission,
  tool: Tool,
  history: History,
): Promise<readonly Word[] | undefined> {
  const offers = offersOf(record.explanation.nextSteps);
  const shown = history.service.shows(record.id);
  if (offers("--accepted") && shown !== undefined) {
    await tool.settle(record, { as: "accepted", serviceId: shown.id });
    return undefined;
  }
  if (offers("--lost") && shown === undefined) {
    await tool.settle(record, { as: "lost" });
    return undefined;
  }
  if (offers("hdp resume"))
    return await tool
      .resume(record)
      .catch(async (error: unknown) => await heed(error, record, tool, history));
  if (offers("hdp:submit --request") && record.request !== undefined)
    return await tool.answer(record.request);
  if (offers("hdp:submit") && record.request !== undefined)
    return await tool.submit(record.request, false);
  if (offers("hdp:proof:submit")) await tool.prove(1);
  if (offers("hdp grow-orders create")) await tool.order(1);
  if (offers("hdp:program:upload")) await tool.upload(1);
  return undefined;
}

/** Does what an error suggests, where a service has forgotten something or a chain started anew. */
async function heed(
  error: unknown,
  record: StoredSubmission,
  tool: Tool,
  history: History,
): Promise<undefined> {
  if (!isHdpError(error) || !error.message.includes("--lost")) throw error;
  const lost = history.service.shows(record.id);
  if (lost?.isForgotten === true) lost.isGivenUp = true;
  await tool.settle(record, { as: "lost" });
}

function offersOf(steps: readonly string[]): (command: string) => boolean {
  return (command) => steps.some((step) => step.includes(command));
}
