import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

import { isLoopback } from "../base/loopback.js";
import { inWords } from "../errors/hdp-error.js";
import type { KeyPlacement } from "../service/http/http-client.js";
import { HttpRefusal } from "./refusals.js";
import type { Headers } from "./route.js";

const CORS = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
  "access-control-allow-headers": "content-type, accept, x-api-key, api-key, idempotency-key",
  "access-control-max-age": "600",
} as const;

/**
 * Refuses requests of web pages that may not use the server. A page of another site sends its origin; one whose host
 * name resolves to this machine (DNS rebinding) sends that name as the host. Returns the CORS headers.
 *
 * @param publicUrl origin at which a proxy or a forwarded port serves the pages of this server
 * @throws HttpRefusal HDP-4527, HDP-4528 (403)
 */
export function admit(
  headers: Headers,
  ownHost: string,
  origins: readonly string[],
  publicUrl?: string,
): Readonly<Record<string, string>> {
  const { host = "", origin } = headers;
  if (!isOwnHost(host, ownHost) && !hasHost(publicUrl, host))
    throw new HttpRefusal(inWords("HDP-4527", { host: quoted(host) }), { status: 403 });
  if (origin === undefined) return {};
  const isAllowed =
    isOwnPage(headers, publicUrl) || origins.includes(origin) || origins.includes("*");
  if (!isAllowed) throw foreignPage(origin);
  return { ...CORS, "access-control-allow-origin": origin, vary: "origin" };
}

/**
 * Refuses requests of every page but the server's own, even those of allowed origins.
 *
 * @param publicUrl see {@link admit}
 * @throws HttpRefusal HDP-4528 (403)
 */
export function requireOwnPage(headers: Headers, publicUrl: string | undefined): void {
  const { origin, "sec-fetch-site": site = "none" } = headers;
  if (site === "same-origin") return;
  if (site === "none" && (origin === undefined || isOwnPage(headers, publicUrl))) return;
  throw foreignPage(origin);
}

/**
 * Returns whether a request comes from a page of this server. Browsers say so in `sec-fetch-site`, which no page can set,
 * also behind a proxy that rewrites the host or ends TLS, where the origin is not the host's.
 */
function isOwnPage(headers: Headers, publicUrl: string | undefined): boolean {
  const { host = "", origin, "sec-fetch-site": site } = headers;
  if (site === "same-origin") return true;
  return origin === `http://${host}` || origin === publicUrl;
}

function foreignPage(origin: string | undefined): HttpRefusal {
  const name = origin === undefined ? "another origin" : quoted(origin);
  return new HttpRefusal(inWords("HDP-4528", { origin: name }), { status: 403 });
}

/** Returns an origin as browsers send it, without a path, or `*`; undefined for any other text. */
export function corsOrigin(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return protocol === "http:" || protocol === "https:" ? origin : undefined;
}

function hasHost(url: string | undefined, host: string): boolean {
  return url !== undefined && new URL(url).host === host.toLowerCase();
}

/** Returns whether a host cannot be rebound to another machine: an IP address, localhost or the server's own host. */
function isOwnHost(host: string, ownHost: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const hostname = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, "$1");
  return hostname === ownHost || isIP(hostname) !== 0 || isLoopback(hostname);
}

/**
 * Throws unless a request has the key.
 *
 * @param expected the only accepted key; undefined accepts any, but requires one
 * @throws HttpRefusal HDP-4513: 401 without a key, 403 for another one
 */
export function requireKey(
  { headers, query }: { readonly headers: Headers; readonly query: URLSearchParams },
  place: KeyPlacement,
  expected: string | undefined,
): void {
  const given = place.in === "header" ? headers[place.name.toLowerCase()] : query.get(place.name);
  const isMissing = typeof given !== "string" || given === "";
  if (!isMissing && (expected === undefined || isSameText(given, expected))) return;
  const name = `${place.in === "header" ? "header" : "query parameter"} ${place.name}`;
  const words = inWords("HDP-4513", { place: name, fault: isMissing ? "missing" : "wrong" });
  if (!isMissing) throw new HttpRefusal(words, { status: 403 });
  const published = { error: "Missing Herodotus Cloud X-API-KEY header" };
  throw new HttpRefusal(words, {
    status: 401,
    body: place.name === "X-API-KEY" ? published : undefined,
  });
}

function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
