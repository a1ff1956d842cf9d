import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { nodeFs } from "../base/durable-fs.js";
import { Journal } from "../journal/journal.js";
import { nodeProcessTable } from "../base/process-table.js";
import type { Session } from "./session.js";

/** How long a command waits for another process that is submitting, in milliseconds. */
const LOCK_PATIENCE = 30_000;

/** The journal of a project, in the folder that configuration names. Nothing is written until something is sent. */
export function openJournal(folder: string): Journal {
  return new Journal({
    path: join(folder, "journal.jsonl"),
    fs: nodeFs,
    now: Date.now,
    newId: randomUUID,
    lock: {
      processes: nodeProcessTable(),
      sleep: async (milliseconds, signal) => await sleep(milliseconds, undefined, signal && { signal }),
      patience: LOCK_PATIENCE,
    },
  });
}

/** What a session's journal hangs on. */
class SessionJournal {
  public readonly journal: Journal;

  public constructor(session: Session) {
    this.journal = openJournal(session.config.journal);
  }
}

/** The journal of a session: one, so that what was read of it is not read again. */
export function journalOf(session: Session): Journal {
  return session.part(SessionJournal).journal;
}
