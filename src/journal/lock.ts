import { z } from "zod";

import { JournalError } from "./errors.js";
import type { JournalFs } from "./journal-fs.js";
import type { ProcessTable } from "./process-table.js";

/** What a lock needs from outside. Times are in milliseconds. */
export interface LockOptions {
  readonly fs: Pick<JournalFs, "createExclusive" | "read" | "remove">;
  readonly processes: ProcessTable;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A name that no other lock ever gets. */
  readonly newToken: () => string;
  /** How long to wait for a holder that is alive. */
  readonly patience: number;
}

const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 200;

const holderSchema = z.object({
  token: z.string().min(1),
  pid: z.number().int().positive(),
  host: z.string(),
  started: z.string().optional(),
});
type Holder = z.output<typeof holderSchema>;

function parseHolder(path: string, text: string): Holder {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new JournalError({
      code: "HDP-5004",
      message: `the lock file ${path} does not say who holds it.`,
      hints: [`Make sure that no other process is submitting, then delete ${path} and run the command again.`],
      cause,
    });
  }
}

function heldTooLong(path: string, holder: Holder, patience: number): JournalError {
  return new JournalError({
    code: "HDP-5003",
    message: `process ${holder.pid} on ${holder.host} holds the journal's lock ${path} for longer than ${patience / 1000} s.`,
    hints: [
      "Wait until that process has submitted, or end it, and run the command again.",
      `A lock left by another machine or container is not taken over: when it is certain that nobody holds it, delete ${path}.`,
    ],
  });
}

/**
 * An advisory lock between processes: a file that only one of them can create. The lock of a process that ended
 * without releasing it is taken over.
 *
 * Taking over is guarded by another lock, named after the dead holder's token. Whoever has the guard and still finds
 * that token in the lock is the only one who may remove it; without the guard a slow process could remove the lock
 * that a quicker one has just created. A guard whose holder died is taken over in the same way.
 */
export class FileLock {
  readonly #path: string;
  readonly #options: LockOptions;

  public constructor(path: string, options: LockOptions) {
    this.#path = path;
    this.#options = options;
  }

  /**
   * Runs `action` while holding the lock.
   *
   * @throws JournalError HDP-5003 when a living process keeps it, HDP-5004 when the file is not a lock's.
   */
  public async hold<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const deadline = this.#options.now() + this.#options.patience;
    const token = await this.#acquire(this.#path, deadline, signal);
    try {
      return await action();
    } finally {
      // What the action did stands. A lock that stays is taken over when this process has ended.
      await this.#release(this.#path, token).catch(() => undefined);
    }
  }

  async #acquire(path: string, deadline: number, signal: AbortSignal | undefined): Promise<string> {
    const { fs, processes, now, sleep, patience } = this.#options;
    const token = this.#options.newToken();
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      signal?.throwIfAborted();
      if (await fs.createExclusive(path, `${JSON.stringify({ token, ...processes.self })}\n`, token)) return token;
      const text = await fs.read(path);
      if (text === undefined) continue;
      const holder = parseHolder(path, text);
      if (!processes.mayBeAlive(holder)) {
        await this.#takeOver(path, holder, deadline, signal);
        continue;
      }
      if (now() >= deadline) throw heldTooLong(path, holder, patience);
      await sleep(pause, signal);
    }
  }

  async #takeOver(path: string, dead: Holder, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const guard = `${this.#path}.${dead.token}`;
    const token = await this.#acquire(guard, deadline, signal);
    try {
      await this.#release(path, dead.token);
    } finally {
      await this.#release(guard, token);
    }
  }

  /** Removes a lock that is still the one of `token`: a person may have deleted it by hand meanwhile. */
  async #release(path: string, token: string): Promise<void> {
    const text = await this.#options.fs.read(path);
    if (text !== undefined && parseHolder(path, text).token === token) await this.#options.fs.remove(path);
  }
}
