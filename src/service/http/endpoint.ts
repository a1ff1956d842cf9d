import { SECRETS } from "../../base/secrets.js";
import { isHdpError } from "../../errors/hdp-error.js";
import { serviceFailure } from "./service-errors.js";

/** Parses the base address of a service. Errors do not quote it, as it may contain a password or a key. */
export function baseAddress(text: string, service: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const reason = url === undefined ? "it is not an address" : addressFault(url);
  if (url !== undefined && reason === undefined) return url;
  const allowed = "Allowed is http:// or https:// with host, port and path; a key is apiKey.";
  throw serviceFailure("HDP-2010", { what: "address of", service, reason, allowed });
}

function addressFault({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:") return `its scheme is ${protocol}`;
  if (username !== "" || password !== "") return "it holds a user name or password";
  return search !== "" || hash !== "" ? "it holds a query or a fragment" : undefined;
}

/** Returns the address of one call: the base's path, then each segment percent-encoded. */
export function callAddress(
  base: URL,
  call: { readonly path: readonly string[]; readonly query?: Readonly<Record<string, string | undefined>> },
): URL {
  const url = new URL(base);
  url.pathname = [url.pathname.replace(/\/+$/, ""), ...call.path.map(segment)].join("/");
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function segment(id: string): string {
  if (id === "" || id === "." || id === "..") throw serviceFailure("HDP-2025", { id });
  return encodeURIComponent(id);
}

/** Returns an API key. Called before the first request with a key, once per client; again after a failure. */
export type KeySource = () => Promise<string>;

/** Placement of the key in a call. */
export interface KeyPlacement {
  readonly in: "header" | "query";
  readonly name: string;
}

/** Returns a reader of a client's key, which caches it and has it redacted. Failures are not cached. */
export function keyReader(service: string, source: KeySource | undefined): KeySource {
  let key: Promise<string> | undefined;
  return async () => {
    key ??= readKey(service, source).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return await key;
  };
}

async function readKey(service: string, source: KeySource | undefined): Promise<string> {
  const hint = (text: string) => ({ hints: [`${text} Nothing was sent.`] });
  const values = { what: "API key", service, reason: undefined, variable: undefined, keystore: undefined };
  if (source === undefined) throw serviceFailure("HDP-2003", values, hint("This call needs one: configure apiKey."));
  let key: unknown;
  try {
    key = await source();
  } catch (cause) {
    if (isHdpError(cause)) throw cause;
    const unread = { ...values, reason: ": it could not be read" };
    throw serviceFailure("HDP-2003", unread, { ...hint("Its cause is attached."), cause });
  }
  const reason = keyFault(key);
  if (typeof key !== "string" || reason !== undefined) {
    const allowed = "A key is printable ASCII text without spaces. Set it again.";
    throw serviceFailure("HDP-2010", { what: "API key for", service, reason, allowed });
  }
  return SECRETS.learn(key);
}

/** Returns the fault of a key, without any part of the key. */
function keyFault(key: unknown): string | undefined {
  if (typeof key !== "string") return "it is not text";
  if (key === "") return "it is empty";
  if (key.trim() !== key) return "it starts or ends with white space";
  return /^[\x21-\x7e]+$/.test(key) ? undefined : "it holds a character that is not printable ASCII";
}
