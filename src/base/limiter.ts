/** Runs at most `width` pieces of work at once; others wait, first come, first served. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  public constructor(width: number) {
    this.#free = width;
  }

  public async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
