import { type Clock, type Random, systemClock } from "./clock.js";

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often a call is made at most. Default 6. */
  readonly attempts?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Told before each pause. */
  readonly onRetry?: (() => void) | undefined;
}

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** JSON-RPC's "limit exceeded" (EIP-1474), and what some nodes send in its place. */
const TRANSIENT_CODES: readonly unknown[] = [
  ...[-32005, 429, 503],
  ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT"],
];
const TRANSIENT_STATUSES: readonly unknown[] = [429, 502, 503, 504];

/**
 * Makes a call that may be made again, such as a read, until it answers or fails for good. Pauses double and are
 * shortened by chance, so that many callers do not come back together; a node's `retryAfter` (seconds) is kept.
 *
 * @throws what the last call threw; the signal's reason after an abort
 */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  try {
    return await call();
  } catch (error) {
    return await retryingAfter(error, call, options);
  }
}

/** The same where the call was made once, and threw. */
export async function retryingAfter<T>(thrown: unknown, call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, attempts = ATTEMPTS, clock = systemClock, random = Math.random, onRetry } = options;
  for (let attempt = 1, error = thrown; ; attempt += 1) {
    if (attempt >= attempts || signal?.aborted === true || !isTransient(error)) throw error;
    onRetry?.();
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    await clock.sleep(Math.max(longest * (0.5 + random() / 2), retryAfterMs(error)), signal);
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (again) {
      error = again;
    }
  }
}

/** Whether the same call may well succeed in a moment: the node is busy, or the connection broke. */
export function isTransient(error: unknown): boolean {
  for (let depth = 0, current = error; depth < 6 && typeof current === "object" && current !== null; depth += 1) {
    if (TRANSIENT_CODES.includes(Reflect.get(current, "code"))) return true;
    if (TRANSIENT_STATUSES.includes(Reflect.get(current, "statusCode"))) return true;
    current = Reflect.get(current, "cause") as unknown;
  }
  return false;
}

function retryAfterMs(error: unknown): number {
  const seconds: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "retryAfter") : undefined;
  return typeof seconds === "number" && seconds > 0 ? Math.min(1000 * seconds, LONGEST_PAUSE_MS) : 0;
}
