import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { type Clock, systemClock } from "../base/clock.js";

/** What submissions take from outside: time, identifiers, and the processes of this machine. */
export interface System {
  readonly clock: Clock;
  /** A new identifier, unique everywhere: a UUID. */
  readonly newId: () => string;
  readonly processes: Processes;
}

export interface Processes {
  /** Names this process to others: host and number. */
  readonly self: string;
  /** Whether a process may still be running. One of another machine may. */
  readonly mayRun: (process: string) => boolean;
}

const processes: Processes = {
  self: `${hostname()}:${process.pid}`,
  mayRun: (name) => {
    const at = name.lastIndexOf(":");
    if (name.slice(0, at) !== hostname()) return true;
    try {
      process.kill(Number(name.slice(at + 1)), 0);
      return true;
    } catch (error) {
      // The process of another user cannot be signalled.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
};

export const nodeSystem: System = { clock: systemClock, newId: randomUUID, processes };
