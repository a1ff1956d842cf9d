import type { Random } from "../../base/clock.js";
import { quoted, type Redactor, serviceWords } from "./secrets.js";
import {
  AuthenticationError,
  CallAbortedError,
  MalformedReplyError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  ServiceError,
  type ServiceFailure,
  ServiceTimeoutError,
  ServiceValidationError,
  UnreachableError,
} from "./service-errors.js";
import type { WireFailure, WireReply } from "./transport.js";

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
