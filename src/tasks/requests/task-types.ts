import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { describeTask } from "../../request/describe-task.js";
import { taskForm, writtenTask } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import type { FileRequest } from "./task-files.js";
import { requireNames, fileStem } from "./task-fixtures.js";

/**
 * Returns a TypeScript module with the requests of task files by name: `tasks.baseFee` of `tasks/base-fee.json`. Hashes
 * are in the form of the tasks given, requests as users write them.
 *
 * @throws HdpError HDP-6086 where two files would have the same name
 */
export function renderTaskTypes(files: readonly FileRequest[]): string {
  const names = files.map(({ file }) => ({ name: `tasks.${camelCaseName(file)}`, from: file }));
  requireNames("files", names, "files");
  const entries = files.map(({ file, request }) => {
    const hashes = request.tasks.map((task) => taskHash(task));
    const [only, ...others] = hashes;
    const hash = only !== undefined && others.length === 0 ? { hash: only } : {};
    const titles = request.tasks.map((task) => describeTask(task).title).join("; ");
    const forms = request.tasks.map((task) => taskForm(task));
    const written = { ...request, tasks: request.tasks.map((task) => writtenTask(task)) };
    const value = source({ file, ...hash, hashes, forms, request: written }, "  ");
    return `  /** ${titles.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n  ${camelCaseName(file)}: ${value},\n`;
  });
  return `// The tasks of this project, written by \`npx hardhat hdp types\`. To change them, run it again.
import type { TaskForm, TaskRequest } from "hardhat-hdp/request";

interface TaskFile {
  readonly file: string;
  /** Where the file has one task. */
  readonly hash?: \`0x\${string}\`;
  readonly hashes: readonly \`0x\${string}\`[];
  /** The form in which each task has its hash; the request has the tasks as they are written. */
  readonly forms: readonly TaskForm[];
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
