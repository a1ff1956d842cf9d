import type { IncomingHttpHeaders } from "node:http";

import type { Hex } from "viem";
import type { z } from "zod";

import { jsonText } from "../base/json.js";
import { grouped, plural } from "../base/text.js";
import type { Turns } from "../base/turns.js";
import { HdpError, type HdpErrorOptions, inWords } from "../errors/hdp-error.js";
import { type Reader, TaskRequestError } from "../request/reader.js";

/** The schema of a body or a reply, with any output type. */
export type WireSchema = z.ZodType<unknown, z.ZodTypeDef, unknown>;

/** A schema, or a reader with the JSON Schema of its input. */
export type BodySchema = WireSchema | Pick<Reader<unknown>, "form">;

/** Where the API key of an endpoint is sent. */
export interface KeyPlace {
  readonly in: "header" | "query";
  readonly name: string;
}

/** The specification's three ways to send a key. */
export const DATA_PROCESSOR_KEY: KeyPlace = { in: "header", name: "X-API-KEY" };
export const QUERY_KEY: KeyPlace = { in: "query", name: "apiKey" };
export const STORAGE_PROOF_KEY: KeyPlace = { in: "header", name: "api-key" };

export type Headers = Readonly<IncomingHttpHeaders>;

export type RouteBody =
  | {
      readonly type: "json";
      /** The accepted schemas; a body matches one of them. */
      readonly schemas: readonly BodySchema[];
      readonly example: unknown;
      /** Default: the limit `bodyBytes`. */
      readonly maxBytes?: number;
      /** Whether `input.compiled_class` may be a class, for which the limit is `classBytes`. */
      readonly mayHaveClass?: true;
    }
  | {
      readonly type: "file";
      /** Names of the part of the form; the first is the current one. */
      readonly parts: readonly [string, ...string[]];
      /** Other fields of the form: an object of strings. */
      readonly fields?: z.AnyZodObject;
    };

export interface Endpoint {
  readonly summary: string;
  /** "sometimes": the handler decides. "when set": only if the server has its own key. Default "always". */
  readonly keyNeeded?: "always" | "sometimes" | "when set" | "never";
  /** Parameters of the query, with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  readonly optionalQuery?: Readonly<Record<string, string>>;
  readonly body?: RouteBody;
  /** Whether the specification has retired it. */
  readonly retired?: true;
  /** Whether a repeated `Idempotency-Key` is answered with the first reply. */
  readonly once?: true;
  /** The schema of a 200 reply, or "text". */
  readonly reply: WireSchema | "text";
  handle(request: Request): Decided | Promise<Decided>;
}

export interface Route extends Endpoint {
  readonly method: string;
  /** With parameters in braces: `/tasks/{uuid}/status`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly interface: string;
  readonly key: KeyPlace | undefined;
}

export type Endpoints = Readonly<Record<`${"GET" | "POST" | "PATCH"} /${string}`, Endpoint>>;

/** @param key where the key is sent; undefined for endpoints without one */
export function routesOf(
  name: string,
  key: KeyPlace | undefined,
  endpoints: Endpoints,
): readonly Route[] {
  return Object.entries(endpoints).map(([place, endpoint]) => {
    const [method = "", path = ""] = place.split(" ");
    const pattern = new RegExp(
      `^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`,
    );
    const ownKey = endpoint.keyNeeded === "never" ? undefined : key;
    return { ...endpoint, method, path, pattern, interface: name, key: ownKey };
  });
}

/** A compiled class as received, with its hash and properties. */
export interface HashedClass {
  /** The program hash: lower case, no leading zeros. */
  readonly hash: Hex;
  readonly text: string;
  /** The Cairo layout that the published registry would report. */
  readonly layout: string;
  /** Major version of the compiler. */
  readonly version: number;
  readonly compilerVersion: string;
}

/** A request for a handler: routed, with its size checked, and its key if the route needs one. */
export interface Request {
  /** Decoded parameters of the path: `uuid` of `/tasks/{uuid}/status`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON of the body, without its compiled class. Integers beyond 2^53 are bigints. */
  readonly json: unknown;
  readonly compiledClass: HashedClass | undefined;
  readonly file: Buffer;
  readonly form: Readonly<Record<string, string>>;
  /** @throws Refusal HDP-4513 without the key that the route names */
  readonly requireKey: () => void;
  /** Spreads long work over turns of the event loop, so that it does not delay other requests. */
  readonly turns: Turns;
}

/** A reply, or a function that returns it in the same transaction as its write. */
export type Decided = Reply | (() => Reply);

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: Buffer };
  /** Writes before the reply is sent, in one transaction with the request's Idempotency-Key. */
  readonly write?: (() => unknown) | undefined;
  /** Begins the work after the commit. */
  readonly begin?: (() => void) | undefined;
  /** Streams text as the body until the signal aborts: the client disconnected, or the server closes. */
  readonly stream?:
    ((send: (text: string) => void, signal: AbortSignal) => Promise<void>) | undefined;
  /** Ends the connection instead of replying. */
  readonly cut?: true | undefined;
}

