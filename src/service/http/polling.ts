import { type Clock, limitedSignal, type Random, systemClock, unlessAborted } from "../../base/clock.js";
import { CallAbortedError, isServiceFailure, type ServiceFailure, ServiceTimeoutError } from "./service-errors.js";
import type { ServiceCallOptions } from "./http-client.js";

export interface WaitOptions {
  /** The wait ends after this many milliseconds, whatever happens. Default one hour. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of failures that waiting goes on after: rate limits, broken connections, failing service. */
  readonly onTrouble?: ((failure: ServiceFailure) => void) | undefined;
  /** Told before each pause when the next look is and when the wait ends, in milliseconds of the clock. */
  readonly onPause?: ((state: { readonly nextLookAt: number; readonly limitAt: number }) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface Poll<T> {
  /** One look. It must send at most one request (`attempts: 1`) and stop when the signal aborts. */
  readonly look: (options: ServiceCallOptions) => Promise<T>;
  /** Whether waiting is over. */
  readonly done: (seen: T) => boolean;
  /** What is waited for, as it stands in messages: `task 01J…`. */
  readonly what: string;
  /** How it last looked, for the time limit's message. */
  readonly describe: (seen: T) => string;
  /** How to come back, after the time limit or an abort. */
  readonly comeBack: string;
}

const DEFAULT_WAIT_MS = 3_600_000;

const FIRST_MS = 500;
const GROWTH = 1.35;
/** 0.5 s · 1.35^10 = 10.05 s: the tenth pause is where growing by a factor ends. */
const QUICK_PAUSES = 10;
const QUICK_LIMIT_MS = 10_000;
const STEP_MS = 8_250;
const LIMIT_MS = 300_000;

/**
 * The shortest pause after look `k` (from 0), in milliseconds:
 *
 *     k < 10:  500 · 1.35^k                       0.5 s … 7.4 s   (27.3 s in all)
 *     k ≥ 10:  min(300 000, 10 000 + 8 250 · (k − 10))
 *
 * The first 39 pauses (k = 0 … 38) add up to 27.3 + 29 · 10 + 8.25 · 406 = 3 667 s. So at most 39 looks begin within
 * an hour; with the last look that is taken just before the limit these are 40. Pauses never shrink, so no later hour
 * has more. Jitter (up to a tenth) and Retry-After only lengthen a pause.
 */
export function pauseAfterLook(k: number): number {
  if (k < QUICK_PAUSES) return FIRST_MS * GROWTH ** k;
  return Math.min(LIMIT_MS, QUICK_LIMIT_MS + STEP_MS * (k - QUICK_PAUSES));
}

/** Looks until done. Ends by its time limit with a ServiceTimeoutError, by its signal with a CallAbortedError. */
export async function poll<T>(poll: Poll<T>, options: WaitOptions): Promise<T> {
  const { clock = systemClock, random = Math.random, timeoutMs = DEFAULT_WAIT_MS, signal } = options;
  const deadline = clock.now() + timeoutMs;
  // Time for the last look to be answered in.
  const lastLook = deadline - Math.min(2_000, timeoutMs / 10);
  let last = "it was never seen";
  for (let k = 0; ; k++) {
    const seen = await lookOnce(poll, deadline - clock.now(), signal);
    let asked = 0;
    if (seen.failure === undefined) {
      if (poll.done(seen.value)) return seen.value;
      last = poll.describe(seen.value);
    } else {
      options.onTrouble?.(seen.failure);
      asked = seen.failure.retryAfterMs ?? 0;
    }
    const now = clock.now();
    const pause = Math.max(pauseAfterLook(k) * (1 + random() / 10), asked);
    // Where the service asks for a longer pause than there is time, there is no last look.
    if (now >= lastLook || now + asked > lastLook) throw timedOut(poll, timeoutMs, last, seen.failure);
    const wait = Math.min(pause, lastLook - now);
    options.onPause?.({ nextLookAt: now + wait, limitAt: deadline });
    await clock.sleep(wait, signal);
  }
}

type Look<T> = { readonly value: T; readonly failure?: undefined } | { readonly failure: ServiceFailure };

async function lookOnce<T>(poll: Poll<T>, leftMs: number, signal: AbortSignal | undefined): Promise<Look<T>> {
  if (signal?.aborted === true) throw aborted(poll);
  const limit = limitedSignal(leftMs, signal);
  try {
    const seen = await unlessAborted(poll.look({ signal: limit.signal, attempts: 1 }), limit.signal);
    if (seen !== undefined) return seen;
  } catch (error) {
    if (isServiceFailure(error) && error.transient) return { failure: error };
    if (!limit.signal.aborted) throw error;
  } finally {
    limit.release();
  }
  if (limit.expired()) return { failure: lookTimedOut(poll) };
  throw aborted(poll);
}

function lookTimedOut(poll: Pick<Poll<unknown>, "what">): ServiceTimeoutError {
  return new ServiceTimeoutError({
    code: "HDP-2083",
    message: `the last look at ${poll.what} was not answered before the wait's limit.`,
    retryAfterMs: Number.POSITIVE_INFINITY,
    transient: true,
  });
}

function timedOut(
  poll: Pick<Poll<unknown>, "what" | "comeBack">,
  timeoutMs: number,
  last: string,
  cause: ServiceFailure | undefined,
): ServiceTimeoutError {
  return new ServiceTimeoutError({
    code: "HDP-2081",
    message: `waiting for ${poll.what} ended after its limit of ${timeoutMs / 1_000} s; ${last}.`,
    hints: ["It goes on without being watched.", poll.comeBack],
    serviceWords: cause?.serviceWords,
    cause,
  });
}

function aborted(poll: Pick<Poll<unknown>, "what" | "comeBack">): CallAbortedError {
  return new CallAbortedError({
    code: "HDP-2084",
    message: `waiting for ${poll.what} was stopped by the caller.`,
    hints: ["It goes on without being watched.", poll.comeBack],
  });
}
