import type { Hex } from "viem";
import type { z } from "zod";

import { jsonText } from "../base/json.js";
import type { Turns } from "../base/turns.js";
import type { Reader } from "../request/reader.js";

/** The schema of a body or a reply, whatever it is read to. */
export type WireSchema = z.ZodType<unknown, z.ZodTypeDef, unknown>;

/** A schema, or a reader with the JSON Schema of what it takes. */
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

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type RouteBody =
  | {
      readonly type: "json";
      /** What is taken: one of them. */
      readonly schemas: readonly BodySchema[];
      readonly example: unknown;
      /** Default: the limit `bodyBytes`. */
      readonly maxBytes?: number;
      /** Whether `input.compiled_class` may be a class; the limit is `classBytes` then. */
      readonly mayHaveClass?: true;
    }
  | {
      readonly type: "file";
      /** Names of the part of the form; the first is the current one. */
      readonly parts: readonly [string, ...string[]];
      /** Of the form, beside the file: an object of texts. */
      readonly fields?: z.AnyZodObject;
    };

/** One endpoint: how it is served and how it is described. */
export interface Endpoint {
  readonly summary: string;
  /** "sometimes": the handler asks for it. "when set": only a server with a key of its own does. Default "always". */
  readonly keyNeeded?: "always" | "sometimes" | "when set" | "never";
  /** Parameters of the query, with what they are. */
  readonly query?: Readonly<Record<string, string>>;
  readonly optionalQuery?: Readonly<Record<string, string>>;
  readonly body?: RouteBody;
  /** Whether the specification has retired it. */
  readonly retired?: true;
  /** Whether a repeated `Idempotency-Key` is answered with the first reply. */
  readonly once?: true;
  /** The form of a 200 reply: JSON, or text. */
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

/** Endpoints of an interface by method and path. */
export type Endpoints = Readonly<Record<`${"GET" | "POST" | "PATCH"} /${string}`, Endpoint>>;

/** @param key where the key is sent; undefined for endpoints without one */
export function routesOf(name: string, key: KeyPlace | undefined, endpoints: Endpoints): readonly Route[] {
  return Object.entries(endpoints).map(([place, endpoint]) => {
    const [method = "", path = ""] = place.split(" ");
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    return {
      ...endpoint,
      method,
      path,
      pattern,
      interface: name,
      key: endpoint.keyNeeded === "never" ? undefined : key,
    };
  });
}

/** A compiled class as it was sent, and what is known of it. */
export interface HashedClass {
  /** The program hash: lower case, no leading zeros. */
  readonly hash: Hex;
  readonly text: string;
  /** The Cairo layout that the published registry would answer. */
  readonly layout: string;
  /** Major version of the compiler. */
  readonly version: number;
  readonly compilerVersion: string;
}

/** A request as handlers see it: matched, its size checked, its key too where the route needs one. */
export interface Request {
  /** Of the path, decoded: `uuid` of `/tasks/{uuid}/status`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON of the body. Integers beyond 2^53 are bigints; a compiled class is taken out. */
  readonly json: unknown;
  readonly compiledClass: HashedClass | undefined;
  /** The uploaded file. */
  readonly file: Buffer;
  /** Other texts of the form. */
  readonly form: Readonly<Record<string, string>>;
  /** @throws Refusal HDP-4513 without the key that the route names */
  readonly requireKey: () => void;
  /** Spreads long work, so that it keeps no other requests waiting. */
  readonly turns: Turns;
}

/** A reply, or a function that decides it together with its write: nothing else is written in between. */
export type Decided = Reply | (() => Reply);

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string | Buffer };
  /** Writes what the reply promises, in one transaction with the request's Idempotency-Key, before it is sent. */
  readonly write?: (() => unknown) | undefined;
  /** Begins the work on what was written. */
  readonly begin?: (() => void) | undefined;
  /** Sends texts in place of a body until the signal is aborted: the client has gone, or the server closes. */
  readonly stream?: ((send: (text: string) => void, signal: AbortSignal) => Promise<void>) | undefined;
  /** Ends the connection in place of the reply. */
  readonly cut?: true | undefined;
}

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, body: { type: "application/json", text: jsonText(value) } };
}

/** @param text bytes for a text that is sent again and again */
export function textReply(text: string | Buffer, type = "text/plain; charset=utf-8", status = 200): Reply {
  return { status, body: { type, text } };
}
