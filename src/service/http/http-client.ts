import type { Dispatcher, FormData } from "undici";
import { ZodError } from "zod";

import { type Clock, type Random, systemClock, unlessAborted } from "../../base/clock.js";
import { excessOfValues } from "../../base/json.js";
import { SERVICE_ADDRESS, serviceAddressFault } from "../../base/loopback.js";
import { learnAddress, SECRETS } from "../../errors/secrets.js";
import { isHdpError, suggested } from "../../errors/hdp-error.js";
import type { CallOptions } from "../../request/data-processor.js";
import { textWithoutKeys, withoutKeys } from "./reply-values.js";
import {
  type CallContext,
  callValues,
  failureOfNode,
  failureOfReply,
  isServiceFailure,
  outcomeUnknown,
  quoted,
  serviceFailure,
  ServiceFailure,
  type ServiceSettings,
  type WireReply,
  withHint,
} from "./service-errors.js";
import { type PreparedRequest, sendAttempt } from "./transport.js";

/** Returns an API key. Called before the first request with a key, once per client; again after a failure. */
export type KeySource = () => Promise<string>;

/** Where a call has its key. */
export interface KeyPlacement {
  readonly in: "header" | "query";
  readonly name: string;
  /** Word before the key in the header's value. */
  readonly scheme?: "Bearer";
}

/** The endpoint of a call, and where its key goes. */
export interface EndpointCall {
  readonly method: "GET" | "POST" | "PATCH";
  /** Segments below the base address; each is percent-encoded. */
  readonly path: readonly string[];
  /** Placement of the key; absent for calls without a key. */
  readonly key?: KeyPlacement;
}

/** One call, without the base address and the key. */
export interface HttpRequestParts extends EndpointCall {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Body, sent as a multipart form. */
  readonly form?: FormData;
  /** Set for a call that may cost money or must not be repeated: the advice if its outcome is unknown. */
  readonly once?: string;
  /** Returns true for an error status whose body is a valid answer, which is parsed instead of retried. */
  readonly settles?: (status: number, text: string) => boolean;
}

/** A reply to a call. */
export interface HttpReply {
  readonly status: number;
  /** The body without keys, except that a lone word stays, which may be a state. */
  readonly text: string;
  /** Returns the body as JSON without keys. Throws a ServiceFailure (`malformed-reply`) if it is not JSON. */
  json(): unknown;
  /** Returns the body as JSON as it came, for a reply whose keys are wanted. Throws as `json`. */
  jsonWithKeys(): unknown;
}

/** How often and after which pauses a failed call is repeated. */
export interface RetryPolicy {
  /** Maximum number of attempts; 1 never repeats. Default 4. */
  readonly attempts: number;
  /** Maximum first pause in milliseconds, doubled for each retry. Default 250. */
  readonly firstPause: number;
  /** Maximum pause in milliseconds, unless the service asks for a longer one. Default 5,000. */
  readonly maxPause: number;
}

/** Address and limits of the calls to a service. */
export interface HttpCallOptions {
  /** Base address, http or https, without query and credentials. */
  readonly url: string;
  /** The Hardhat network of the configuration, for commands that errors suggest. */
  readonly network?: string | undefined;
  /** Where the project configures the service, for errors. */
  readonly settings?: ServiceSettings | undefined;
  /** Milliseconds for a call with its retries and pauses. Default 90,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for one attempt, from connecting to the last byte. Default 30,000. */
  readonly attemptTimeout?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Maximum size of a reply's body, in bytes. Default 16 MiB. */
  readonly maxReplyBytes?: number | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** Options of {@link HttpClient}. */
export interface HttpClientOptions extends HttpCallOptions {
  /** Name of the interface in messages: "the data processor". */
  readonly service: string;
  readonly apiKey?: KeySource | undefined;
}

/** Options of one call. */
export interface ServiceCallOptions extends CallOptions {
  /** Sent as `Idempotency-Key`: a service that supports the header repeats its first answer to the same key. */
  readonly idempotencyKey?: string | undefined;
  /** Asked before the call is repeated after a rate limit: false ends it with that answer, which accepted nothing. */
  readonly mayRepeat?: (() => boolean) | undefined;
  /** Maximum number of attempts of this call; a polling loop passes 1. Default: the client's. */
  readonly attempts?: number;
}

const DEFAULT_RETRY: RetryPolicy = { attempts: 4, firstPause: 250, maxPause: 5_000 };

/** Sends calls to one service with timeouts, retries and redaction. See docs/service.md for the rules of retries. */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #key: KeySource;
  readonly #clock: Clock;
  readonly #retry: RetryPolicy;

