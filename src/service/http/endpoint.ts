import { unlessAborted } from "../../base/clock.js";
import { SECRETS } from "../../base/secrets.js";
import { isHdpError } from "../../errors/hdp-error.js";
import { serviceFailure } from "./service-errors.js";

/** Parses the base address of a service. Errors do not quote it, as it may contain a password or a key. */
export function baseAddress(text: string, service: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const reason = url === undefined ? "it is not an address" : addressFault(url);
  if (url !== undefined && reason === undefined) return url;
  throw serviceFailure("HDP-2010", { service, reason });
}

function addressFault({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:") return `its scheme is ${protocol}`;
  if (username !== "" || password !== "") return "it holds a user name or password";
  return search !== "" || hash !== "" ? "it holds a query or a fragment" : undefined;
}

/** Returns the address of one call: the base's path, then each segment percent-encoded. */
export function callAddress(
  base: URL,
  call: { readonly path: readonly string[]; readonly query?: Readonly<Record<string, string>> },
): URL {
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...call.path.map(segment)].join("/");
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  return url;
}

function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw serviceFailure("HDP-2025", { id });
  return encodeURIComponent(id);
}

/**
 * Returns an API key. Called before the first request with a key, once per client; again after a failure.
 */
export type KeySource = () => Promise<string>;

/** Placement of the key in a call. */
export interface KeyPlacement {
  readonly in: "header" | "query";
  readonly name: string;
}

/** The key of one client: read on first use, cached, and redacted from all texts. */
export class ApiKey {
  readonly #service: string;
  readonly #source: KeySource | undefined;
  #key: Promise<string> | undefined;

  public constructor(service: string, source: KeySource | undefined) {
    this.#service = service;
    this.#source = source;
  }

  /** Returns the key, or undefined when the signal aborts. Failures are not cached: the next call retries. */
  public async read(signal: AbortSignal | undefined): Promise<string | undefined> {
    this.#key ??= this.#load().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return (await unlessAborted(this.#key, signal))?.value;
  }

  async #load(): Promise<string> {
    const service = this.#service;
    const hint = (text: string) => ({ hints: [`${text} Nothing was sent.`] });
    const values = { service, reason: undefined, variable: undefined, keystore: undefined };
    if (this.#source === undefined)
      throw serviceFailure("HDP-2003", values, hint("This call needs one: configure apiKey."));
    let key: unknown;
    try {
      key = await this.#source();
    } catch (cause) {
      if (isHdpError(cause)) throw cause;
      const unread = { ...values, reason: ": it could not be read" };
      throw serviceFailure("HDP-2003", unread, { ...hint("Its cause is attached."), cause });
    }
    if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) {
      SECRETS.learn(key);
      return key;
    }
    throw serviceFailure("HDP-2011", { service, reason: keyFault(key) });
  }
}

/** Returns the fault of a key, without any part of the key. */
function keyFault(key: unknown): string {
  if (typeof key !== "string") return "it is not text";
  if (key === "") return "it is empty";
  if (key.trim() !== key) return "it starts or ends with white space";
  return "it holds a character that is not printable ASCII";
}
