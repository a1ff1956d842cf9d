import type { Random } from "../../base/clock.js";
import { HdpError, type HdpErrorOptions } from "../../errors/hdp-error.js";
import { quoted, type Redactor, serviceWords } from "./secrets.js";
import type { WireFailure, WireReply } from "./transport.js";

export type ServiceFailureKind =
  | "configuration"
  | "validation"
  | "authentication"
  | "not-found"
  | "rate-limited"
  | "service-error"
  | "unreachable"
  | "malformed-reply"
  | "timeout"
  | "aborted"
  | "outcome-unknown"
  | "task-failed";

export interface ServiceFailureOptions extends HdpErrorOptions {
  /** Method and address, without query: `GET https://…/tasks/01J…/status`. */
  readonly endpoint?: string | undefined;
  /** HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** What the service said, bounded and redacted. */
  readonly serviceWords?: string | undefined;
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the same call may succeed later without anything being changed. */
  readonly transient?: boolean | undefined;
}

/**
 * Root of the errors of this floor. `message` says what happened, quotes the service and names the next step; no text
 * of it ever holds an API key.
 */
export abstract class ServiceFailure extends HdpError {
  public abstract readonly kind: ServiceFailureKind;
  public readonly endpoint: string | undefined;
  public readonly status: number | undefined;
  public readonly serviceWords: string | undefined;
  public readonly retryAfterMs: number | undefined;
  public readonly transient: boolean;

  public constructor(options: ServiceFailureOptions) {
    const words = options.serviceWords ?? "";
    const quote = words === "" ? [] : [`The service said: "${words}"`];
    super({ ...options, hints: [...quote, ...(options.hints ?? [])] });
    this.endpoint = options.endpoint;
    this.status = options.status;
    this.serviceWords = words === "" ? undefined : words;
    this.retryAfterMs = options.retryAfterMs;
    this.transient = options.transient ?? false;
  }
}

/** The client is set up wrongly: an address or a key that cannot be used. Nothing was sent. */
export class ServiceConfigurationError extends ServiceFailure {
  public readonly kind = "configuration";
}

/** The request is refused: here before it is sent (no `status`), or by the service. */
export class ServiceValidationError extends ServiceFailure {
  public readonly kind = "validation";
}

/** The service answered 401 or 403. */
export class AuthenticationError extends ServiceFailure {
  public readonly kind = "authentication";
}

/** The service knows no such task, program, request or path. */
export class NotFoundError extends ServiceFailure {
  public readonly kind = "not-found";
}

/** The service answered 429; `retryAfterMs` when it said for how long. */
export class RateLimitedError extends ServiceFailure {
  public readonly kind = "rate-limited";
}

/** The service failed (5xx), redirected, or answered a status without a meaning here. */
export class ServiceError extends ServiceFailure {
  public readonly kind = "service-error";
}

/** No connection could be made, or it broke before the answer was complete. */
export class UnreachableError extends ServiceFailure {
  public readonly kind = "unreachable";
}

/** The answer is too large, not JSON, or of another shape. */
export class MalformedReplyError extends ServiceFailure {
  public readonly kind = "malformed-reply";
}

/** A time limit passed: of one call, or of a wait. */
export class ServiceTimeoutError extends ServiceFailure {
  public readonly kind = "timeout";
}

/** The caller's AbortSignal fired. */
export class CallAbortedError extends ServiceFailure {
  public readonly kind = "aborted";
}

/**
 * A request that may cost money was sent and nobody knows whether it was accepted. It is never sent again by itself;
 * the hints say what to check first. `cause` is what went wrong.
 */
export class OutcomeUnknownError extends ServiceFailure {
  public readonly kind = "outcome-unknown";
}

/** The service worked on it and reports failure; `serviceWords` is its message. */
export class TaskFailedError extends ServiceFailure {
  public readonly kind = "task-failed";
}

/** True for an error of this floor (of that kind), also when another installed copy of the package threw it. */
export function isServiceFailure(error: unknown, kind?: ServiceFailureKind): error is ServiceFailure {
  if (!(error instanceof Error) || !("kind" in error) || !("code" in error) || !("transient" in error)) return false;
  if (typeof error.code !== "string" || !/^HDP-2\d{3}$/.test(error.code)) return false;
  return kind === undefined || error.kind === kind;
}

