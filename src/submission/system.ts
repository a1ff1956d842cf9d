import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { type Clock, type Random, systemClock } from "../base/clock.js";

/** What submissions take from outside: time, chance, identifiers, and the processes of this machine. */
export interface System {
  readonly clock: Clock;
  /** Of pauses. */
  readonly random: Random;
  /** A new identifier, unique everywhere: a UUID. */
  readonly newId: () => string;
  readonly processes: Processes;
}

export interface Processes {
  /** Names this process to others: host, number, and a text that no other process has. */
  readonly self: string;
  /** Whether a process may still be running. One of another machine may. */
  readonly mayRun: (process: string) => boolean;
}

const SELF = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

const processes: Processes = {
  self: SELF,
  mayRun: (name) => {
    const [host, number] = name.split(":");
    if (name === SELF || host !== hostname()) return true;
    // Another process had this number before: in containers each first process has the same.
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

export const nodeSystem: System = { clock: systemClock, random: Math.random, newId: randomUUID, processes };
