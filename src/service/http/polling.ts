import {
  type Clock,
  limitedSignal,
  type Random,
  systemClock,
  unlessAborted,
} from "../../base/clock.js";
import type { AwaitOptions } from "../../request/data-processor.js";
import type { ServiceCallOptions } from "./http-client.js";
import { isServiceFailure, type ServiceFailure, serviceFailure } from "./service-errors.js";

/** Options of a wait. The default `timeout` is one hour. */
export interface PollOptions extends Omit<AwaitOptions, "onStatus"> {
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface Poll<T> {
  readonly options: PollOptions;
  /** Makes one call, with at most one request (`attempts: 1`), which ends when the signal aborts. */
  readonly look: (options: ServiceCallOptions) => Promise<T>;
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

/** Calls `look` until `done` is true. @throws ServiceFailure `timeout`, `aborted`; errors of `look` not transient */
export async function poll<T>({ options, ...poll }: Poll<T>): Promise<T> {
  const { clock = systemClock, random = Math.random, timeout = 3_600_000, signal } = options;
  const { what, comeBack } = poll;
  const end = clock.monotonic() + timeout;
  // Leaves time for the answer to the last call.
  const lastPoll = end - Math.min(2_000, timeout / 10);
  let last = "no state was seen";
  let shown: string | undefined;
  const timedOut = (cause?: ServiceFailure): ServiceFailure => {
    const values = { what, timeout: timeout / 1_000, last, comeBack };
    return serviceFailure("HDP-2081", values, { serviceWords: cause?.serviceWords, cause });
  };
  for (let k = 0; ; k++) {
    const limit = limitedSignal(end - clock.monotonic(), signal, clock);
    let seen: { readonly value: T } | undefined;
    let failure: ServiceFailure | undefined;
    try {
      const call = { signal: limit.signal, attempts: 1 };
      if (signal?.aborted !== true) seen = await unlessAborted(poll.look(call), limit.signal);
    } catch (error) {
      if (isServiceFailure(error) && error.transient) failure = error;
      else if (!limit.signal.aborted) throw error;
    } finally {
      limit.release();
    }
    if (seen !== undefined) {
      const text = poll.shownAs(seen.value);
      if (text !== shown) poll.onNew?.(seen.value);
      shown = text;
      if (poll.done(seen.value)) return seen.value;
      last = poll.describe(seen.value);
    } else if (failure !== undefined) options.onTrouble?.(failure);
    else if (limit.expired()) {
      last += ", and the last call was not answered";
      throw timedOut();
    } else throw serviceFailure("HDP-2082", { what: `waiting for ${what}`, comeBack });
    const now = clock.monotonic();
    const asked = failure?.retryAfter ?? 0;
    // The wait ends early if the service asks for a longer pause than the remaining time.
    if (now >= lastPoll || now + asked > lastPoll) throw timedOut(failure);
    // Rounded up: the loop would never end with a remainder below the resolution of the clock.
    const pause = Math.ceil(
      Math.min(Math.max(pauseAfterPoll(k) * (1 + random() / 10), asked), lastPoll - now),
    );
    options.onPause?.({ nextPollAt: clock.now() + pause, timeoutAt: clock.now() + (end - now) });
    await clock.sleep(pause, signal);
  }
}
