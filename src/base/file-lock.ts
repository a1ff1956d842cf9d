import { z } from "zod";

import type { DurableFs } from "./durable-fs.js";
import type { ProcessIdentity, ProcessTable } from "./process-table.js";

/** What a lock's owner says when it cannot be had: each lock has its own numbers of the catalogue. */
export interface LockErrors {
  /** A process that may be alive keeps the lock for longer than the patience. */
  readonly held: (path: string, holder: ProcessIdentity) => Error;
  /** The file does not say who holds it. */
  readonly unreadable: (path: string, cause: unknown) => Error;
}

/** What a lock needs from outside. Times are in milliseconds. */
export interface LockOptions {
  readonly fs: Pick<DurableFs, "createExclusive" | "read" | "remove">;
  readonly processes: ProcessTable;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A name that no other lock ever gets. */
  readonly newToken: () => string;
  /** How long to wait for a holder that is alive; 0 for not at all. */
  readonly patience: number;
  readonly errors: LockErrors;
}

const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 200;
/** How long a file without content is taken for one that is just being written. */
const WRITING = 1_000;

const holderSchema = z.object({
  token: z.string().regex(/^[\w-]{1,100}$/),
  pid: z.number().int().positive(),
  host: z.string(),
  started: z.string().optional(),
  boot: z.string().optional(),
  namespace: z.string().optional(),
  machine: z.string().optional(),
});
type Holder = z.output<typeof holderSchema>;

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

  /** Runs `action` while holding the lock. @throws as {@link acquire} */
  public async hold<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await action();
    } finally {
      // What the action did stands. A lock that stays is taken over when this process has ended.
      await release().catch(() => undefined);
    }
  }

  /**
   * Takes the lock.
   *
   * @returns what gives it back
   * @throws the owner's errors when a living process keeps it or the file is not a lock's; the signal's reason
   */
  public async acquire(signal?: AbortSignal): Promise<() => Promise<void>> {
    const token = await this.#acquire(this.#path, this.#options.now() + this.#options.patience, signal);
    return async () => {
      await this.#release(this.#path, token);
    };
  }

  async #acquire(path: string, deadline: number, signal: AbortSignal | undefined): Promise<string> {
    const { fs, processes, now, sleep, errors } = this.#options;
    const token = this.#options.newToken();
    const writtenBy = now() + WRITING;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      signal?.throwIfAborted();
      if (await fs.createExclusive(path, `${JSON.stringify({ token, ...processes.self })}\n`, token)) return token;
      const text = await fs.read(path);
      if (text === undefined) continue;
      if (text === "" && now() < writtenBy) {
        await sleep(pause, signal);
        continue;
      }
      const holder = this.#holderIn(path, text);
      if (!processes.mayBeAlive(holder)) {
        await this.#takeOver(path, holder, deadline, signal);
        continue;
      }
      if (now() >= deadline) throw errors.held(path, holder);
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
    if (text !== undefined && this.#holderIn(path, text).token === token) await this.#options.fs.remove(path);
  }

  #holderIn(path: string, text: string): Holder {
    try {
      const json: unknown = JSON.parse(text);
      // Data folders of 0.1.0 hold a process number and nothing else.
      if (typeof json === "number") {
        return holderSchema.parse({ token: `pid-${json}`, pid: json, host: this.#options.processes.self.host });
      }
      return holderSchema.parse(json);
    } catch (cause) {
      throw this.#options.errors.unreadable(path, cause);
    }
  }
}
