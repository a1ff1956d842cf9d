import type { IncomingHttpHeaders } from "node:http";

import type { Hex } from "viem";
import type { z } from "zod";

import { keysOf } from "../base/collections.js";
import { jsonText } from "../base/json.js";
import type { Turns } from "../base/turns.js";
import type { Reader } from "../request/reader.js";
import {
  type EndpointName,
  type EndpointRow,
  ENDPOINTS,
  type PublishedEndpoint,
} from "../service/endpoints.js";

/** The schema of a body or a reply, with any output type. */
export type WireSchema = z.ZodType<unknown, z.ZodTypeDef, unknown>;

/** A schema, or a reader with the JSON Schema of its input. */
export type BodySchema = WireSchema | { readonly form: Reader<unknown>["form"] };

/** The headers of a request, their names in lower case. */
export type Headers = Readonly<IncomingHttpHeaders>;

/** The body that an endpoint accepts. */
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

/** What an endpoint accepts and answers, and its handler. */
export interface Endpoint {
  readonly summary: string;
  /** Parameters of the query, with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  readonly optionalQuery?: Readonly<Record<string, string>>;
  readonly body?: RouteBody;
  /** Whether the specification has retired it. */
  readonly retired?: true;
  /** Whether a repeated `Idempotency-Key` is answered with the first reply. */
  readonly once?: true;
  /** The schema of the parameters of the query that the handler parses with it: their forms in the description. */
  readonly queryForm?: z.ZodObject<Record<string, z.ZodTypeAny>>;
  /** The status of a success. Default 200. */
  readonly status?: 200 | 201;
  /** The schema of a success, or "text". */
  readonly reply: WireSchema | "text";
  /** The schema of a success where the client accepts JSON, of a reply that is text otherwise. */
  readonly jsonReply?: WireSchema;
  /** Other replies that are published so, by status: a text, or nothing. */
  readonly published?: Readonly<
    Record<number, { readonly about: string; readonly body: "text" | "none" }>
  >;
  handle(request: Request): Decided | Promise<Decided>;
}

/** An endpoint with its method, its path, its interface and the rule for its key. */
export interface Route extends Endpoint, EndpointRow {
  readonly method: string;
  /** With parameters in braces: `/tasks/{uuid}/status`. */
  readonly path: string;
  readonly pattern: RegExp;
}

/** Returns the routes of published endpoints, whose interface and key their rows in `ENDPOINTS` say. */
export function publishedRoutes(
  endpoints: Readonly<Partial<Record<PublishedEndpoint, Endpoint>>>,
): readonly Route[] {
  return keysOf(ENDPOINTS).flatMap((name) => {
    const endpoint = endpoints[name];
    return endpoint === undefined ? [] : [makeRoute(name, ENDPOINTS[name], endpoint)];
  });
}

/** Returns the routes of endpoints that only this server has. */
export function ownRoutes(
  row: EndpointRow,
  endpoints: Readonly<Record<EndpointName, Endpoint>>,
): readonly Route[] {
  return Object.entries(endpoints).map(([name, endpoint]) => makeRoute(name, row, endpoint));
}

function makeRoute(name: string, row: EndpointRow, endpoint: Endpoint): Route {
  const [method = "", path = ""] = name.split(" ");
  const pattern = path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return {
    ...endpoint,
    ...row,
    key: row.keyNeeded === "never" ? undefined : row.key,
    method,
    path,
    pattern: new RegExp(`^${pattern}$`),
  };
}

/** A compiled class as received, with its hash and properties. */
export interface StoredProgram {
  /** The program hash: lower case, no leading zeros. */
  readonly hash: Hex;
  readonly text: string;
  /** The Cairo layout that the published registry would report. */
  readonly layout: string;
  /** Major version of the compiler. */
  readonly version: number;
}

/** A compiled class as it was sent. */
export interface HashedClass extends StoredProgram {
  readonly compilerVersion: string;
}

/** The JSON of a body, and the class that it carries. */
export interface JsonBody {
  /** The JSON of the body, without its compiled class. Integers beyond 2^53 are bigints. */
  readonly json: unknown;
  readonly compiledClass: HashedClass | undefined;
}

/** The body of a request as its handler gets it. */
export interface RequestBody extends JsonBody {
  readonly file: Buffer;
  readonly form: Readonly<Record<string, string>>;
}

/** A request for a handler: routed, with its size checked, and its key if the route needs one. */
export interface Request extends RequestBody {
  /** Decoded parameters of the path: `uuid` of `/tasks/{uuid}/status`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** @throws HttpRefusal HDP-4513 without the key that the route names */
  readonly requireKey: () => void;
  /** Spreads long work over turns of the event loop, so that it does not delay other requests. */
  readonly turns: Turns;
}

/** A reply, or a function that returns it in the same transaction as its write. */
export type Decided = Reply | (() => Reply);

/** What a reply does beside its body. */
export interface Effects {
  /** Writes before the reply is sent, in one transaction with the request's Idempotency-Key. */
  readonly write?: (() => unknown) | undefined;
  /** Begins the work after the commit. */
  readonly begin?: (() => void) | undefined;
  /** Ends the connection instead of replying. */
  readonly cut?: true | undefined;
  /** The fault that a test injected here. */
  readonly injected?: string | undefined;
}

/** What the server answers, and what it writes and begins with it. */
export interface Reply extends Effects {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: Buffer };
  /** Streams text as the body until the signal aborts: the client disconnected, or the server closes. */
  readonly stream?:
    ((send: (text: string) => void, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Returns a reply of JSON. */
export function jsonReply(value: unknown, status = 200): Reply {
  return textReply(jsonText(value), "application/json", status);
}

/** Returns a reply of text, plain by default. */
export function textReply(
  text: string | Buffer,
  type = "text/plain; charset=utf-8",
  status = 200,
): Reply {
  return { status, body: { type, text: typeof text === "string" ? Buffer.from(text) : text } };
}
