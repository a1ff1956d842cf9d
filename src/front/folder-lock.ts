import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { HdpError } from "../base/errors.js";

/** Locks that this process holds: another process may have had the same id before it was killed. */
const held = new Set<string>();

/**
 * Takes a data folder for this process; two would write over each other. The lock of a process that was killed is
 * taken over.
 *
 * @returns what gives it back
 * @throws HdpError HDP-4503 where a running process has it.
 */
export async function lockFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const path = resolve(dataDir, "lock");
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx" });
      held.add(path);
      return async () => {
        held.delete(path);
        await rm(path, { force: true });
      };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const owner = await readOwner(path);
    const isTaken = owner === process.pid ? held.has(path) : owner !== undefined && isRunning(owner);
    if (isTaken) {
      throw new HdpError({
        code: "HDP-4503",
        path: dataDir,
        message: `the data folder is in use by process ${owner ?? 0}.`,
        hints: [`End that process, or give another folder as --data-dir. If it is no data processor: delete ${path}`],
      });
    }
    await rm(path, { force: true });
  }
}

async function readOwner(path: string): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(path, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is there too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
