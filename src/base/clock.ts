import { setTimeout as pause } from "node:timers/promises";

/** The source of time. Tests pass a clock that skips hours in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970, as the machine's clock is set: for dates, never for timeouts. */
  now(): number;
  /** Milliseconds since some moment. Setting the machine's clock does not change it: for timeouts. */
  monotonic(): number;
  /** Resolves after `ms`, or as soon as the signal aborts: callers check the signal afterwards. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after `ms`, at most 24 days. Returns a function that cancels the call. */
  after(ms: number, act: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    pause(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined),
};

/** A number in [0, 1), as Math.random gives it. */
export type Random = () => number;

/** Returns a signal that follows `parent` and aborts after `ms` milliseconds. `release` stops the timer. */
export function limitedSignal(
  ms: number,
  parent: AbortSignal | undefined,
  clock: Clock = systemClock,
): { readonly signal: AbortSignal; readonly expired: () => boolean; readonly release: () => void } {
  const controller = new AbortController();
  let expired = false;
  const cancel = clock.after(ms, () => {
    expired = true;
    controller.abort();
  });
  const follow = (): void => controller.abort();
  if (parent?.aborted === true) follow();
  parent?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    release: () => {
      cancel();
      parent?.removeEventListener("abort", follow);
    },
  };
}

/** The longest delay of a timer, in milliseconds: Node fires a longer one at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Returns the result of `work`, or undefined as soon as the signal aborts, even if the work ignores the signal. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<{ value: T } | undefined> {
  if (signal === undefined) return { value: await work };
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => resolve(undefined);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work.then((value) => ({ value })), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Returns the milliseconds of a `Retry-After`: seconds or an HTTP date. Undefined if absent or invalid. */
export function pauseIn(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday; other texts that Date.parse accepts ("2", "-1") are not HTTP dates.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
