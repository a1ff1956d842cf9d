interface Pending {
  readonly due: number;
  readonly reject: (reason: unknown) => void;
  readonly lateness: () => Error;
}

/**
 * Calls that wait for an answer and give up at a deadline or with a signal, whether or not what they wait for takes
 * notice of either. One timer and one listener serve all of them: making both for each of 10,000 reads shows.
 */
export class PendingCalls {
  readonly #deadline: number;
  readonly #signal: AbortSignal | undefined;
  readonly #pending = new Set<Pending>();
  #timer: NodeJS.Timeout | undefined;

  /** @param deadline milliseconds that a call may wait; it may be noticed an eighth later */
  public constructor(deadline: number, signal: AbortSignal | undefined) {
    this.#deadline = deadline;
    this.#signal = signal;
  }

  /** @throws what `lateness` makes at the deadline, the signal's reason, otherwise what the work throws */
  public run<T>(work: () => Promise<T>, lateness: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#signal?.throwIfAborted();
      const working = work();
      const pending: Pending = { due: performance.now() + this.#deadline, reject, lateness };
      this.#add(pending);
      working.then(
        (value) => {
          this.#remove(pending);
          resolve(value);
        },
        (error: unknown) => {
          this.#remove(pending);
          reject(error instanceof Error ? error : new Error(String(error), { cause: error }));
        },
      );
    });
  }

  #add(pending: Pending): void {
    this.#pending.add(pending);
    if (this.#pending.size > 1) return;
    this.#signal?.addEventListener("abort", this.#abort);
    this.#timer ??= setInterval(this.#sweep, Math.max(5, Math.min(this.#deadline / 8, 1_000)));
    this.#timer.ref();
  }

  #remove(pending: Pending): void {
    this.#pending.delete(pending);
    if (this.#pending.size > 0) return;
    this.#signal?.removeEventListener("abort", this.#abort);
    // Kept for the next call, and ended by the next sweep if there is none; it must not keep the process from ending.
    this.#timer?.unref();
  }

  readonly #abort = (): void => {
    for (const pending of [...this.#pending]) {
      this.#remove(pending);
      pending.reject(this.#signal?.reason);
    }
  };

  readonly #sweep = (): void => {
    const now = performance.now();
    for (const pending of [...this.#pending]) {
      if (pending.due > now) continue;
      this.#remove(pending);
      pending.reject(pending.lateness());
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}
