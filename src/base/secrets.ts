import { isRecord } from "./collections.js";

const REDACTED = "[redacted]";

/** Shorter keys are not removed: a word such as `local` would be missing from every message. */
const MIN_KEY_LENGTH = 6;

/**
 * Removes API keys from text from outside, in any letter case: verbatim, percent-encoded, with JSON escapes, and in
 * base64.
 */
export class Redactor {
  #forms: readonly string[] = [];
  #pattern: RegExp | undefined;
  #longest = 0;

  public learn(key: string): void {
    if (key.length < MIN_KEY_LENGTH || this.#forms.includes(key)) return;
    this.#forms = [...new Set([...this.#forms, ...formsOf(key)])].sort((one, other) => other.length - one.length);
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern = new RegExp(this.#forms.map((form) => form.replace(/\W/g, "\\$&")).join("|"), "gi");
  }

  /**
   * Returns the text, or its first `most` characters, without keys. A key across the cut is removed as a whole.
   */
  public redact(text: string, most = text.length): string {
    let shown = "";
    let at = 0;
    const matches = this.#pattern === undefined ? [] : text.slice(0, most + this.#longest).matchAll(this.#pattern);
    for (const { index, 0: found } of matches) {
      if (index >= most) break;
      shown += text.slice(at, index) + REDACTED;
      at = index + found.length;
    }
    return shown + text.slice(at, Math.max(at, most));
  }

  /**
   * Returns a JSON value with keys removed from all its strings.
   *
   * @throws RangeError for a value that is nested too deeply
   */
  public redactValue(value: unknown): unknown {
    if (this.#pattern === undefined) return value;
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item) => this.redactValue(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.redact(name), this.redactValue(item)]));
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
    ...[1, 2, 3].flatMap((before) => base64Within(key, before)),
  ];
}

/** Returns the base64 of a key after `before` other bytes (as in `user:key`), without the characters they share. */
function base64Within(key: string, before: number): string[] {
  const bytes = Buffer.from(" ".repeat(before) + key, "utf8");
  const whole = bytes
    .subarray(0, bytes.length - (bytes.length % 3))
    .toString("base64")
    .slice(before === 3 ? 4 : before + 1);
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}

/** The keys read so far by this process, removed from errors, output, documents and the database of submissions. */
export const SECRETS = new Redactor();

const KEY_NAME = /key|token|secret|auth|pass|sig|access/i;
const looksLikeKey = (text: string): boolean => text.length >= 20 || (text.length >= 10 && /\d/.test(text));

/** Registers the keys in an address (user, password, parts of path and query that resemble keys) and returns it. */
export function learnAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { username, password, searchParams, pathname } = new URL(address);
  const values = [...searchParams].filter(([name, value]) => KEY_NAME.test(name) || looksLikeKey(value));
  const segments = pathname.split("/").filter(looksLikeKey);
  for (const key of [username, password, ...segments]) SECRETS.learn(decoded(key));
  for (const [, key] of values) SECRETS.learn(key);
  return address;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns whether a value is plain JSON, such as the data of a node's error. Class instances may be in use. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value) || (isRecord(value) && Object.getPrototypeOf(value) === Object.prototype);
}

/** Returns a copy of JSON without keys, or undefined if it is nested too deeply to be searched. */
function withoutKeys(value: unknown): unknown {
  try {
    return SECRETS.redactValue(value);
  } catch {
    return undefined;
  }
}

const MAX_CAUSES = 50;

/** Removes the known keys from the texts of a foreign error and of its causes, which may quote addresses. */
export function coverSecrets(error: unknown): void {
  const seen = new Set<unknown>();
  const waiting = [error];
  while (waiting.length > 0 && seen.size < MAX_CAUSES) {
    const one = waiting.pop();
    if (!(one instanceof Error) || seen.has(one)) continue;
    seen.add(one);
    const errors: unknown = "errors" in one ? one.errors : undefined;
    waiting.push(...[one.cause, errors].flat());
    for (const name of Object.getOwnPropertyNames(one)) {
      const value: unknown = Reflect.get(one, name);
      if (name === "errors" || (typeof value !== "string" && !isPlain(value))) continue;
      const shown = withoutKeys(value);
      if (shown !== value) Reflect.defineProperty(one, name, { value: shown, configurable: true, writable: true });
    }
  }
}