export function jsonReply(value: unknown, status = 200): Reply {
  return textReply(jsonText(value), "application/json", status);
}

export function textReply(
  text: string | Buffer,
  type = "text/plain; charset=utf-8",
  status = 200,
): Reply {
  return { status, body: { type, text: typeof text === "string" ? Buffer.from(text) : text } };
}

interface Answer {
  /** Default 400. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body that the service publishes for this case. Default: the error as JSON. */
  readonly body?: unknown;
}

/** A refused request, with its reply. */
export class Refusal extends HdpError {
  public readonly reply: Reply;

  public constructor(options: HdpErrorOptions, { status = 400, headers = {}, body }: Answer = {}) {
    super(options);
    this.reply = { ...jsonReply(body ?? errorBody(this), status), headers };
  }
}

/** Returns the refusal (400) for an error of a request's content, and undefined for a failure of this server. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof HdpError) || error.code.startsWith("HDP-5")) return undefined;
  const { code, shortMessage: message, hints } = error;
  const errors = error instanceof TaskRequestError ? { errors: error.errors.map(errorBody) } : {};
  return new Refusal({ code, message, hints }, { body: { ...errorBody(error), ...errors } });
}

function errorBody({
  shortMessage,
  code,
  path,
  hints,
}: HdpError): Readonly<Record<string, unknown>> {
  return {
    error: shortMessage,
    code,
    ...(path === undefined || path === "" ? {} : { path }),
    ...(hints.length === 0 ? {} : { hints }),
  };
}

/** Maximum number of errors listed in a reply; the others are counted. */
export const MAX_ERRORS = 100;

/** Returns the refusal of one error, or of several with their number. */
export function badRequest(...errors: readonly string[]): Refusal {
  const [error = ""] = errors;
  if (errors.length === 1) return new Refusal(inWords("HDP-4518", { error }));
  const more = errors.length - MAX_ERRORS;
  const hints = [
    ...errors.slice(0, MAX_ERRORS),
    ...(more > 0 ? [`… and ${grouped(more)} more.`] : []),
  ];
  return new Refusal(
    inWords("HDP-4518", { error: `it has ${plural(errors.length, "error")}` }, { hints }),
  );
}

export function tooLarge(excess: string, headers: Answer["headers"] = {}): Refusal {
  return new Refusal(inWords("HDP-4529", { excess }), { status: 413, headers });
}

/** @param remedy the next step, a sentence */
export function tooBusy(what: string, found: string, remedy: string): Refusal {
  return new Refusal(inWords("HDP-4531", { what, found, remedy }), {
    status: 429,
    headers: { "retry-after": "1" },
  });
}

/** @param form the expected form of the body */
export function unreadable(reason: string, form: string | undefined, status = 400): Refusal {
  const headers = status === 408 ? { connection: "close" } : {};
  return new Refusal(inWords("HDP-4517", { reason, form }), { status, headers });
}

/** @param remedy the next step, a sentence */
export function unknownId(kind: string, id: string, remedy?: string): Refusal {
  return new Refusal(inWords("HDP-4519", { kind, id: id.slice(0, 200), remedy }), { status: 404 });
}
