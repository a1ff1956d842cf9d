import type { Random } from "./clock.js";

export interface RetryPolicy {
  /** How often a call is tried in all; 1 never repeats. Default 4. */
  readonly attempts: number;
  /** Mean pause before the first repetition, doubled each time. Default 250 ms. */
  readonly baseMs: number;
  /** Longest pause of the service's own choosing excepted. Default 5 s. */
  readonly capMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, baseMs: 250, capMs: 5_000 };

/** `min(cap, base · 2^(attempt − 1))`, of which a random half to whole is waited. `attempt` counts from 1. */
export function backoffMs(policy: RetryPolicy, attempt: number, random: Random): number {
  const full = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  return full * (0.5 + random() / 2);
}

/** The header `Retry-After`: seconds or an HTTP date. Undefined when absent or unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday; other texts that Date.parse takes ("2", "-1") are no HTTP dates.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
