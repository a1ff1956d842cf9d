/** Reads in flight at once when nothing else is said. */
export const DEFAULT_CONCURRENCY = 16;

/** Counting semaphore: at most `width` holders, first come, first served. */
export class Limiter {
  readonly width: number;
  #free: number;
  #waiting: (() => void)[] = [];
  #next = 0;

  public constructor(width: number = DEFAULT_CONCURRENCY) {
    this.width = Math.max(1, Math.floor(width));
    this.#free = this.width;
  }

  public async acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  public release(): void {
    const waiter = this.#waiting[this.#next];
    if (waiter === undefined) {
      this.#free += 1;
      return;
    }
    this.#next += 1;
    // The head of the queue is dropped in slices: shift() on every release would be quadratic.
    if (this.#next === 1024) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    waiter();
  }
}
