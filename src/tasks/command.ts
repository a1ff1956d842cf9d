import { text as readStream } from "node:stream/consumers";

import { readTaskFile } from "../plugin/task-input.js";
import { HdpError } from "../request/errors.js";
import { parseTaskRequestText } from "../request/parse.js";
import type { TaskRequest } from "../request/task.js";

/** The request in a file, or on standard input for "-". */
export async function readRequest(file: string, projectRoot: string): Promise<TaskRequest> {
  if (file !== "-") return await readTaskFile(file, projectRoot);
  return parseTaskRequestText(await readStream(process.stdin), { source: "standard input" });
}

/** The value of `--timeout`, in milliseconds. */
export function timeoutMilliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new HdpError({
      code: "HDP-6002",
      path: "--timeout",
      message: `"${text}" is not a number of seconds.`,
      hints: ["A positive number, for instance --timeout 600"],
    });
  }
  return seconds * 1000;
}
