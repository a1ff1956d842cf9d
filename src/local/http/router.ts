import { FrontProblem } from "./front-problem.js";
import type { Route } from "./route.js";

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
