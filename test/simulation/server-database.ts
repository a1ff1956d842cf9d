import type { DatabaseOptions } from "../../src/base/sqlite.js";
import { ServerDatabase } from "../../src/dev-server/database.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { Killed } from "./process.js";

/** What befalls the database of a process of the server, by a number from 1. */
export interface ServerFault {
  /** It is killed as it takes a step, finds the disk full for a transaction, or cannot read. */
  readonly kind: "kill" | "full" | "unread";
  readonly at: number;
}

/** What a process of the server has done with its database. A step is before or after something is written to the disk. */
export type Counts = Record<ServerFault["kind"], number>;

let memory = "";

/** A database in memory that the processes of a server open one after another. */
class SharedDatabase extends ServerDatabase {
  public constructor(options: DatabaseOptions) {
    super({ ...options, path: undefined, memory });
  }
}

/** The database as a process of the server has it: one that dies leaves what was committed, and nothing else. */
export interface OpenedDatabase {
  readonly database: ServerDatabase;
  readonly counts: Counts;
  readonly isAlive: () => boolean;
  /** Ends the process: what it was writing is undone. */
  readonly kill: () => void;
}

/** Opens the database of a history for the next process of its server. */
export function openDatabase(name: string, faults: readonly ServerFault[]): OpenedDatabase {
  memory = name;
  const database = SharedDatabase.open(undefined);
  const usual = {
    begin: database.begin.bind(database),
    commit: database.commit.bind(database),
    rollback: database.rollback.bind(database),
    get: database.get.bind(database),
    all: database.all.bind(database),
    run: database.run.bind(database),
  };
  const counts: Counts = { kill: 0, full: 0, unread: 0 };
  let isAlive = true;
  const befalls = (kind: ServerFault["kind"]): boolean => {
    if (!isAlive) throw new Killed();
    counts[kind] += 1;
    return faults.some((fault) => fault.kind === kind && fault.at === counts[kind]);
  };
  const kill = (): void => {
    if (!isAlive) return;
    isAlive = false;
    usual.rollback();
    database.close();
  };
  const step = (): void => {
    if (!befalls("kill")) return;
    kill();
    throw new Killed();
  };
  const read = (): void => {
    if (befalls("unread"))
      throw hdpError("HDP-5101", { reason: "disk I/O error" }, { path: "dev-server.db" });
  };
  database.begin = () => {
    step();
    if (befalls("full"))
      throw hdpError("HDP-5101", { reason: "the disk is full" }, { path: "dev-server.db" });
    usual.begin();
  };
  database.commit = () => {
    step();
    usual.commit();
    step();
  };
  database.rollback = () => {
    if (isAlive) usual.rollback();
  };
  database.get = (...values) => {
    read();
    return usual.get(...values);
  };
  database.all = (...values) => {
    read();
    return usual.all(...values);
  };
  database.run = (...values) => {
    if (!isAlive) throw new Killed();
    return usual.run(...values);
  };
  return { database, counts, isAlive: () => isAlive, kill };
}
