import { timingSafeEqual } from "node:crypto";

import { FrontProblem, type FrontRequest } from "./front-problem.js";
import type { KeyPlace } from "./router.js";

/**
 * Checks the key of a request.
 *
 * @param expected the only key that is accepted; undefined: any key is, as long as there is one
 * @throws FrontProblem HDP-4513 (401) for a missing key, HDP-4514 (403) for a wrong one. The key is never repeated.
 */
export function checkKey(
  request: Pick<FrontRequest, "headers" | "query">,
  place: KeyPlace,
  expected: string | undefined,
): void {
  const given = place.in === "header" ? request.headers[place.name.toLowerCase()] : request.query.get(place.name);
  if (typeof given !== "string" || given === "") throw missingKey(place);
  if (expected === undefined || sameText(given, expected)) return;
  throw new FrontProblem({
    code: "HDP-4514",
    status: 403,
    message: `the API key in ${nameOf(place)} is not the one of this server.`,
    hints: ["It was given to the server as --api-key."],
  });
}

function missingKey(place: KeyPlace): FrontProblem {
  return new FrontProblem({
    code: "HDP-4513",
    status: 401,
    message: `the API key is missing: ${nameOf(place)}.`,
    // The published servers' body, where it is known.
    body:
      place.name === "X-API-KEY"
        ? { error: "Missing Herodotus Cloud X-API-KEY header" }
        : { error: `Missing API key: ${nameOf(place)}`, code: "HDP-4513" },
  });
}

function nameOf(place: KeyPlace): string {
  return place.in === "header" ? `header ${place.name}` : `query parameter ${place.name}`;
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
