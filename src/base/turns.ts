import { setImmediate } from "node:timers/promises";

/** Milliseconds of work in one turn of the event loop, before other events are processed. */
export const MAX_TURN = 20;

/** Spreads work over turns of the event loop. */
export class Turns {
  readonly #now: () => number;
  #began: number | undefined;

  public constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Resolves when work may begin, in order: at once if this turn has time left, otherwise in a later turn. */
  public async next(): Promise<void> {
    while (!this.#hasTime()) await setImmediate();
  }

  /** Runs synchronous work when it may begin. Of several long pieces that wait together, each gets a turn of its own. */
  public async run<T>(work: () => T): Promise<T> {
    while (!this.#hasTime()) await setImmediate();
    return work();
  }

  /** Runs a generator to its end; other events are processed between its steps. @throws the signal's reason */
  public async through<T>(work: Generator<undefined, T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      if (!this.#hasTime()) {
        await this.next();
        signal?.throwIfAborted();
      }
      const { done, value } = work.next();
      if (done === true) return value;
    }
  }

  #hasTime(): boolean {
    if (this.#began === undefined) {
      this.#began = this.#now();
      void setImmediate().then(() => (this.#began = undefined));
    }
    return this.#now() - this.#began < MAX_TURN;
  }
}

/** Runs a generator to its end without a pause, and returns its result. */
export function runToEnd<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Runs work in parallel up to a total weight of `width`; the rest waits in order. */
export class Limiter {
  readonly #width: number;
  #free: number;
  readonly #waiting: { readonly weight: number; readonly begin: () => void }[] = [];

  public constructor(width: number) {
    this.#width = width;
    this.#free = width;
  }

  /** Runs work when its turn comes. @param given weight of the work, default 1; work that weighs more than `width` runs alone */
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
    for (
      let next = this.#waiting[0];
      next !== undefined && next.weight <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#free -= next.weight;
      next.begin();
    }
  }
}
