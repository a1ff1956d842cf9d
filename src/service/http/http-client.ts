import type { Dispatcher, FormData } from "undici";
import { ZodError } from "zod";

import { type Clock, type Random, systemClock, unlessAborted } from "../../base/clock.js";
import { suggested } from "../../errors/suggested.js";
import type { CallOptions } from "../../request/lifecycle.js";
import { ApiKey, baseAddress, callAddress, type KeyPlacement } from "./endpoint.js";
import {
  abortedCall,
  backoffMs,
  type CallContext,
  DEFAULT_RETRY,
  failureOfReply,
  failureOfWire,
  MalformedReplyError,
  outcomeUnknown,
  type RetryPolicy,
  type ServiceFailure,
} from "./service-errors.js";
import { type KeySource, quoted } from "./secrets.js";
import { sendOnce, type WireReply } from "./transport.js";

/** One call as an edition describes it: everything but the address of the service and the key. */
export interface HttpRequestParts {
  readonly method: "GET" | "POST";
  /** Segments below the base address; each is percent-encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Body, sent as multipart form; made anew for each attempt. */
  readonly form?: () => Promise<FormData>;
  /** Where the key goes; absent on calls that need none. */
  readonly key?: KeyPlacement;
  /** Set on a call that may cost money or acts once: the sentence that says what to check when its outcome is unknown. */
  readonly once?: string;
  /** True for a failing status that is an answer all the same: it is parsed, not retried. */
  readonly settles?: (status: number, text: string) => boolean;
}

export interface HttpReply {
  readonly status: number;
  /** The body, with keys taken out. */
  readonly text: string;
  /** The body as JSON, with keys taken out. Throws a MalformedReplyError when it is none. */
  json(): unknown;
}

export interface HttpTimeouts {
  /** One attempt, from connecting to the last byte. Default 30 s. */
  readonly attemptMs: number;
  /** The call with its retries and pauses. Default 90 s. */
  readonly totalMs: number;
}

export interface HttpClientOptions {
  /** The interface as people call it, for messages: "the data processor". */
  readonly service: string;
  /** Base address, http or https, without query and credentials. */
  readonly url: string;
  readonly apiKey?: KeySource | undefined;
  /** The Hardhat network it is configured for, which commands that errors suggest then name. */
  readonly network?: string | undefined;
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Bound on a reply's body. Default 16 MiB. */
  readonly maxReplyBytes?: number | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface ServiceCallOptions extends CallOptions {
  /** Goes along as `Idempotency-Key`: a service that knows the header answers the same key as it did the first time. */
  readonly idempotencyKey?: string | undefined;
  /** Attempts of this call in place of the client's; a polling loop, which repeats anyway, gives 1. */
  readonly attempts?: number;
}

/** The one way in which this package talks HTTP. See docs/service.md for what is retried when. */
export class HttpClient {
  readonly #service: string;
  readonly #network: string | undefined;
  readonly #base: URL;
  readonly #key: ApiKey;
  readonly #timeouts: HttpTimeouts;
  readonly #retry: RetryPolicy;
  readonly #maxReplyBytes: number;
  readonly #dispatcher: Dispatcher | undefined;
  readonly #clock: Clock;
  readonly #random: Random;

