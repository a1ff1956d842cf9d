import type { z } from "zod";

import { FrontProblem, type FrontReply, type FrontRequest } from "./front-problem.js";

/** Schema of a body; what it is read to is the route's matter. */
export type WireSchema = z.ZodType<unknown, z.ZodTypeDef, unknown>;

export type FrontInterface = "data processor" | "program registry" | "storage proof" | "state server" | "this server";

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
      /** What it holds, for the description, where the schema says less. */
      readonly described?: WireSchema;
      readonly example?: unknown;
      /** Whether it may carry a compiled class as `input.compiled_class`, and is then longer than other bodies. */
      readonly mayHaveClass?: true;
    }
  | { readonly type: "multipart"; readonly part: string };

/** One endpoint: what the server needs to serve it and what its description tells. */
export interface Route {
  readonly method: "GET" | "POST";
  /** With parameters in braces: `/tasks/{uuid}/status`. */
  readonly path: string;
  readonly interface: FrontInterface;
  readonly summary: string;
  /** Checked before the body is read. Absent: no key is needed. */
  readonly key?: KeyPlace;
  /** A key that may be sent, and is looked at where what is asked for needs one. */
  readonly optionalKey?: KeyPlace;
  readonly query?: readonly { readonly name: string; readonly summary: string; readonly required?: true }[];
  readonly body?: RouteBody;
  /** Form of the good answer: JSON of a schema, or text. */
  readonly reply: WireSchema | "text";
  /** What it holds, for the description, where the schema says less. */
  readonly describedReply?: WireSchema;
  /** Retired paths are served, but not described. */
  readonly hidden?: true;
  handle(request: FrontRequest): FrontReply | Promise<FrontReply>;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a method and path. */
export class Router {
  readonly #routes: readonly { readonly route: Route; readonly segments: readonly string[] }[];

  public constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, segments: route.path.split("/") }));
  }

  /**
   * @throws FrontProblem HDP-4510 (404) where nothing is at the path, HDP-4511 (405) where it takes other methods.
   */
  public match(method: string, pathname: string): RouteMatch {
    const segments = pathname.split("/");
    const allowed: string[] = [];
    for (const candidate of this.#routes) {
      const params = matchSegments(candidate.segments, segments);
      if (params === undefined) continue;
      if (candidate.route.method === method) return { route: candidate.route, params };
      allowed.push(candidate.route.method);
    }
    if (allowed.length > 0) {
      throw new FrontProblem({
        code: "HDP-4511",
        status: 405,
        message: `${method} is not allowed at ${pathname}, only ${allowed.join(", ")}.`,
        headers: { allow: [...new Set([...allowed, "OPTIONS"])].join(", ") },
      });
    }
    throw new FrontProblem({
      code: "HDP-4510",
      status: 404,
      message: `nothing is served at ${pathname.slice(0, 200)}.`,
      hints: ["All endpoints are listed at /swagger/ and /openapi.json."],
    });
  }
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [position, expected] of pattern.entries()) {
    const given = segments[position] ?? "";
    if (expected.startsWith("{")) {
      const value = decoded(given);
      if (value === undefined || value === "") return undefined;
      params[expected.slice(1, -1)] = value;
    } else if (expected !== given) {
      return undefined;
    }
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