export function isServiceConfigurationError(error: unknown): error is ServiceConfigurationError {
  return isServiceFailure(error, "configuration");
}

export function isServiceValidationError(error: unknown): error is ServiceValidationError {
  return isServiceFailure(error, "validation");
}

export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return isServiceFailure(error, "authentication");
}

export function isNotFoundError(error: unknown): error is NotFoundError {
  return isServiceFailure(error, "not-found");
}

export function isRateLimitedError(error: unknown): error is RateLimitedError {
  return isServiceFailure(error, "rate-limited");
}

export function isServiceError(error: unknown): error is ServiceError {
  return isServiceFailure(error, "service-error");
}

export function isUnreachableError(error: unknown): error is UnreachableError {
  return isServiceFailure(error, "unreachable");
}

export function isMalformedReplyError(error: unknown): error is MalformedReplyError {
  return isServiceFailure(error, "malformed-reply");
}

export function isServiceTimeoutError(error: unknown): error is ServiceTimeoutError {
  return isServiceFailure(error, "timeout");
}

export function isCallAbortedError(error: unknown): error is CallAbortedError {
  return isServiceFailure(error, "aborted");
}

export function isOutcomeUnknownError(error: unknown): error is OutcomeUnknownError {
  return isServiceFailure(error, "outcome-unknown");
}

export function isTaskFailedError(error: unknown): error is TaskFailedError {
  return isServiceFailure(error, "task-failed");
}

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
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday; other texts that Date.parse takes ("2", "-1") are no HTTP dates.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** What an error is about: texts that its sentences need. */
export interface CallContext {
  /** The interface as people call it: "the data processor". */
  readonly service: string;
  /** Method and address without query. */
  readonly endpoint: string;
  /** How the key travels, when the call carries one: `header X-API-KEY`. */
  readonly key: string | undefined;
  readonly redactor: Redactor;
  readonly now: number;
}

/** The error for a reply that is not a success. */
export function failureOfReply(reply: WireReply, context: CallContext): ServiceFailure {
  const { service, endpoint } = context;
  const status = reply.status;
  const retryAfterMs = parseRetryAfter(reply.retryAfter, context.now);
  const common = { endpoint, status, retryAfterMs, serviceWords: serviceWords(reply.text, context.redactor) };
  if (status === 401) {
    return new AuthenticationError({
      code: "HDP-2030",
      message: `${service} refused the call as not authenticated (401) at ${endpoint}.`,
      hints: [
        context.key === undefined
          ? "This call is sent without a key; configure one if this service wants it here."
          : `The key was sent as ${context.key}; check that it is the one of this service and not expired.`,
        "Keys are created in the cloud console of the service.",
      ],
      ...common,
    });
  }
  if (status === 402) {
    return new ServiceError({
      code: "HDP-2032",
      message: `${service} asks for payment before it takes this call (402) at ${endpoint}.`,
      hints: ["Check the credit, the plan and the means of payment of the key's project in the cloud console."],
      ...common,
    });
  }
  if (status === 403) {
    return new AuthenticationError({
      code: "HDP-2031",
      message: `${service} knows the caller but does not allow this call (403) at ${endpoint}.`,
      hints: ["Check what the key's project may do in the cloud console of the service."],
      ...common,
    });
  }
  if (status === 404) {
    return new NotFoundError({
      code: "HDP-2040",
      message: `${service} has nothing at ${endpoint} (404).`,
      hints: ["Check the id, and that the configured address and edition belong to this service."],
      ...common,
    });
  }
  if (status === 410) {
    return new NotFoundError({
      code: "HDP-2042",
      message: `${service} no longer serves ${endpoint} (410).`,
      hints: ["The path is retired there: choose the edition that the service speaks."],
      ...common,
    });
  }
  if (status === 429) {
    return new RateLimitedError({
      code: "HDP-2050",
      message: `${service} limits the rate of calls (429) at ${endpoint}.`,
      hints: [
        retryAfterMs === undefined
          ? "It does not say for how long; call again later."
          : `It asks to wait ${Math.ceil(retryAfterMs / 1_000)} s before the next call.`,
      ],
      transient: true,
      ...common,
    });
  }
  if (status >= 300 && status < 400) {
    return new ServiceError({
      code: "HDP-2062",
      message: `${service} redirects ${endpoint} (${status})${target(reply, context)}.`,
      hints: [
        "Redirects are not followed: the key would go to an address nobody configured.",
        "If you trust the new address, configure it.",
      ],
      ...common,
    });
  }
  if (status === 400 || status === 413 || status === 415 || status === 422) {
    return new ServiceValidationError({
      code: "HDP-2022",
      message: `${service} refused the request as invalid (${status}) at ${endpoint}.`,
      hints: ["Nothing was accepted. Correct the request, or choose the edition that the service speaks."],
      ...common,
    });
  }
  if (status >= 500) {
    return new ServiceError({
      code: "HDP-2060",
      message: `${service} failed (${status}) at ${endpoint}.`,
      hints: ["The fault is on the service's side; call again later."],
      transient: true,
      ...common,
    });
  }
  return new ServiceError({
    code: "HDP-2061",
    message: `${service} answered ${status} at ${endpoint}, which has no meaning here.`,
    hints: ["Check that the configured address and edition belong to this service."],
    ...common,
  });
}

