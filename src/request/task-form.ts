import type { Hex } from "viem";

import { resultWord } from "./merkle.js";
import { moduleFormRefusals } from "./module-form.js";
import { rootOfValue, valueOfRoot } from "./output-root.js";
import { asDatalake, moduleAt } from "./standard-programs.js";
import { taskHash } from "./task-hash.js";
import type { DatalakeComputeTask, ModuleTask, Task, TaskRequest } from "./task.js";

/**
 * How a datalake task is sent and stored. In the datalake form its hash covers datalake and compute, and the stored word
 * is the value: services and stores of 2024. In the module form a standard program has the task as public inputs, and the
 * stored word is the root over the value's two halves: the service of today, and satellites.
 */
export type TaskForm = "datalake" | "module";

/** The numbers of the forms in Solidity's `HdpForm` and Cairo's. */
export const HDP_FORM = { datalake: 0, module: 1 } as const satisfies Record<TaskForm, number>;

/**
 * Returns a task in a form. Module tasks have only one.
 * @throws HDP-1129 for a datalake task that has no module form
 * @example taskHash(inForm(task, "module"))
 */
export function inForm(task: Task, form: TaskForm): Task {
  return formAt("", task, form);
}

function formAt(place: string, task: Task, form: TaskForm): Task {
  return form === "module" && task.type === "DatalakeCompute" ? moduleAt(place, task) : task;
}

/** Returns tasks in a form. Errors name the place of the task. @throws HDP-1129 as {@link inForm} */
function tasksInForm(tasks: readonly Task[], form: TaskForm): readonly Task[] {
  return tasks.map((task, position) => formAt(`tasks[${position}].`, task, form));
}

/** Returns a request with each task in a form. @throws HDP-1129 as {@link inForm} */
export function requestInForm(request: TaskRequest, form: TaskForm): TaskRequest {
  return { ...request, tasks: tasksInForm(request.tasks, form) };
}

/** Returns the datalake task that a task is, in either form; undefined for a module of the user. */
export function findDatalake(task: Task): DatalakeComputeTask | undefined {
  return task.type === "DatalakeCompute" ? task : asDatalake(task);
}

/** Returns the module of a user that a task is; undefined for a datalake task in either form. */
export function findOwnModule(task: Task): ModuleTask | undefined {
  return task.type === "Module" && findDatalake(task) === undefined ? task : undefined;
}

/** Returns the task as a user writes it: the datalake task of either form, or the module task. */
export function writtenTask(task: Task): Task {
  return findDatalake(task) ?? task;
}

/** Returns whether a standard program computes a datalake task, here or with a proof. */
export function hasModuleForm(task: DatalakeComputeTask): boolean {
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const hasContext = aggregateFnId !== "count" || aggregateFnCtx !== undefined;
  return hasContext && moduleFormRefusals(task).every(({ isComputable }) => isComputable);
}

/** Returns the same task in its other form; undefined for a task that has only one. */
export function inOtherForm(task: Task): Task | undefined {
  if (task.type === "Module") return asDatalake(task);
  return hasModuleForm(task) ? inForm(task, "module") : undefined;
}

/** Returns the hashes of a task in the forms that it has, its own first. */
export function hashesInForms(task: Task): readonly Hex[] {
  const other = inOtherForm(task);
  return [task, ...(other === undefined ? [] : [other])].map((one) => taskHash(one));
}

/** Returns the form in which a task is. */
export function taskForm(task: Task): TaskForm {
  return task.type === "DatalakeCompute" ? "datalake" : "module";
}

/**
 * Returns the value that a stored word stands for: of a datalake task in the module form, the value whose root it is, by
 * the felts that were returned, undefined where they are of another root; otherwise the word itself.
 */
export function valueOfWord(
  word: Hex,
  task: Task | undefined,
  output: readonly bigint[] | undefined,
): bigint | undefined {
  const isRoot = task?.type === "Module" && findDatalake(task) !== undefined;
  return isRoot ? valueOfRoot(word, output) : BigInt(word);
}

/**
 * Returns the word that a store keeps for a value of a datalake task.
 * @throws HDP-1113 when the value is not a uint256
 */
export function valueWord(value: bigint, form: TaskForm): Hex {
  return form === "module" ? rootOfValue(value) : resultWord(value);
}
