import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { type Clock, limitedSignal, type Random, systemClock, unlessAborted } from "./clock.js";

/** Options of a wait. */
export interface PollOptions {
  /** Milliseconds until the wait gives up. Default 3,600,000, an hour. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each pause, with times in milliseconds since 1970. */
  readonly onPause?:
    ((state: { readonly nextPollAt: number; readonly timeoutAt: number }) => void) | undefined;
  /** Called with each failure that does not end the wait. */
  readonly onTrouble?: ((failure: HdpError) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** A failure after which a poll goes on. */
interface PassingFailure {
  readonly failure: HdpError;
  /** The pause that was asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The values of the messages at the end of a wait. */
interface WaitEnd {
  /** The subject of the wait: `task 01J…`. */
  readonly what: string;
  /** Seconds. */
  readonly timeout: number;
  /** The last state. */
  readonly last: string;
  /** Advice on how to resume the wait. */
  readonly comeBack: string;
}

/** What a poll waits for, whatever it calls. */
export interface PollTarget<T> {
  readonly options: PollOptions;
  /** Called with the first state, and with each later one of which `shownAs` returns another text. */
  readonly onNew: ((seen: T) => void) | undefined;
  readonly shownAs: (seen: T) => string;
  readonly done: (seen: T) => boolean;
  /** The subject of the wait in messages: `task 01J…`. */
  readonly what: string;
  /** Describes the last state for the message at the timeout. */
  readonly describe: (seen: T) => string;
  /** Advice on how to resume the wait after the timeout or an abort. */
  readonly comeBack: string;
}

/** What is polled, and when it is done. */
export interface Poll<T> extends PollTarget<T> {
  /** Makes one call, which ends when the signal aborts. */
  readonly look: (signal: AbortSignal) => Promise<T>;
  /** Returns the failure of an error after which the poll goes on. Without it, every error ends the poll. */
  readonly passing?: ((error: unknown) => PassingFailure | undefined) | undefined;
  /** Returns the error at the timeout; `cause` is the failure of the last call. Default HDP-2081. */
  readonly timedOut?: ((end: WaitEnd, cause: HdpError | undefined) => Error) | undefined;
  /** Returns the error after an abort. Default HDP-2082. */
  readonly aborted?: ((end: WaitEnd) => Error) | undefined;
}

/**
 * Returns the shortest pause after call `k` (from 0), in milliseconds:
 *
 *     k < 10:  500 · 1.35^k                       0.5 s … 7.4 s   (27.3 s in all)
 *     k ≥ 10:  min(300 000, 10 000 + 8 250 · (k − 10))
 *
 * The first 39 pauses (k = 0 … 38) add up to 27.3 + 29 · 10 + 8.25 · 406 = 3 667 s. So at most 39 calls begin within
 * an hour; with the last one just before the timeout these are 40. Pauses never shrink, so no later hour has more. Jitter
 * (up to a tenth) and Retry-After only lengthen a pause.
 */
export function pauseAfterPoll(k: number): number {
  return k < 10 ? 500 * 1.35 ** k : Math.min(300_000, 10_000 + 8_250 * (k - 10));
}

/**
 * Calls `look`, with growing pauses, until `done` is true. Returns what was seen then.
 * @throws HdpError HDP-2081 at the timeout, HDP-2082 after the signal, and errors of `look` that are not passing
 */
export async function poll<T>({ options, ...poll }: Poll<T>): Promise<T> {
  const { clock = systemClock, random = Math.random, timeout = 3_600_000, signal } = options;
  const { what, comeBack, passing, timedOut = waitTimedOut, aborted = waitAborted } = poll;
  const end = clock.monotonic() + timeout;
  // Leaves time for the answer to the last call.
  const lastPoll = end - Math.min(2_000, timeout / 10);
  let last = "no state was seen";
  let shown: string | undefined;
  const ending = (): WaitEnd => ({ what, timeout: Math.round(timeout) / 1_000, last, comeBack });
  for (let k = 0; ; k++) {
    const limit = limitedSignal(end - clock.monotonic(), signal, clock);
    let seen: { readonly value: T } | undefined;
    let trouble: PassingFailure | undefined;
    try {
      if (signal?.aborted !== true)
        seen = await unlessAborted(poll.look(limit.signal), limit.signal);
    } catch (error) {
      trouble = passing?.(error);
      if (trouble === undefined && !limit.signal.aborted) throw error;
    } finally {
      limit.release();
    }
    if (seen !== undefined) {
      const text = poll.shownAs(seen.value);
      if (text !== shown) poll.onNew?.(seen.value);
      shown = text;
      if (poll.done(seen.value)) return seen.value;
      last = poll.describe(seen.value);
    } else if (trouble !== undefined) {
      options.onTrouble?.(trouble.failure);
    } else if (limit.expired()) {
      last += ", and the last call was not answered";
      throw timedOut(ending(), undefined);
    } else {
      throw aborted(ending());
    }
    const now = clock.monotonic();
    const asked = trouble?.retryAfter ?? 0;
    // The wait ends early if the service asks for a longer pause than the remaining time.
    if (now >= lastPoll || now + asked > lastPoll) throw timedOut(ending(), trouble?.failure);
    // Rounded up: the loop would never end with a remainder below the resolution of the clock.
    const pause = Math.ceil(
      Math.min(Math.max(pauseAfterPoll(k) * (1 + random() / 10), asked), lastPoll - now),
    );
    options.onPause?.({ nextPollAt: clock.now() + pause, timeoutAt: clock.now() + (end - now) });
    await clock.sleep(pause, signal);
  }
}

function waitTimedOut({ comeBack, ...end }: WaitEnd, cause: HdpError | undefined): HdpError {
  return hdpError("HDP-2081", end, { hints: [comeBack], cause });
}

function waitAborted({ what, comeBack }: WaitEnd): HdpError {
  return hdpError("HDP-2082", { what: `waiting for ${what}` }, { hints: [comeBack] });
}
