import { inspect } from "node:util";

/** What stands in place of a key. */
export const REDACTED = "[redacted]";

/** Shorter keys are not removed: a word such as `local` would be missing from every message. */
const MIN_KEY_LENGTH = 6;

/**
 * Removes API keys from text, in any letter case: verbatim, with any of their characters percent-encoded (up to three
 * times), escaped as in JSON or HTML, and in base64 at any offset.
 */
export class Redactor {
  #keys: readonly string[] = [];
  #pattern: RegExp | undefined;
  #longest = 0;

  /** Has a key redacted from now on, if it has six characters or more. Returns the key. */
  public learn(key: string): string {
    if (key.length < MIN_KEY_LENGTH || this.#keys.includes(key)) return key;
    this.#keys = [...this.#keys, key].sort((one, other) => other.length - one.length);
    this.#longest = (this.#keys[0]?.length ?? 0) * LONGEST_ESCAPE;
    const patterns = [...this.#keys.map(escapedPattern), ...this.#keys.flatMap(base64Patterns)];
    this.#pattern = new RegExp([...new Set(patterns)].join("|"), "gi");
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

/** Names of HTML for the characters that have one. */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "+": "plus",
  "=": "equals",
};

/** Length of the longest escape of a character: `%252525XX` for each of up to three bytes. */
const LONGEST_ESCAPE = 27;

/** Returns the pattern of a key of which each character may be escaped. */
function escapedPattern(key: string): string {
  return Array.from(key, characterPattern).join("");
}

/** Letters that JSON writes behind a backslash for control characters. */
const CONTROL: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t" };

function characterPattern(character: string): string {
  const quoted = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
  const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
  const percent = [...Buffer.from(character, "utf8")].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`);
  const unicode = character.split("").map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
  const code = character.codePointAt(0) ?? 0;
  const named = ENTITIES[character];
  // A backslash before punctuation, as in `\/` and `\"`, or for a control character.
  const escaped = /\W/.test(character) ? [`\\\\${quoted(CONTROL[character] ?? character)}`] : [];
  const plus = character === " " ? ["\\+"] : [];
  const forms = [quoted(character), percent.join(""), unicode.join(""), `&#0?${code};`];
  const html = [`&#x0?${hex(code, 1)};`, ...(named === undefined ? [] : [`&${named};`])];
  return `(?:${[...escaped, ...forms, ...html, ...plus].join("|")})`;
}

/** Returns patterns of the base64 of a text with a key at each of the three offsets, without letters that the rest decides. */
function base64Patterns(key: string): string[] {
  const bytes = Buffer.from(key, "utf8");
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const rest = (bytes.length + offset) % 3 === 0 ? "" : "[a-z0-9+/_-]?";
    const letters = encoded.slice(first, last).replaceAll("+", "[+-]").replaceAll("/", "[/_]");
    return letters + rest;
  });
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
    for (const name of [...Reflect.ownKeys(one), "formattedMessage"]) {
      const value: unknown = Reflect.get(one, name);
      if (name === "errors" || name === "cause" || value === undefined) continue;
      const covered = coveredMember(value);
      const text = typeof covered === "string" ? shown(covered) : covered;
      if (text !== value)
        Reflect.defineProperty(one, name, { value: text, configurable: true, writable: true });
    }
  }
}

/**
 * Returns a member of a foreign error without keys. A class instance may be in use: it is not changed, and where it shows
 * a key, what it shows takes its place.
 */
function coveredMember(value: unknown): unknown {
  const isPlain = Array.isArray(value) || isPlainObject(value);
  if (typeof value === "object" && value !== null && !isPlain) {
    const text = inspect(value, { depth: 10, showHidden: true, maxStringLength: null });
    const covered = SECRETS.redact(text);
    return covered === text ? value : covered;
  }
  try {
    return SECRETS.redactValue(value);
  } catch {
    // Nested too deeply to be searched.
    return undefined;
  }
}

function isPlainObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
