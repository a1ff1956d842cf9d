import { pauseIn } from "../../base/clock.js";
import { isRecord, keysOf } from "../../base/collections.js";
import { jsonOrUndefined, shownJson } from "../../base/json.js";
import { SECRETS } from "../../errors/secrets.js";
import { printable } from "../../errors/printable.js";
import type { ErrorValue, ErrorValueName } from "../../errors/catalogue.js";
import {
  type ErrorContext,
  filledIn,
  HdpError,
  type HdpErrorOptions,
} from "../../errors/hdp-error.js";

const CODES = {
  /** An address or a key cannot be used; nothing was sent to a service. */
  configuration: ["HDP-2003", "HDP-2004", "HDP-2010", "HDP-2011"],
  /** The request is refused, either before it is sent (no `status`) or by the service. */
  validation: ["HDP-2020", "HDP-2022", "HDP-2023", "HDP-2024", "HDP-2025", "HDP-2029"],
  /** 401 or 403. */
  authentication: ["HDP-2030"],
  /** The service does not have the task, program, request or path. */
  "not-found": ["HDP-2040", "HDP-2041", "HDP-2042"],
  /** 429, with `retryAfter` if the service asks for a pause. */
  "rate-limited": ["HDP-2050"],
  /** 402, 5xx, a redirect, or an unexpected status. */
  "service-error": ["HDP-2032", "HDP-2060", "HDP-2061", "HDP-2062"],
  /** The connection failed, or broke before the answer was complete. */
  unreachable: ["HDP-2063", "HDP-2064"],
  /** The answer is too large, not JSON, or of another shape. */
  "malformed-reply": ["HDP-2070"],
  /** One call or a wait timed out. */
  timeout: ["HDP-2080", "HDP-2081"],
  /** The caller's AbortSignal aborted. */
  aborted: ["HDP-2082"],
  /**
   * A request that may cost money was sent, and it is unknown whether the service accepted it. It is never retried
   * automatically; the hints list what to check first, `cause` is the failure.
   */
  "outcome-unknown": ["HDP-2090"],
  /** The service reports that the task failed. */
  "task-failed": ["HDP-2091"],
} as const;

/** What went wrong in a call to a service. */
export type ServiceFailureKind = keyof typeof CODES;
/** The number of an error of a service's client. */
export type ServiceFailureCode = (typeof CODES)[ServiceFailureKind][number];

const KINDS = new Map<string, ServiceFailureKind>(
  keysOf(CODES).flatMap((kind) => CODES[kind].map((code) => [code, kind] as const)),
);

/** Codes after which the same call may succeed later without any change. */
const TRANSIENT: ReadonlySet<string> = new Set([
  "HDP-2050",
  "HDP-2060",
  "HDP-2063",
  "HDP-2064",
  "HDP-2080",
]);

interface FailureDetails {
  /** Method and address, without query: `GET https://…/tasks/01J…/status`. */
  readonly endpoint?: string | undefined;
  /** HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  /** The service's message, shortened and without keys. */
  readonly serviceWords?: string | undefined;
  /** The pause that the service asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** An error of a service's client. Its texts do not contain API keys. */
export class ServiceFailure extends HdpError {
  declare public readonly code: ServiceFailureCode;
  public readonly kind: ServiceFailureKind;
  public readonly endpoint: string | undefined;
  public readonly status: number | undefined;
  public readonly serviceWords: string | undefined;
  public readonly retryAfter: number | undefined;
  /** Whether the same call may succeed later without any change. */
  public readonly transient: boolean;

