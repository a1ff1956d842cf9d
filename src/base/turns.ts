import { setImmediate, setTimeout } from "node:timers/promises";

/** Milliseconds of work in one turn of the event loop, before other events are processed. */
const SLICE = 20;

/** Spreads work over turns of the event loop. */
export class Turns {
  readonly #now: () => number;
  #began: number | undefined;

  public constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Resolves when work may begin, in order: at once if this turn has time left, otherwise in a later turn. */
  public async next(): Promise<void> {
    // A timer, so that other timers run as well.
    while (!this.#hasTime()) await setTimeout(0);
  }

  /** Runs a generator to its end; other events are processed between its steps. */
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

/** Runs a generator to its end synchronously. */
export function runToEnd<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
