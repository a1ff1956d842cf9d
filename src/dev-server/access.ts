import { timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";

import { Agent, request } from "undici";

import type { Clock } from "../base/clock.js";
import { Limiter } from "../base/turns.js";
import { inWords } from "../errors/hdp-error.js";
import { badRequest, type Headers, type KeyPlace, Refusal } from "./route.js";

const CORS = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
  "access-control-allow-headers": "content-type, accept, x-api-key, api-key, idempotency-key",
  "access-control-max-age": "600",
} as const;

/**
 * Refuses requests of web pages that may not use the server. A page of another site sends its origin; one whose host
 * name resolves to this machine (DNS rebinding) sends that name as the host. Returns the CORS headers.
 * @throws Refusal HDP-4527, HDP-4528 (403)
 */
export function admit(
  headers: Headers,
  ownHost: string,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  const { host = "", origin } = headers;
  if (!isOwnHost(host, ownHost))
    throw new Refusal(inWords("HDP-4527", { host: quoted(host) }), { status: 403 });
  if (origin === undefined) return {};
  const isAllowed =
    origin === `http://${host}` || origins.includes(origin) || origins.includes("*");
  if (!isAllowed)
    throw new Refusal(inWords("HDP-4528", { origin: quoted(origin) }), { status: 403 });
  return { ...CORS, "access-control-allow-origin": origin, vary: "origin" };
}

/** Returns an origin as browsers send it, without a path, or `*`; undefined for any other text. */
export function corsOrigin(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return protocol === "http:" || protocol === "https:" ? origin : undefined;
}

/** Returns whether a host cannot be rebound to another machine: an IP address, localhost or the server's own host. */
function isOwnHost(host: string, ownHost: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const hostname = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, "$1");
  return hostname === ownHost || isIP(hostname) !== 0 || isLoopback(hostname);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Returns whether a host is a loopback address or localhost. Other names may resolve to any address. */
function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}

/** @param expected the only accepted key; undefined accepts any, but requires one. @throws Refusal HDP-4513 */
export function requireKey(
  { headers, query }: { readonly headers: Headers; readonly query: URLSearchParams },
  place: KeyPlace,
  expected: string | undefined,
): void {
  const given = place.in === "header" ? headers[place.name.toLowerCase()] : query.get(place.name);
  const isMissing = typeof given !== "string" || given === "";
  if (!isMissing && (expected === undefined || isSameText(given, expected))) return;
  const name = `${place.in === "header" ? "header" : "query parameter"} ${place.name}`;
  const words = inWords("HDP-4513", { place: name, fault: isMissing ? "missing" : "wrong" });
  if (!isMissing) throw new Refusal(words, { status: 403 });
  const published = { error: "Missing Herodotus Cloud X-API-KEY header" };
  throw new Refusal(words, {
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

/** Allowed targets of webhooks: this machine only, also the named hosts, or any host. */
export type WebhookTargets = "loopback" | readonly string[] | "anywhere";

/** Pauses before each attempt, in milliseconds. */
const PAUSES = [0, 1_000, 5_000];
/** Timeout of an attempt with its answer, in milliseconds. */
const TIMEOUT = 5_000;
/** Maximum number of parallel attempts: thousands of tasks may end together. */
const AT_ONCE = 32;

/** Delivers webhooks. Redirects are not followed. */
export class WebhookSender {
  readonly #targets: WebhookTargets;
  readonly #clock: Clock;
  readonly #limiter = new Limiter(AT_ONCE);
  readonly #agent = new Agent();

  public constructor(targets: WebhookTargets, clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** Returns the normalized address. @throws Refusal HDP-4518 for an address that is not allowed */
  public check(text: string): string {
    const refused = (fault: string): Error =>
      badRequest(`webhook_url: "${text.slice(0, 200)}" ${fault}`);
    if (!URL.canParse(text)) throw refused("is not a URL");
    const { protocol, hostname, href } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:")
      throw refused("is not a URL of http or https");
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const isAllowed =
      this.#targets === "anywhere" ||
      (this.#targets !== "loopback" && this.#targets.includes(host));
    if (isAllowed || isLoopback(host)) return href;
    throw refused("is not an address of this machine: send 127.0.0.1, localhost or [::1]");
  }

  /** Sends a JSON body, with at most three attempts. Resolves even if all of them failed. */
  public async notify(url: string, body: string, signal: AbortSignal): Promise<void> {
    for (const pause of PAUSES) {
      await this.#clock.sleep(pause, signal);
      if (
        await this.#limiter.run(async () => signal.aborted || (await this.#post(url, body, signal)))
      )
        return;
    }
  }

  public async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #post(url: string, body: string, closing: AbortSignal): Promise<boolean> {
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT)]);
    try {
      const reply = await request(url, {
        method: "POST",
        headers,
        body,
        signal,
        dispatcher: this.#agent,
      });
      await reply.body.dump();
      return reply.statusCode < 300;
    } catch {
      return false;
    }
  }
}
