import { setImmediate, setTimeout } from "node:timers/promises";

/** Milliseconds that a turn of the event loop works before other events have their turn. */
const SLICE = 20;

/** Spreads work over turns of the event loop. */
export class Turns {
  readonly #now: () => number;
  #began: number | undefined;

  public constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Resolves when a piece of work may begin: at once while this turn has time, otherwise in a later turn, in order. */
  public async next(): Promise<void> {
    // Timers have their turn, too.
    while (!this.#hasTime()) await setTimeout(0);
  }

  /** Goes through work step by step, with other events between its steps. */
  public async through<T>(work: Generator<undefined, T>): Promise<T> {
    for (;;) {
      if (!this.#hasTime()) await this.next();
      const { done, value } = work.next();
      if (done === true) return value;
    }
  }

  #hasTime(): boolean {
    if (this.#began === undefined) {
      this.#began = this.#now();
      void setImmediate().then(() => (this.#began = undefined));
    }
    return this.#now() - this.#began < SLICE;
  }
}

/** Goes through work step by step at once. */
export function runToEnd<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