  public constructor(
    options: HdpErrorOptions & FailureDetails & { readonly code: ServiceFailureCode },
  ) {
    const { code, serviceWords: words } = options;
    super(options);
    this.kind = KINDS.get(code) ?? "service-error";
    this.endpoint = options.endpoint;
    this.status = options.status;
    this.serviceWords = words === "" ? undefined : words;
    this.retryAfter = options.retryAfter;
    this.transient = TRANSIENT.has(code);
  }
}

type FailureArguments<NameT extends string> = [
  values: Readonly<Record<NameT, ErrorValue>>,
  details?: FailureDetails & ErrorContext,
];

/** Creates the failure of a code, with the message of the catalogue. The service's words are its first hint. */
export function serviceFailure<CodeT extends ServiceFailureCode>(
  code: CodeT,
  ...[values, details = {}]: FailureArguments<ErrorValueName<CodeT>>
): ServiceFailure {
  const { serviceWords: words = "" } = details;
  const { hints = [], ...filled } = filledIn(code, values, details);
  const said = words === "" ? [] : [`The service said: "${words}"`];
  return new ServiceFailure({ ...details, ...filled, code, hints: [...said, ...hints] });
}

/**
 * Returns whether an error is of a service's client (and of the kind), also if another copy of the package threw it.
 * @example try { await processor.submit(request) } catch (error) { if (isServiceFailure(error, "outcome-unknown")) … }
 */
export function isServiceFailure<KindT extends ServiceFailureKind>(
  error: unknown,
  kind?: KindT,
): error is ServiceFailure & { readonly kind: KindT } {
  if (
    !(error instanceof Error) ||
    !("kind" in error) ||
    !("code" in error) ||
    !("transient" in error)
  )
    return false;
  if (typeof error.code !== "string" || !KINDS.has(error.code)) return false;
  return kind === undefined || error.kind === kind;
}

/** Returns the error with one more hint. A ServiceFailure stays a ServiceFailure. */
export function withHint(error: HdpError, hint: string): HdpError {
  const { code, shortMessage: message, path, source, cause } = error;
  const options = { message, path, source, cause, hints: [...error.hints, hint] };
  if (!isServiceFailure(error)) return new HdpError({ ...options, code });
  const { endpoint, status, serviceWords: words, retryAfter } = error;
  return new ServiceFailure({
    ...options,
    code: error.code,
    endpoint,
    status,
    serviceWords: words,
    retryAfter,
  });
}

/** Where a project configures a service, for errors: they name what is to be corrected. */
export interface ServiceSettings {
  /** Path of the address: `networks.sepolia.hdp.dataProcessor.url`. */
  readonly url: string;
  /** Path of the key. */
  readonly apiKey?: string | undefined;
  /** What holds the key, never its value: `the configuration variable HDP_API_KEY`. */
  readonly keyHolder?: string | undefined;
  /** The command that fetches a new key, where the service has a login. */
  readonly login?: string | undefined;
  /** Path of the time that a call may take. */
  readonly timeout?: string | undefined;
  /** Path of the API version, where the service has several. */
  readonly edition?: string | undefined;
}

/** A call, for messages. */
export interface CallContext {
  /** Name of the interface in messages: "the data processor". */
  readonly service: string;
  readonly settings?: ServiceSettings | undefined;
  /** Method and address without query. */
  readonly endpoint: string;
  /** Placement of the key, if the call has one: `header X-API-KEY`. */
  readonly key: string | undefined;
}

/** A reply as received: with keys, if the service repeats them. */
export interface WireReply {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

type ReplyCode = "HDP-2022" | "HDP-2030" | "HDP-2032" | "HDP-2040" | "HDP-2050";
const REPLY_CODES: ReadonlyMap<number, ReplyCode> = new Map<number, ReplyCode>([
  ...[400, 413, 415, 422].map((status) => [status, "HDP-2022"] as const),
  ...[401, 403].map((status) => [status, "HDP-2030"] as const),
  [402, "HDP-2032"],
  ...[404, 410].map((status) => [status, "HDP-2040"] as const),
  [429, "HDP-2050"],
]);

/** Creates the error for a reply with an error status. `now` (milliseconds) is for a `Retry-After` that is a date. */
export function failureOfReply(
  reply: WireReply,
  context: CallContext,
  now: number,
): ServiceFailure {
  const { endpoint, key, settings } = context;
  const { status } = reply;
  const retryAfter = pauseIn(reply.retryAfter, now);
  const keySettings = key === undefined ? undefined : settings;
  const values = {
    ...callValues(context),
    status,
    holder: keySettings?.keyHolder,
    login: keySettings?.login,
    version: versionAdvice(settings),
    sent: key && `sent as ${key}`,
    nokey: key === undefined ? "" : undefined,
    pause: retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1_000),
    target:
      reply.location === undefined
        ? undefined
        : ` to ${quoted(reply.location.replace(/\?.*$/, ""))}`,
  };
  const code = REPLY_CODES.get(status) ?? codeOfOther(status);
  const path = code === "HDP-2030" ? keySettings?.apiKey : faultySetting(code, context);
  const details = { endpoint, status, retryAfter, serviceWords: serviceWords(reply.text) };
  return serviceFailure(code, values, { ...details, path });
}

/** Returns the values that the messages of a call have in common. */
export function callValues({ service, endpoint, settings }: CallContext): {
  readonly service: string;
  readonly endpoint: string;
  readonly setting: string;
  readonly limit: string;
} {
  const setting = settings === undefined ? "" : ` (${settings.url})`;
  return { service, endpoint, setting, limit: settings?.timeout ?? "timeout and attemptTimeout" };
}

function versionAdvice(settings: ServiceSettings | undefined): string {
  if (settings === undefined) return ", or choose the API version that the service speaks";
  return settings.edition === undefined
    ? ""
    : `, or choose the API version that the service speaks (${settings.edition})`;
}

/** Errors that a wrong address alone explains. */
const OF_ADDRESS: ReadonlySet<string> = new Set(["HDP-2011", "HDP-2062", "HDP-2063"]);

/** Returns the path of the setting that an error is about. */
export function faultySetting(code: string, { settings }: CallContext): string | undefined {
  return OF_ADDRESS.has(code) ? settings?.url : undefined;
}

/** Returns whether a reply is one of JSON-RPC, which nodes give to whatever is sent to them. */
function isOfNode({ text }: WireReply): boolean {
  const json = text.startsWith("{") ? jsonOrUndefined(text.slice(0, MAX_READ)) : undefined;
  return isRecord(json) && json["jsonrpc"] === "2.0" && isRecord(json["error"]);
}

/** Returns the error for the reply of a node, which took nothing; undefined for the reply of a service. */
export function failureOfNode(reply: WireReply, context: CallContext): ServiceFailure | undefined {
  if (!isOfNode(reply)) return undefined;
  const { service, endpoint } = context;
  const { status, text } = reply;
  const path = faultySetting("HDP-2011", context);
  const details = { endpoint, status, serviceWords: serviceWords(text), path };
  return serviceFailure("HDP-2011", { service, endpoint }, details);
}

function codeOfOther(status: number): "HDP-2060" | "HDP-2061" | "HDP-2062" {
  if (status >= 500) return "HDP-2060";
  return status >= 300 && status < 400 ? "HDP-2062" : "HDP-2061";
}

/** Creates the error for a call that must not be sent twice and may have taken effect. */
export function outcomeUnknown(
  failure: ServiceFailure,
  check: string,
  call: CallContext,
): ServiceFailure {
  const { service, endpoint } = call;
  const { status, serviceWords, shortMessage } = failure;
  const reason = shortMessage.replace(` at ${endpoint}`, "").replaceAll(endpoint, "the call");
  const details = { endpoint, status, serviceWords, hints: [check], cause: failure };
  return serviceFailure("HDP-2090", { service, endpoint, reason }, details);
}

/** Characters of a service's text that are read. Messages omit white space and markup. */
const MAX_READ = 4_096;

/** Returns a service's text for a message: on one line, without keys, at most 300 characters. */
export function quoted(text: string): string {
  return printable(SECRETS.redact(text, MAX_READ), 301);
}

/** Members of a JSON error body with messages, in the order in which they are quoted. */
const WORD_MEMBERS = [
  "error",
  "message",
  "errorMessage",
  "details",
  "detail",
  "reason",
  "errors",
  "hints",
];

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Returns the messages of a JSON error body, or its text without markup, as `quoted` does. */
export function serviceWords(body: string): string {
  const json = jsonOrUndefined(body);
  if (typeof json === "string") return quoted(json);
  const words = isRecord(json)
    ? WORD_MEMBERS.map((name) => (Object.hasOwn(json, name) ? json[name] : undefined))
    : [];
  const sentences = words.flatMap((word) => {
    if (typeof word === "string") return [word];
    if (isTextList(word)) return word.length === 0 ? [] : [word.join("; ")];
    return typeof word === "object" && word !== null ? [shownJson(word)] : [];
  });
  if (sentences.length > 0) return quoted(sentences.join(": ").replaceAll(".: ", ": "));
  const text = SECRETS.redact(body, MAX_READ);
  const isPage = json === undefined && /<html|<!doctype/i.test(text);
  return quoted(isPage ? text.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ") : text);
}