  /** Throws a ServiceConfigurationError when the address cannot be used. Sends nothing and reads no key. */
  public constructor(options: HttpClientOptions) {
    this.#service = options.service;
    this.#network = options.network;
    this.#base = baseAddress(options.url, options.service);
    this.#key = new ApiKey(options.service, options.apiKey);
    this.#timeouts = { attemptMs: 30_000, totalMs: 90_000, ...options.timeouts };
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#maxReplyBytes = options.maxReplyBytes ?? 16 * 1024 * 1024;
    this.#dispatcher = options.dispatcher;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  /** Sends, and hands the reply to `parse`; what `parse` (zod) rejects becomes a MalformedReplyError. */
  public async call<T>(
    parts: HttpRequestParts,
    parse: (reply: HttpReply) => T,
    options: ServiceCallOptions = {},
  ): Promise<T> {
    const url = callAddress(this.#base, parts);
    const endpoint = `${parts.method} ${url.origin}${url.pathname}`;
    const reply = await this.#send(parts, url, endpoint, options);
    try {
      const text = this.#key.redactor.redactText(reply.text);
      const json = (): unknown => {
        const value = this.#json(reply, endpoint);
        return text === reply.text ? value : this.#key.redactor.redactValue(value);
      };
      return parse({ status: reply.status, text, json });
    } catch (error) {
      const failure = error instanceof ZodError ? this.#wrongShape(error, reply, endpoint) : error;
      if (parts.once === undefined || !(failure instanceof MalformedReplyError)) throw failure;
      throw outcomeUnknown(failure, parts.once, this.#context(parts, endpoint));
    }
  }

  /** Text of this service's as it may stand in a message: on one line, bounded, without pieces of the key. */
  public quote(text: string): string {
    return quoted(text, this.#key.redactor);
  }

  /** A command that a person can paste, on the network that this client is configured for. */
  public suggest(command: string, args: readonly string[]): string {
    return suggested(command, args, { network: this.#network });
  }

  async #send(
    parts: HttpRequestParts,
    address: URL,
    endpoint: string,
    options: ServiceCallOptions,
  ): Promise<WireReply> {
    const { signal } = options;
    const { url, headers } = await this.#authorize(parts, address, endpoint, options);
    // Reading a key may ask a person for a password: the time limit starts after it.
    const started = this.#clock.now();
    const attempts = options.attempts ?? this.#retry.attempts;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted === true) throw abortedCall({ endpoint });
      const left = this.#timeouts.totalMs - (this.#clock.now() - started);
      const outcome = await sendOnce({
        method: parts.method,
        url,
        headers,
        body: parts.form === undefined ? jsonBody(parts) : await parts.form(),
        timeoutMs: Math.min(this.#timeouts.attemptMs, left),
        maxBytes: this.#maxReplyBytes,
        signal,
        dispatcher: this.#dispatcher,
      });
      const context = this.#context(parts, endpoint);
      if (
        outcome.type === "reply" &&
        (outcome.status < 300 || parts.settles?.(outcome.status, outcome.text) === true)
      ) {
        return outcome;
      }
      const failure = outcome.type === "reply" ? failureOfReply(outcome, context) : failureOfWire(outcome, context);
      if (parts.once !== undefined && !wasRefused(failure)) throw outcomeUnknown(failure, parts.once, context);
      // Of what costs money only a rate limit is tried again by itself: whether to send it later is the caller's choice.
      if (parts.once !== undefined && failure.status !== 429) throw failure;
      const pause = Math.max(backoffMs(this.#retry, attempt, this.#random), failure.retryAfterMs ?? 0);
      const elapsed = this.#clock.now() - started;
      if (!failure.transient || attempt >= attempts || elapsed + pause >= this.#timeouts.totalMs) throw failure;
      await this.#clock.sleep(pause, signal);
    }
  }

  async #authorize(
    parts: HttpRequestParts,
    address: URL,
    endpoint: string,
    options: ServiceCallOptions,
  ): Promise<{ readonly url: URL; readonly headers: Record<string, string> }> {
    const { signal, idempotencyKey } = options;
    const headers: Record<string, string> = { accept: "application/json, text/plain;q=0.9" };
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    if (parts.json !== undefined) headers["content-type"] = "application/json";
    if (signal?.aborted === true) throw abortedCall({ endpoint });
    if (parts.key === undefined) return { url: address, headers };
    const key = await unlessAborted(this.#key.read(), signal);
    if (key === undefined) throw abortedCall({ endpoint });
    const secret = key.value.expose();
    if (parts.key.in === "header") return { url: address, headers: { ...headers, [parts.key.name]: secret } };
    const url = new URL(address);
    url.searchParams.set(parts.key.name, secret);
    return { url, headers };
  }

  #context(parts: HttpRequestParts, endpoint: string): CallContext {
    return {
      service: this.#service,
      endpoint,
      key: parts.key === undefined ? undefined : `${parts.key.in} ${parts.key.name}`,
      redactor: this.#key.redactor,
      now: this.#clock.now(),
    };
  }

  #json(reply: WireReply, endpoint: string): unknown {
    try {
      return JSON.parse(reply.text);
    } catch {
      throw new MalformedReplyError({
        code: "HDP-2070",
        message: `the answer of ${this.#service} to ${endpoint} is not JSON (${this.#describe(reply)}).`,
        hints: ["Check that the configured address belongs to this service."],
        endpoint,
        status: reply.status,
        serviceWords: quoted(reply.text, this.#key.redactor),
      });
    }
  }

  #wrongShape(error: ZodError, reply: WireReply, endpoint: string): ServiceFailure {
    const issues = error.issues.map((issue) => `${issue.path.join(".") || "the body"}: ${issue.message}`);
    return new MalformedReplyError({
      code: "HDP-2071",
      message: `the answer of ${this.#service} to ${endpoint} has another shape: ${quoted(issues.join("; "), this.#key.redactor)}.`,
      hints: ["Check that the configured edition is the one this service speaks."],
      endpoint,
      status: reply.status,
      serviceWords: quoted(reply.text, this.#key.redactor),
    });
  }

  #describe(reply: WireReply): string {
    const type = reply.contentType === "" ? "no content type" : quoted(reply.contentType, this.#key.redactor);
    return `${type}, ${reply.text.length} characters`;
  }
}

function jsonBody(parts: HttpRequestParts): string | undefined {
  return parts.json === undefined ? undefined : JSON.stringify(parts.json);
}

/** Statuses with which a service says that it did not take a request; behind every other one it may have. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 413, 415, 422, 429]);

/** Whether it is certain that the service did not take the request: it said so, or not a byte of it left. */
function wasRefused({ code, status }: ServiceFailure): boolean {
  return code === "HDP-2063" || REFUSALS.has(status);
}