  /** Throws a ServiceFailure (`configuration`) for an unusable address. Does not send requests or read the key. */
  public constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#base = baseAddress(learnAddress(options.url), options);
    this.#key = keyReader(options);
    this.#clock = options.clock ?? systemClock;
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
  }

  /** Sends a call and parses its reply. @throws ServiceFailure; `malformed-reply` for a ZodError of `parse` */
  public async call<T>(
    parts: HttpRequestParts,
    parse: (reply: HttpReply) => T,
    options: ServiceCallOptions = {},
  ): Promise<T> {
    const url = callAddress(this.#base, parts);
    const context: CallContext = {
      service: this.#options.service,
      settings: this.#options.settings,
      endpoint: SECRETS.redact(`${parts.method} ${url.origin}${url.pathname}`),
      key: parts.key && `${parts.key.in} ${parts.key.name}`,
    };
    const reply = await this.#send(parts, url, context, options);
    try {
      return parse({
        status: reply.status,
        get text() {
          return textWithoutKeys(reply.text, true);
        },
        json: () => readJson(reply, context).withoutKeys,
        jsonWithKeys: () => readJson(reply, context).withKeys,
      });
    } catch (error) {
      const failure =
        error instanceof ZodError ? unusable(shapeFault(error), reply, context) : error;
      if (parts.once === undefined || !isServiceFailure(failure, "malformed-reply")) throw failure;
      throw outcomeUnknown(failure, parts.once, context);
    }
  }

  /** Reads the key, so that an unusable one is reported before anything is sent or recorded. */
  public async requireKey(): Promise<void> {
    await this.#key();
  }

  /** Returns a command that can be pasted, for the network of this client's configuration. */
  public suggest(command: string, args: readonly string[]): string {
    return suggested(command, args, { network: this.#options.network });
  }

  /** Sends a call, again after failures that may pass, until it has a reply. @throws ServiceFailure the last failure */
  async #send(
    parts: HttpRequestParts,
    url: URL,
    context: CallContext,
    call: ServiceCallOptions,
  ): Promise<WireReply> {
    const { signal } = call;
    const { timeout = 90_000, attemptTimeout = 30_000 } = this.#options;
    const { endpoint } = context;
    const wire = await this.#prepared(parts, url, call);
    // The timeout starts after the key is read, which may prompt for a password.
    const end = this.#clock.monotonic() + timeout;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted === true)
        throw serviceFailure("HDP-2082", { what: endpoint }, { endpoint });
      const timeLeft = Math.min(attemptTimeout, end - this.#clock.monotonic());
      const outcome = await sendAttempt({ ...wire, timeout: timeLeft }, context);
      const isReply = !(outcome instanceof ServiceFailure);
      const ofNode = isReply ? failureOfNode(outcome, context) : undefined;
      if (ofNode !== undefined) throw ofNode;
      if (
        isReply &&
        (outcome.status < 300 || parts.settles?.(outcome.status, outcome.text) === true)
      )
        return outcome;
      const failure = isReply ? failureOfReply(outcome, context, this.#clock.now()) : outcome;
      if (parts.once !== undefined && !wasRefused(failure))
        throw outcomeUnknown(failure, parts.once, context);
      // Calls that cost money are only retried after a rate limit; other retries are left to the caller.
      if (parts.once !== undefined && failure.status !== 429) throw failure;
      const pause = Math.max(this.#backoff(attempt), failure.retryAfter ?? 0);
      const isLast =
        attempt >= (call.attempts ?? this.#retry.attempts) ||
        this.#clock.monotonic() + pause >= end;
      if (!failure.transient || isLast) throw failure;
      await this.#clock.sleep(pause, signal);
      if (call.mayRepeat?.() === false) throw withHint(failure, SUPERSEDED);
    }
  }

  /** Returns the request of all attempts, with the key. */
  async #prepared(
    parts: HttpRequestParts,
    url: URL,
    { signal, idempotencyKey }: ServiceCallOptions,
  ): Promise<PreparedRequest> {
    const { maxReplyBytes: maxBytes = 16 * 1024 * 1024, dispatcher } = this.#options;
    const { method, json, form, key } = parts;
    const headers: Record<string, string | undefined> = {
      accept: "application/json, text/plain;q=0.9",
      "idempotency-key": idempotencyKey,
      "content-type": json === undefined ? undefined : "application/json",
    };
    if (key !== undefined && signal?.aborted !== true) {
      // Undefined only once the signal has aborted: then nothing is sent.
      const read = await unlessAborted(this.#key(), signal);
      if (key.in === "header") headers[key.name] = headerValue(key, read?.value);
      else url.searchParams.set(key.name, read?.value ?? "");
    }
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
    return { method, url, headers, body, maxBytes, signal, dispatcher, clock: this.#clock };
  }

  /** Returns the pause after a failed attempt: it doubles, with jitter. */
  #backoff(attempt: number): number {
    const { firstPause, maxPause } = this.#retry;
    const random = this.#options.random ?? Math.random;
    return Math.min(maxPause, firstPause * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  }
}

function headerValue({ scheme }: KeyPlacement, key: string | undefined): string | undefined {
  return scheme === undefined || key === undefined ? key : `${scheme} ${key}`;
}

const SUPERSEDED =
  "It was not repeated: the same was sent by force meanwhile. npx hardhat hdp list shows it.";

/** Statuses that mean that the service did not accept the request; after any other it may have accepted it. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 413, 415, 422, 429]);

/** Returns whether the service certainly did not accept the request: by its status, or because no byte was sent. */
function wasRefused({ code, status }: ServiceFailure): boolean {
  return code === "HDP-2063" || REFUSALS.has(status);
}

/** Maximum number of JSON values in a reply, far more than any task's inputs or outputs. */
const MAX_REPLY_VALUES = 200_000;

/** A body in both forms. */
interface ReplyJson {
  readonly withKeys: unknown;
  readonly withoutKeys: unknown;
}

function readJson(reply: WireReply, context: CallContext): ReplyJson {
  const excess = excessOfValues(reply.text, MAX_REPLY_VALUES);
  if (excess !== undefined) throw unusable(excess, reply, context);
  try {
    const withKeys: unknown = JSON.parse(reply.text);
    // Also for a caller that wants the keys: whoever walks through it after this finds it no deeper than this did.
    return { withKeys, withoutKeys: withoutKeys(withKeys) };
  } catch (error) {
    const { contentType, text } = reply;
    const type = contentType === "" ? "no content type" : quoted(contentType);
    const fault = error instanceof RangeError ? "it is nested too deeply" : "it is not JSON";
    throw unusable(`${fault} (${type}, ${text.length} characters)`, reply, context);
  }
}

function shapeFault({ issues }: ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`)
    .join("; ");
}

function unusable(
  fault: string,
  { status, text }: WireReply,
  context: CallContext,
): ServiceFailure {
  const { endpoint } = context;
  const values = { ...callValues(context), reason: quoted(fault) };
  return serviceFailure("HDP-2070", values, { endpoint, status, serviceWords: quoted(text) });
}

/** Parses the base address of a service. Errors do not quote it, as it may contain a password or a key. */
function baseAddress(text: string, { service, settings }: HttpClientOptions): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const reason = url === undefined ? "it is not an address" : serviceAddressFault(url);
  if (url !== undefined && reason === undefined) return url;
  const values = { what: "address of", service, reason, allowed: SERVICE_ADDRESS };
  throw serviceFailure("HDP-2010", values, { path: settings?.url });
}

/** Returns the address of one call: the base's path, then each segment percent-encoded. */
function callAddress(base: URL, { path, query = {} }: HttpRequestParts): URL {
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...path.map(segment)].join("/");
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw serviceFailure("HDP-2025", { id });
  return encodeURIComponent(id);
}

/** Returns a reader of a client's key, which caches it and has it redacted. Failures are not cached. */
function keyReader(options: HttpClientOptions): KeySource {
  let key: Promise<string> | undefined;
  return async () => {
    key ??= readKey(options).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return await key;
  };
}

/** Returns the API key of a client. @throws ServiceFailure HDP-2003 where there is none; other errors say what is wrong with it */
async function readKey({ service, settings, apiKey: source }: HttpClientOptions): Promise<string> {
  const hint = (text: string) => ({ hints: [`${text} Nothing was sent.`] });
  const values = {
    what: "API key",
    service,
    reason: undefined,
    variable: undefined,
    keystore: undefined,
    login: undefined,
  };
  if (source === undefined)
    throw serviceFailure("HDP-2003", values, hint("This call needs one: configure apiKey."));
  let key: unknown;
  try {
    key = await source();
  } catch (cause) {
    if (isHdpError(cause)) throw cause;
    const unread = { ...values, reason: ": it could not be read" };
    throw serviceFailure("HDP-2003", unread, { ...hint("Its cause is attached."), cause });
  }
  const reason = keyFault(key);
  if (typeof key !== "string" || reason !== undefined) {
    const allowed = "A key is printable ASCII text without spaces. Set it again.";
    const named = { what: "API key for", service, reason, allowed };
    throw serviceFailure("HDP-2010", named, { path: settings?.apiKey });
  }
  return SECRETS.learn(key);
}

/** Returns the fault of a key, without any part of the key. */
export function keyFault(key: unknown): string | undefined {
  if (typeof key !== "string") return "it is not text";
  if (key === "") return "it is empty";
  if (key.trim() !== key) return "it starts or ends with white space";
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : "it holds a character that is not printable ASCII";
}
