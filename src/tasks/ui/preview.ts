import type { KnownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { decodeInputs, type DecodedArgument } from "../../program/abi/arguments.js";
import type { Task, TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import { cairoText } from "./format.js";
import { style, type Screen } from "./screen.js";

/** What each task of a request will compute, before anything happens; of known modules the arguments by name. */
export function preview(screen: Screen, request: TaskRequest, programs: Pick<KnownPrograms, "get">): void {
  screen.line();
  request.tasks.forEach((task, index) => {
    const { title, lines } = describeTask(task);
    screen.line(`  ${style.strong(`Task ${String(index + 1)}`)}  ${title}`);
    const all = [...lines, ...(argumentsOf(task, programs) ?? []).map(describeArgument)];
    all.forEach((line) => {
      screen.line(`          ${line}`);
    });
    screen.line(`          hash ${taskHash(task)}`);
  });
}

/** Inputs of a module task by name and type; undefined where its ABI is not known. */
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
