const REDACTED = "[redacted]";

/** Shorter keys are not removed: a word such as `local` would be missing from every message. */
const MIN_KEY_LENGTH = 6;

/** Removes API keys from text, in any letter case: verbatim, percent-encoded, with JSON escapes, and in base64. */
export class Redactor {
  #forms: readonly string[] = [];
  #pattern: RegExp | undefined;
  #longest = 0;

  /** Has a key redacted from now on, if it has six characters or more. Returns the key. */
  public learn(key: string): string {
    if (key.length < MIN_KEY_LENGTH || this.#forms.includes(key)) return key;
    this.#forms = [...new Set([...this.#forms, ...formsOf(key)])].sort(
      (one, other) => other.length - one.length,
    );
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern = new RegExp(
      this.#forms.map((form) => form.replace(/\W/g, "\\$&")).join("|"),
      "gi",
    );
    return key;
  }

  /** Returns the text, or its first `most` characters, without keys. A key across the cut is removed as a whole. */
  public redact(text: string, most = text.length): string {
    let shown = "";
    let at = 0;
    const matches =
      this.#pattern === undefined
        ? []
        : text.slice(0, most + this.#longest).matchAll(this.#pattern);
    for (const { index, 0: found } of matches) {
      if (index >= most) break;
      shown += text.slice(at, index) + REDACTED;
      at = index + found.length;
    }
    return shown + text.slice(at, Math.max(at, most));
  }

  /** Returns a JSON value with keys removed from its strings. @throws RangeError where it is nested too deeply */
  public redactValue(value: unknown): unknown {
    if (this.#pattern === undefined) return value;
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.redact(name), this.redactValue(item)]),
    );
  }
}

function formsOf(key: string): string[] {
  const base64 = Buffer.from(key, "utf8").toString("base64").replace(/=+$/, "");
  return [
    key,
    encodeURIComponent(key),
    new URLSearchParams({ key }).toString().slice("key=".length),
    JSON.stringify(key).slice(1, -1),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ];
}

/** The keys read so far by this process, removed from errors, output, documents and the database of submissions. */
export const SECRETS = new Redactor();

const KEY_NAME = /key|token|secret|auth|pass|sig|access/i;
const looksLikeKey = (text: string): boolean =>
  text.length >= 20 || (text.length >= 10 && /\d/.test(text));

const PROXIES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

/** Registers the keys in an address and in its proxies (user, password, what resembles keys), and returns the address. */
export function learnAddress(address: string): string {
  for (const text of [address, ...PROXIES.map((name) => process.env[name] ?? "")]) {
    if (!URL.canParse(text)) continue;
    const { username, password, searchParams, pathname } = new URL(text);
    const [user, pass, ...segments] = [
      username,
      password,
      ...pathname.split("/").filter(looksLikeKey),
    ].map(decoded);
    const values = [...searchParams].filter(
      ([name, value]) => KEY_NAME.test(name) || looksLikeKey(value),
    );
    // Hardhat sends user and password as they are written in the address.
    const sent = [`${username}:${password}`, `${user}:${pass}`];
    for (const key of [user, pass, ...sent, ...segments, ...values.map(([, value]) => value)])
      SECRETS.learn(key ?? "");
  }
  return address;
}

/** Returns the part of an address without its percent encoding, if that is valid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const MAX_CAUSES = 50;

/** Removes keys from the texts of a foreign error and its causes; `shown` returns a text as it may be printed. */
export function coverSecrets(error: unknown, shown = (text: string): string => text): void {
  const seen = new Set<unknown>();
  const waiting = [error];
  while (waiting.length > 0 && seen.size < MAX_CAUSES) {
    const one = waiting.pop();
    if (!(one instanceof Error) || seen.has(one)) continue;
    seen.add(one);
    const errors: unknown = "errors" in one ? one.errors : undefined;
    waiting.push(...[one.cause, errors].flat());
    // Hardhat prints the formatted message, a getter of its class.
    for (const name of [...Object.getOwnPropertyNames(one), "formattedMessage"]) {
      const value: unknown = Reflect.get(one, name);
      // Plain JSON is such as the data of a node's error. Class instances may be in use.
      const isPlain = Array.isArray(value) || isPlainObject(value);
      if (name === "errors" || (typeof value !== "string" && !isPlain)) continue;
      let covered: unknown;
      try {
        covered = SECRETS.redactValue(value);
      } catch {
        // Nested too deeply to be searched.
      }
      const text = typeof covered === "string" ? shown(covered) : covered;
      if (text !== value)
        Reflect.defineProperty(one, name, { value: text, configurable: true, writable: true });
    }
  }
}

function isPlainObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
