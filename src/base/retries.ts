import { isRecord } from "./collections.js";
import { isTransient } from "./node-errors.js";

/** A call dropped after this many failures in a row, during which the node answered no other call. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE = 100;
const MAX_PAUSE = 5_000;
/** Longest accepted `Retry-After`: the queue waits for a limit of a minute, not for one of a day. */
const MAX_RETRY_AFTER = 60_000;

/** The failures of one call of a queue. */
export class Retries {
  /** How often in a row the node was too busy for this call while it answered no other. */
  #failures = 0;
  /** Number of calls of the queue that were answered before the last failure of this one. */
  #answered = 0;

  /**
   * Returns the milliseconds before the call is sent again; undefined to give it up, since the error is final or the node
   * answers nothing any more.
   *
   * @param answered number of calls of the queue that were answered so far
   */
  public pauseAfter(error: unknown, answered: number): number | undefined {
    if (this.#answered !== answered) this.#failures = 0;
    this.#answered = answered;
    if (!isTransient(error) || this.#failures >= MAX_ATTEMPTS - 1) return undefined;
    const pause = pauseAfter(this.#failures, error);
    this.#failures += 1;
    return pause;
  }
}

/** Returns the next pause. Pauses double, with jitter against simultaneous retries, and respect `Retry-After`. */
function pauseAfter(failures: number, error: unknown): number {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failures);
  const seconds =
    isRecord(error) && typeof error["retryAfter"] === "number" ? error["retryAfter"] : 0;
  return Math.max(longest * (0.5 + Math.random() / 2), Math.min(1000 * seconds, MAX_RETRY_AFTER));
}
