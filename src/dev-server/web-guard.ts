import { isIP } from "node:net";

import { FrontProblem } from "./front-problem.js";

/** Which web pages may use a front beside its own: origins such as `http://localhost:3000`, or `*` for every page. */
export type CorsOrigins = readonly string[];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const CORS = {
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, accept, x-api-key, api-key, idempotency-key",
  "access-control-max-age": "600",
} as const;

/**
 * Keeps the pages of a browser away that are not meant: a page from elsewhere names its origin, and a page whose host
 * name was pointed at this machine after it was loaded (DNS rebinding) asks for that name.
 *
 * @returns the headers that let the page read the answer; none for programs, which name no origin
 * @throws FrontProblem HDP-4527 (403) for a host name that is not this server's, HDP-4528 (403) for another's page.
 */
export function admit(
  headers: Headers,
  hosts: readonly string[],
  origins: CorsOrigins,
): Readonly<Record<string, string>> {
  const host = textOf(headers["host"]) ?? "";
  if (!isOwnHost(host, hosts)) {
    throw new FrontProblem({
      code: "HDP-4527",
      status: 403,
      message: `the host ${JSON.stringify(host.slice(0, 100))} is not this server's`,
      hints: ["Use an address such as 127.0.0.1, localhost, or the name that was given as --host."],
    });
  }
  const origin = textOf(headers["origin"]);
  if (origin === undefined) return {};
  if (origin !== `http://${host}` && !origins.includes(origin) && !origins.includes("*")) {
    throw new FrontProblem({
      code: "HDP-4528",
      status: 403,
      message: `pages of ${JSON.stringify(origin.slice(0, 100))} may not use this server`,
      hints: ["Start it with --cors and that origin to let them."],
    });
  }
  return { ...CORS, "access-control-allow-origin": origin, vary: "origin" };
}

/** An origin as browsers send it, without a path, or `*`; undefined where the text is none. */
export function corsOrigin(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return protocol === "http:" || protocol === "https:" ? origin : undefined;
}

/** No name of the internet leads to an address in digits, nor to localhost. */
function isOwnHost(host: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return (
    isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0 ||
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hosts.includes(hostname)
  );
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
