import { HdpError, type HdpErrorOptions } from "../../base/errors.js";

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
