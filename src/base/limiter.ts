/** Runs work in parallel up to a total weight of `width`; the rest waits in order. */
export class Limiter {
  readonly #width: number;
  #free: number;
  readonly #waiting: { readonly weight: number; readonly begin: () => void }[] = [];

  public constructor(width: number) {
    this.#width = width;
    this.#free = width;
  }

  /** @param given weight of the work, default 1; work that weighs more than `width` runs alone */
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
