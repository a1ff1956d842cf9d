import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { type Clock, type Random, systemClock } from "../base/clock.js";
import type { SubmissionRecord } from "./model.js";

/** External dependencies of submissions: time, randomness, identifiers, and the processes of this machine. */
export interface System {
  readonly clock: Clock;
  readonly random: Random;
  /** Returns a new, globally unique identifier: a UUID. */
  readonly newId: () => string;
  readonly processes: Processes;
}

/** The processes that share a submission store. */
export interface Processes {
  /** Identifies this process to others: host, number, and a text that is unique to the process. */
  readonly self: string;
  /** Returns whether a process may still be running. A process of another machine may. */
  readonly mayRun: (process: string) => boolean;
}

/** Returns whether a submission is being sent by a process that may still be running. */
export function isBeingSent({ state, sender }: SubmissionRecord, processes: Processes): boolean {
  return state === "sending" && sender !== undefined && processes.mayRun(sender);
}

const SELF = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

const processes: Processes = {
  self: SELF,
  mayRun: (name) => {
    const [host, number] = name.split(":");
    if (name === SELF || host !== hostname()) return true;
    // Another process had this number before: in containers, each first process has the same number.
    if (Number(number) === process.pid) return false;
    try {
      process.kill(Number(number), 0);
      return true;
    } catch (error) {
      // The process of another user cannot be signalled.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
};

/** Clock, randomness, ids and processes of Node.js. */
export const nodeSystem: System = {
  clock: systemClock,
  random: Math.random,
  newId: randomUUID,
  processes,
};
