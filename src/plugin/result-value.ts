import type { Hex } from "viem";

import { dropOldest } from "../base/collections.js";
import { hdpError, suggested } from "../errors/hdp-error.js";
import { valueOfFelts, valueOfRoot } from "../request/output-root.js";
import { findDatalake, type TaskForm, valueWord } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import type { SubmissionRecord } from "../submission/model.js";
import type { Session } from "./session.js";

/** Maximum number of remembered values, the latest ones. */
const MAX_VALUES = 10_000;

/**
 * Values by task hash and the root that a store keeps for them. A root is of one value: entries stay valid on every
 * chain. But a number may be a root too, of a slot that holds one: entries are of their task alone.
 */
const VALUES = new Map<string, bigint>();

function valueKey(hash: Hex, word: Hex): string {
  return `${hash} ${word}`.toLowerCase();
}

/** Returns the word that a store keeps for a value of the task of a hash, and remembers the value of a root. */
export function rememberedWord(hash: Hex, value: bigint, form: TaskForm): Hex {
  const word = valueWord(value, form);
  if (form === "module") remember(hash, word, value);
  return word;
}

function remember(hash: Hex, word: Hex, value: bigint): void {
  VALUES.set(valueKey(hash, word), value);
  dropOldest(VALUES, MAX_VALUES);
}

/**
 * Returns the result of a datalake task in the module form with the value that its stored root stands for: from the run
 * here, the output that the service published, or a run over the sources of its chain. Other results stay as they are.
 * @throws HdpError HDP-3015 where none of them gives the root's value
 */
export async function withValue(
  result: TaskResult,
  task: Task | undefined,
  session: Session,
): Promise<TaskResult> {
  if (task?.type === "DatalakeCompute") return result;
  if (task === undefined || findDatalake(task) === undefined) return withRemembered(result);
  const known = knownValue(result);
  if (known !== undefined) {
    remember(result.taskHash, result.word, known);
    return { ...result, value: known };
  }
  const { ownRun } = await import("./own-run.js");
  const run = await ownRun(task, session);
  if (run?.output !== undefined && run.word === result.word)
    return { ...result, output: run.output, proven: run.proven, value: valueOfFelts(run.output) };
  throw hdpError("HDP-3015", {
    hash: result.taskHash,
    root: result.word,
    reason:
      run === undefined
        ? "no output of it is known, and its chain is not read here"
        : `computed here it has the root ${run.word}`,
    chain: findDatalake(task)?.datalake.chainId,
    again: suggested("hdp:result", [result.taskHash], { network: session.networkName }),
  });
}

/** Returns the task of a submission that has a hash. */
export function submittedTask({ request, parts }: SubmissionRecord, hash: Hex): Task | undefined {
  return request?.tasks[parts.findIndex((part) => part.hash === hash.toLowerCase())];
}

/** Returns the value of a task whose root a word is, where this process knows it. */
export function rememberedValue(taskHash: Hex, word: Hex): bigint | undefined {
  return VALUES.get(valueKey(taskHash, word));
}

/** Returns a result with the value of its word, where this process knows it. */
export function withRemembered(result: TaskResult): TaskResult {
  const value = rememberedValue(result.taskHash, result.word);
  return value === undefined ? result : { ...result, value };
}

/** Returns the value that a result's own output fixes. */
function knownValue({ taskHash, word, output, preimage }: TaskResult): bigint | undefined {
  const published = preimage?.order === "proven" ? preimage.felts : undefined;
  return (
    valueOfRoot(word, output) ?? valueOfRoot(word, published) ?? rememberedValue(taskHash, word)
  );
}
