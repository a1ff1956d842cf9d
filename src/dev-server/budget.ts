import { setImmediate } from "node:timers/promises";

/** Runs work as long as its weight fits in `width`; more waits, first come, first served. */
export class Limiter {
  readonly #width: number;
  #free: number;
  readonly #waiting: { readonly weight: number; readonly begin: () => void }[] = [];

  public constructor(width: number) {
    this.#width = width;
    this.#free = width;
  }

  /** @param given its weight, default 1; what weighs more than `width` runs alone */
  public async run<T>(work: () => Promise<T>, given = 1): Promise<T> {
    const weight = Math.min(given, this.#width);
    const begun = new Promise<void>((begin) => this.#waiting.push({ weight, begin }));
    this.#beginNext();
    await begun;
    try {
      return await work();
    } finally {
      this.#free += weight;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.weight <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.weight;
      next.begin();
    }
  }
}

/** Milliseconds that a turn of the event loop works before other events have their turn. */
const SLICE = 20;

/** Spreads work over turns of the event loop. */
export class Turns {
  readonly #now: () => number;
  #began: number | undefined;

  /** @param now milliseconds since some moment */
  public constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Resolves when a piece of work may begin: at once while this turn has time, otherwise in a later turn, in order. */
  public async next(): Promise<void> {
    while (!this.#hasTime()) await setImmediate();
  }

  #hasTime(): boolean {
    if (this.#began === undefined) {
      this.#began = this.#now();
      void setImmediate().then(() => (this.#began = undefined));
    }
    return this.#now() - this.#began < SLICE;
  }
}
