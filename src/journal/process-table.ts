import { readFileSync } from "node:fs";
import { hostname } from "node:os";

import { systemErrorCode } from "./journal-fs.js";

/** Who holds a lock. `started` tells a process from a later one with the same number, where the system tells. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  readonly started?: string | undefined;
}

/** What the lock has to know about processes. */
export interface ProcessTable {
  readonly self: ProcessIdentity;
  /** False only when the process certainly ended: a process on another host may always be alive. */
  mayBeAlive(holder: ProcessIdentity): boolean;
}

/** Ticks since boot at which the process started (proc(5), field 22 of stat), where there is a /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, the name, is in brackets and may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return systemErrorCode(error) !== "ESRCH";
  }
}

/** The processes of this machine. */
export function nodeProcessTable(): ProcessTable {
  const self = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  return {
    self,
    mayBeAlive: (holder) => {
      if (holder.host !== self.host) return true;
      if (!isRunning(holder.pid)) return false;
      const started = startOf(holder.pid);
      return started === undefined || holder.started === undefined || started === holder.started;
    },
  };
}
