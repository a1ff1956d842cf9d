import { z } from "zod";

import { type DurableFs, nodeFs } from "../base/durable-fs.js";
import { lockFolder } from "./folder-lock.js";
import { FileLog, forgetfulLog, type FrontLog, type LogLine, logPath, parsedLine, unusable } from "./front-log.js";
import { uploadEntrySchema, UploadKeys } from "./idempotency-keys.js";
import { stateEntrySchema, StateTries } from "./state-tries.js";
import { GrowOrders, growOrderEntrySchema } from "./storage-proof/grow-orders.js";
import { ProofBook, type ProofBookOptions } from "./storage-proof/proof-book.js";
import { proofEntrySchema } from "./storage-proof/proof-record.js";
import { TaskBook, type TaskBookOptions } from "./task-book.js";
import { taskEntrySchema, taskOfLine } from "./task-log.js";

type BookOptions = Omit<TaskBookOptions & ProofBookOptions, "log">;

export type FrontStateOptions = BookOptions & {
  readonly dataDir: string | undefined;
  readonly fs?: DurableFs;
  /** How many bytes of lines about forgotten tasks are worth writing the log anew, when they are half of it. */
  readonly worthRewriting?: number;
};

/** Everything a front remembers beside its programs. */
export interface FrontState {
  readonly tasks: TaskBook;
  readonly proofs: ProofBook;
  readonly growOrders: GrowOrders;
  readonly tries: StateTries;
  readonly uploads: UploadKeys;
  /** Goes on with what was under way when the log was closed or the process was killed. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

type Books = Pick<FrontState, "tasks" | "proofs" | "growOrders" | "uploads" | "tries">;

const entrySchema = z.union([
  taskEntrySchema,
  proofEntrySchema,
  growOrderEntrySchema,
  uploadEntrySchema,
  stateEntrySchema,
]);

/** @throws HdpError HDP-4502 for a log that cannot be used, HDP-4503 for a folder that another process uses. */
export async function openState(options: FrontStateOptions): Promise<FrontState> {
  const { dataDir } = options;
  const unlock = dataDir === undefined ? undefined : await lockFolder(dataDir);
  try {
    const { log, books } =
      dataDir === undefined
        ? { log: forgetfulLog, books: booksOn(forgetfulLog, options) }
        : await readLog(logPath(dataDir), options);
    const { tasks, proofs } = books;
    return {
      ...books,
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

const WORTH_REWRITING = 32 * 1024 * 1024;

/** Reads a log; where most of it is about tasks that are forgotten, they are taken out of it. */
async function readLog(
  path: string,
  options: FrontStateOptions,
): Promise<{ readonly log: FrontLog; readonly books: Books }> {
  const { fs = nodeFs, worthRewriting = WORTH_REWRITING } = options;
  const log = await FileLog.open(path, fs);
  const books = booksOn(log, options);
  let bytes = 0;
  await log.each((line) => {
    bytes += line.length;
    return books.tasks.shelve(line) ? undefined : replay(line, books, path);
  });
  const { index } = books.tasks;
  if (index.forgottenBytes <= Math.max(worthRewriting, bytes / 2)) return { log, books };
  await log.rewrite((line) => {
    const id = taskOfLine(line);
    return id === undefined || index.has(id);
  });
  await log.close();
  return await readLog(path, options);
}

function booksOn(log: FrontLog, options: BookOptions): Books {
  return {
    tasks: new TaskBook({ ...options, log }),
    proofs: new ProofBook({ ...options, log }),
    growOrders: new GrowOrders(log),
    uploads: new UploadKeys(log),
    tries: new StateTries(log),
  };
}

async function replay(
  line: LogLine,
  { tasks, proofs, growOrders, uploads, tries }: Books,
  path: string,
): Promise<void> {
  const parsed = entrySchema.safeParse(parsedLine(line, path));
  if (!parsed.success) throw unusable(path, `line ${line.number} is none that this version writes`);
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
    case "upload":
      uploads.replay(known);
      return;
    case "task":
    case "task-ended":
    case "task-retried":
    case "task-notified":
      await tasks.replay(known);
  }
}
