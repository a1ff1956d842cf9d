import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { systemErrorCode } from "./files.js";

/** Who holds a lock. What the system does not tell is missing. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one with the same number. */
  readonly started?: string | undefined;
  /** Tells one run of the machine's kernel from another. */
  readonly boot?: string | undefined;
  /** The PID namespace: two containers may have one host name and different processes of one number. */
  readonly namespace?: string | undefined;
  /** Tells machines with one host name apart. */
  readonly machine?: string | undefined;
}

/** What a lock has to know about processes. */
export interface ProcessTable {
  readonly self: ProcessIdentity;
  /** False only when the process certainly ended: one that cannot be seen from here may always be alive. */
  mayBeAlive(holder: ProcessIdentity): boolean;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Ticks since boot at which the process started (proc(5), field 22 of stat), where there is a /proc. */
function startOf(pid: number): string | undefined {
  return orUndefined(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, the name, is in brackets and may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  });
}

/** machine-id(5) asks not to show the id itself. */
function machineName(): string | undefined {
  const id = orUndefined(() => readFileSync("/etc/machine-id", "utf8").trim());
  if (id === undefined || id === "") return undefined;
  return createHash("sha256").update(`hardhat-hdp ${id}`).digest("hex").slice(0, 16);
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

/** Linux's number of the namespace that is no container's. */
const OUTERMOST_NAMESPACE = "pid:[4026531836]";

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** The processes that this one can see. */
export function nodeProcessTable(): ProcessTable {
  const self: ProcessIdentity = {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    boot: orUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orUndefined(() => readlinkSync("/proc/self/ns/pid")),
    machine: machineName(),
  };
  return { self, mayBeAlive: (holder) => mayBeAlive(self, holder) };
}

/** @internal The decision, with the processes of this machine as they are. */
export function mayBeAlive(self: ProcessIdentity, holder: ProcessIdentity): boolean {
  if (holder.host !== self.host || differs(holder.machine, self.machine)) return true;
  if (differs(holder.boot, self.boot)) return !isRestarted(self, holder);
  if (differs(holder.namespace, self.namespace)) return true;
  if (!isRunning(holder.pid)) return false;
  const started = startOf(holder.pid);
  return started === undefined || holder.started === undefined || started === holder.started;
}

/** The machine was started again since: its processes ended. Containers may share the machine's file by their image. */
function isRestarted(self: ProcessIdentity, holder: ProcessIdentity): boolean {
  return (
    self.machine !== undefined &&
    holder.machine === self.machine &&
    [self.namespace, holder.namespace].every((namespace) => namespace === OUTERMOST_NAMESPACE)
  );
}
