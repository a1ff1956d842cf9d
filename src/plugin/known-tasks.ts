import type { Address, Hex } from "viem";

import type { Task } from "../request/task.js";
import type { StoredTask } from "../submission/explain-read.js";

/** Maximum number of remembered tasks, and of remembered results. */
const MAX_REMEMBERED = 200;

/** The tasks that a connection read, and the results that it finalized, to explain failed reads with. */
export class KnownTasks {
  readonly #tasks = new Set<Task>();
  readonly #finalized: StoredTask[] = [];

  /** The tasks, the latest first. */
  public get tasks(): readonly Task[] {
    return [...this.#tasks].reverse();
  }

  public get finalized(): readonly StoredTask[] {
    return this.#finalized;
  }

  public add(tasks: readonly Task[]): void {
    for (const task of tasks) this.#tasks.add(task);
    for (const task of this.#tasks) {
      if (this.#tasks.size <= MAX_REMEMBERED) return;
      this.#tasks.delete(task);
    }
  }

  public addFinalized(hashes: readonly Hex[], store: Address): void {
    this.#finalized.push(...hashes.map((taskHash) => ({ taskHash, store })));
    this.#finalized.splice(0, this.#finalized.length - MAX_REMEMBERED);
  }
}
