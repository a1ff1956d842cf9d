import type { KnownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { decodeInputs, type DecodedArgument } from "../../program/abi/arguments.js";
import type { Task, TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import { cairoText } from "./format.js";
import { style, type Screen } from "./screen.js";

/** Prints what each task of a request computes, with the arguments of known modules by name. */
export function preview(
  screen: Screen,
  request: Pick<TaskRequest, "tasks">,
  programs: Pick<KnownPrograms, "get">,
): void {
  screen.line();
  request.tasks.forEach((task, index) => {
    const named = (argumentsOf(task, programs) ?? []).map(describeArgument);
    printTask(screen, `Task ${String(index + 1)}`, task, [...named, `hash ${taskHash(task)}`]);
  });
}

/** Prints what a task computes after a label, and more lines below. */
export function printTask(screen: Screen, label: string, task: Task, more: readonly string[]): void {
  const { title, lines } = describeTask(task);
  screen.line(`  ${style.strong(label)}  ${title}`);
  const indent = " ".repeat(label.length + 4);
  for (const line of [...lines, ...more]) screen.line(`${indent}${line}`);
}

/** Returns the inputs of a module task by name and type; undefined if its ABI is not known. */
export function argumentsOf(task: Task, programs: Pick<KnownPrograms, "get">): readonly DecodedArgument[] | undefined {
  if (task.type !== "Module") return undefined;
  const abi = programs.get(task.programHash)?.abi;
  return abi === undefined ? undefined : decodeInputs(abi, task.inputs);
}

/** `  chain_id  11,155,111  (felt252)` */
function describeArgument({ name, type, visibility, value }: DecodedArgument): string {
  const shortType = type.replaceAll(/\b[a-z_0-9]+::/g, "");
  const secret = visibility === "private" ? ", private" : "";
  return `  ${name} = ${cairoText(value, type)}  ${style.faint(`(${shortType}${secret})`)}`;
}
