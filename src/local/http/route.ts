import type { z } from "zod";

import type { FrontReply, FrontRequest } from "./front-message.js";

/** Schema of a body; what it is read to is the route's matter. */
export type WireSchema = z.ZodType<unknown, z.ZodTypeDef, unknown>;

export type FrontInterface = "data processor" | "program registry" | "storage proof" | "this server";

/** Where a route expects the API key. */
export interface KeyPlace {
  readonly in: "header" | "query";
  readonly name: string;
}

/** The specification's three ways to send a key. */
export const DATA_PROCESSOR_KEY: KeyPlace = { in: "header", name: "X-API-KEY" };
export const QUERY_KEY: KeyPlace = { in: "query", name: "apiKey" };
export const STORAGE_PROOF_KEY: KeyPlace = { in: "header", name: "api-key" };

export type RouteBody =
  | {
      readonly type: "json";
      readonly schema: WireSchema;
      readonly maxBytes: number;
      readonly example?: unknown;
      /** Whether the body may be left out. */
      readonly optional?: true;
    }
  | { readonly type: "multipart"; readonly part: string; readonly maxBytes: number };

/** One endpoint: what the server needs to serve it and what its description tells. */
export interface Route {
  readonly method: "GET" | "POST";
  /** With parameters in braces: `/tasks/{uuid}/status`. */
  readonly path: string;
  readonly interface: FrontInterface;
  readonly summary: string;
  /** Checked before the body is read. Absent: no key is needed. */
  readonly key?: KeyPlace;
  readonly query?: readonly { readonly name: string; readonly summary: string; readonly required?: true }[];
  readonly body?: RouteBody;
  /** Form of the good answer: JSON of a schema, or text. */
  readonly reply: WireSchema | "text";
  /** Retired paths are served, but not described. */
  readonly hidden?: true;
  handle(request: FrontRequest): FrontReply | Promise<FrontReply>;
}
