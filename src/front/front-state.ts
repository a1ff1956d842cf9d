import { join } from "node:path";

import { z } from "zod";

import { HdpError } from "../base/errors.js";
import { FileLog, forgetfulLog, logPath, type FrontLog } from "./front-log.js";
import { lockFolder } from "./folder-lock.js";
import { GrowOrders, growOrderEntrySchema } from "./storage-proof/grow-orders.js";
import { ProofBook, type ProofBookOptions } from "./storage-proof/proof-book.js";
import { proofEntrySchema } from "./storage-proof/proof-record.js";
import { stateEntrySchema, StateTries } from "./state-tries.js";
import { TaskBook, type TaskBookOptions } from "./task-book.js";
import { taskEntrySchema } from "./task-log.js";

export type FrontStateOptions = Omit<TaskBookOptions & ProofBookOptions, "log"> & {
  readonly dataDir: string | undefined;
};

/** Everything a front remembers beside its programs. */
export interface FrontState {
  readonly tasks: TaskBook;
  readonly proofs: ProofBook;
  readonly growOrders: GrowOrders;
  readonly tries: StateTries;
  /** Goes on with what was under way when the log was closed or the process was killed. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

const entrySchema = z.union([taskEntrySchema, proofEntrySchema, growOrderEntrySchema, stateEntrySchema]);

/** @throws HdpError HDP-4502 for a log that cannot be used, HDP-4503 for a folder that another process uses. */
export async function openState({ dataDir, ...options }: FrontStateOptions): Promise<FrontState> {
  const unlock = dataDir === undefined ? undefined : await lockFolder(dataDir);
  try {
    const opened = dataDir === undefined ? undefined : await FileLog.open(logPath(dataDir));
    const log: FrontLog = opened?.log ?? forgetfulLog;
    const tasks = new TaskBook({ ...options, log });
    const proofs = new ProofBook({ ...options, log });
    const growOrders = new GrowOrders(log);
    const tries = new StateTries(log);
    for (const [position, entry] of (opened?.entries ?? []).entries()) {
      replay(entry, { tasks, proofs, growOrders, tries }, dataDir ?? "", position);
    }
    return {
      ...{ tasks, proofs, growOrders, tries },
      resume: async () => {
        proofs.resume();
        await tasks.resume();
      },
      close: async () => {
        proofs.close();
        await tasks.close();
        await log.close();
        await unlock?.();
      },
    };
  } catch (error) {
    await unlock?.();
    throw error;
  }
}

function replay(
  entry: unknown,
  { tasks, proofs, growOrders, tries }: Pick<FrontState, "tasks" | "proofs" | "growOrders" | "tries">,
  dataDir: string,
  position: number,
): void {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) {
    throw new HdpError({
      code: "HDP-4502",
      path: join(dataDir, "front.jsonl"),
      message: `the data folder's log cannot be used: line ${position + 1} is none that this version writes.`,
      hints: ["Give another folder as --data-dir, or move this one away to begin anew."],
    });
  }
  const known = parsed.data;
  switch (known.type) {
    case "proof":
    case "proof-ended":
      proofs.replay(known);
      return;
    case "grow-order":
      growOrders.replay(known);
      return;
    case "state-trie":
    case "state-write":
      tries.replay(known);
      return;
    case "task":
    case "task-ended":
    case "task-retried":
    case "task-notified":
      tasks.replay(known);
  }
}
