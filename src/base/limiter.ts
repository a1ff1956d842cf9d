/** Reads in flight at once when nothing else is said. */
export const DEFAULT_CONCURRENCY = 16;

/** Releases in a row after which one more holder is let in again. */
const CALM = 32;

/**
 * Counting semaphore: at most `width` holders, first come, first served. Where what is held is too much for another
 * (a node that is busy), `narrow` halves how many may hold; undisturbed releases widen it again, one at a time.
 */
export class Limiter {
  readonly width: number;
  #allowed: number;
  #held = 0;
  #calm = 0;
  #waiting: (() => void)[] = [];
  #next = 0;
  #admitting = false;

  public constructor(width: number = DEFAULT_CONCURRENCY) {
    this.width = Math.max(1, Math.floor(width));
    this.#allowed = this.width;
  }

  public async acquire(): Promise<void> {
    if (!this.tryAcquire()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Whether there was room to hold at once. */
  public tryAcquire(): boolean {
    if (this.#held >= this.#allowed) return false;
    this.#held += 1;
    return true;
  }

  public release(): void {
    this.#held -= 1;
    this.#calm += 1;
    if (this.#calm >= CALM && this.#allowed < this.width) {
      this.#calm = 0;
      this.#allowed += 1;
    }
    if (this.#next === this.#waiting.length || this.#admitting) return;
    // Together with others that end in this turn of the event loop: a node in this process is woken once for all.
    this.#admitting = true;
    setImmediate(this.#admit);
  }

  readonly #admit = (): void => {
    this.#admitting = false;
    while (this.#held < this.#allowed && this.#admitNext()) this.#held += 1;
  };

  /** Lets half as many hold from now on; those who do are not stopped. */
  public narrow(): void {
    this.#calm = 0;
    this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
  }

  #admitNext(): boolean {
    const waiter = this.#waiting[this.#next];
    if (waiter === undefined) return false;
    this.#next += 1;
    // The head of the queue is dropped in slices: shift() on every release would be quadratic.
    if (this.#next === 1024) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    waiter();
    return true;
  }
}
