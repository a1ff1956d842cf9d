/** How many calls a batch to a node has: fewer after a refusal, and more again while the node answers. */
export class BatchSize {
  #calls: number;
  /** Size of the largest batch that the node accepts, as far as is known. */
  #largest: number;

  public constructor(maxCalls: number) {
    this.#calls = maxCalls;
    this.#largest = maxCalls;
  }

  /** Maximum number of calls of the next batch. */
  public get calls(): number {
    return this.#calls;
  }

  /** Allows one call more, up to the largest size: a node that was busy may accept larger batches again. */
  public grow(): void {
    this.#calls = Math.min(this.#largest, this.#calls + 1);
  }

  /** Halves a batch of `calls` that the node did not answer. */
  public halve(calls: number): void {
    this.#calls = Math.min(this.#calls, Math.ceil(calls / 2));
  }

  /** Keeps the current size as the largest: the node refused a batch for its size, whatever its load. */
  public fix(): void {
    this.#largest = this.#calls;
  }
}
