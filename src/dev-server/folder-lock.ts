import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { nodeFs } from "../base/durable-fs.js";
import { FileLock, type LockErrors } from "../base/file-lock.js";
import { nodeProcessTable } from "../base/process-table.js";
import { HdpError } from "../errors/hdp-error.js";

/**
 * Takes a data folder for this process; two would write over each other. The lock of a process that was killed is
 * taken over.
 *
 * @returns what gives it back
 * @throws HdpError HDP-4503 where a running process has it.
 */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  await nodeFs.makeDirectory(dataDir);
  const lock = new FileLock(resolve(dataDir, "lock"), {
    ...{ fs: nodeFs, processes: nodeProcessTable(), errors: errorsFor(dataDir) },
    ...{ now: Date.now, newToken: randomUUID, patience: 0 },
    sleep: async (milliseconds) => {
      await sleep(milliseconds);
    },
  });
  return await lock.acquire();
}

function errorsFor(dataDir: string): LockErrors {
  const fail = (message: string, hint: string, cause?: unknown): HdpError =>
    new HdpError({ code: "HDP-4503", path: dataDir, message, hints: [hint], cause });
  return {
    held: (path, { pid, host }) =>
      fail(
        `the data folder is in use by process ${pid} on ${host}.`,
        `End that process, or give another folder as --data-dir. If it is no data processor: delete ${path}.`,
      ),
    unreadable: (path, cause) =>
      fail(
        `the data folder's lock ${path} does not say which process has it.`,
        `Make sure that no other data processor uses the folder, then delete ${path}.`,
        cause,
      ),
  };
}
