import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { describeTask } from "../../request/describe-task.js";
import { HDP_FORM, taskForm, writtenTask } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import { TASK_TYPES_HEAD } from "../../plugin/written-hash.js";
import type { FileRequest } from "./task-files.js";
import { requireNames, fileStem } from "./task-fixtures.js";

/**
 * Returns a TypeScript module with the requests of task files by name: `tasks.baseFee` of `tasks/base-fee.json`. Each task is
 * pinned in the form in which it is given, as contracts take it; requests are as users write them.
 *
 * @throws HdpError HDP-6086 where two files would have the same name
 */
export function renderTaskTypes(files: readonly FileRequest[]): string {
  const names = files.map(({ file }) => ({ name: `tasks.${camelCaseName(file)}`, from: file }));
  requireNames("files", names, "files");
  const entries = files.map(({ file, request }) => {
    const pinned = request.tasks.map((task) => {
      return { hash: taskHash(task), form: HDP_FORM[taskForm(task)] };
    });
    const [only, ...others] = pinned;
    const task = only !== undefined && others.length === 0 ? { task: only } : {};
    const titles = request.tasks.map((task) => describeTask(task).title).join("; ");
    const written = { ...request, tasks: request.tasks.map((task) => writtenTask(task)) };
    const value = source({ file, ...task, tasks: pinned, request: written }, "  ");
    return `  /** ${titles.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n  ${camelCaseName(file)}: ${value},\n`;
  });
  return `${TASK_TYPES_HEAD} To change them, run it again.
import type { TaskRequest } from "hardhat-hdp/request";

/** A task as contracts take it, the Solidity struct \`HdpTask\`. */
interface PinnedTask {
  readonly hash: \`0x\${string}\`;
  /** 0 in the datalake form, 1 in the module form. */
  readonly form: 0 | 1;
}

interface TaskFile {
  readonly file: string;
  /** Where the file has one task. */
  readonly task?: PinnedTask;
  readonly tasks: readonly PinnedTask[];
  /** The tasks as they are written. */
  readonly request: TaskRequest;
}

export const tasks = {
${entries.join("")}} as const satisfies Readonly<Record<string, TaskFile>>;
`;
}

/** Returns a file's name in camel case, without folders and extension. */
function camelCaseName(path: string): string {
  const joined = fileStem(path)
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join("");
  const name = joined.slice(0, 1).toLowerCase() + joined.slice(1);
  return /^[a-z]/.test(name) ? name : `task${name}`;
}

/** Writes a value as TypeScript; undefined members are left out. */
function source(value: unknown, indent: string): string {
  if (typeof value === "bigint") return `${value.toString()}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => source(one, inner))
    : Object.entries(value).flatMap(([key, one]) =>
        one === undefined
          ? []
          : [`${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${source(one, inner)}`],
      );
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