/** The error for a call without a (complete) reply. */
export function failureOfWire(failure: WireFailure, context: CallContext): ServiceFailure {
  const { service, endpoint, redactor } = context;
  const words = quoted(failure.message, redactor);
  const because = words.includes(failure.code) ? words : `${failure.code}, ${words}`;
  switch (failure.reason) {
    case "not-sent":
      return new UnreachableError({
        code: "HDP-2063",
        message: `no connection to ${service} for ${endpoint} (${because}).`,
        hints: ["Nothing was sent. Check the configured address, and that the service can be reached from here."],
        endpoint,
        transient: true,
      });
    case "broken":
      return new UnreachableError({
        code: "HDP-2064",
        message: `the connection to ${service} broke during ${endpoint} (${because}).`,
        hints: ["No complete answer arrived; call again later."],
        endpoint,
        transient: true,
      });
    case "not-http":
      return new MalformedReplyError({
        code: "HDP-2073",
        message: `what answers at ${endpoint} does not speak HTTP (${because}).`,
        hints: ["Check the configured address, its scheme (http or https) and its port."],
        endpoint,
      });
    case "too-large":
      return new MalformedReplyError({
        code: "HDP-2072",
        message: `the answer of ${service} to ${endpoint} is too large: ${because}.`,
        hints: ["The rest was not read. Raise maxReplyBytes if such an answer is expected."],
        endpoint,
      });
    case "timed-out":
      return new ServiceTimeoutError({
        code: "HDP-2080",
        message: `${service} gave ${because} at ${endpoint}.`,
        hints: ["Call again later, or allow more time with timeouts.attemptMs and timeouts.totalMs."],
        endpoint,
        transient: true,
      });
    case "aborted":
      return abortedCall(context);
  }
}

export function abortedCall(context: Pick<CallContext, "endpoint">): CallAbortedError {
  return new CallAbortedError({
    code: "HDP-2082",
    message: `${context.endpoint} was aborted by the caller.`,
    hints: ["Nothing more is sent."],
    endpoint: context.endpoint,
  });
}

/** Says of a call that must not be sent twice that nobody knows whether it took effect. */
export function outcomeUnknown(failure: ServiceFailure, check: string, context: CallContext): OutcomeUnknownError {
  return new OutcomeUnknownError({
    code: "HDP-2090",
    message: `it is unknown whether ${context.service} accepted ${context.endpoint}: ${withoutEndpoint(failure.shortMessage, context.endpoint)}`,
    hints: ["It was not sent again, as it may cost money twice.", check],
    endpoint: context.endpoint,
    status: failure.status,
    serviceWords: failure.serviceWords,
    cause: failure,
  });
}

/** The sentence of a failure inside one that names the endpoint already. */
function withoutEndpoint(sentence: string, endpoint: string): string {
  return sentence.replace(` at ${endpoint}`, "").replaceAll(endpoint, "the call");
}

function target(reply: WireReply, context: CallContext): string {
  return reply.location === undefined ? "" : ` to ${quoted(reply.location.replace(/\?.*$/, ""), context.redactor)}`;
}
