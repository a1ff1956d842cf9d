import { isRecord } from "../../base/collections.js";
import { jsonOrUndefined, shownJson } from "../../base/json.js";
import { printable } from "../../base/text.js";

export const REDACTED = "[redacted]";

/** Shorter keys are taken out only where they stand alone: as parts of words they would make every text unreadable. */
const MIN_KEY_LENGTH = 6;

/**
 * Takes API keys out of text that others wrote, in any letter case: as they are, percent-encoded, with JSON escapes, and in
 * base64.
 */
export class Redactor {
  #forms: readonly string[] = [];
  #pattern: RegExp | undefined;
  #longest = 0;

  public learn(key: string): void {
    this.#forms = [...this.#forms, ...formsOf(key)].sort((one, other) => other.length - one.length);
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern = new RegExp(this.#forms.map(patternOf).join("|"), "gi");
  }

  /**
   * Returns the text, or its first `most` characters, without keys. A key across the cut is taken out whole: none of it
   * is left.
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
   * Returns a JSON value with keys taken out of all its strings.
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
  if (key.length < MIN_KEY_LENGTH) return [key];
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

function patternOf(form: string): string {
  const pattern = form.replace(/\W/g, "\\$&");
  return form.length < MIN_KEY_LENGTH ? `(?<![a-z0-9])${pattern}(?![a-z0-9])` : pattern;
}

const MAX_QUOTE = 301;
/** Characters of a service's text that are looked at: white space and markup in it are not quoted. */
const MAX_READ = 4_096;

/** Returns a service's text for a message: on one line, without keys, at most 300 characters. */
export function quoted(text: string, redactor: Redactor): string {
  return printable(redactor.redact(text, MAX_READ), MAX_QUOTE);
}

/** Members of a JSON error body that hold sentences, in the order in which they are quoted. */
const WORD_MEMBERS = ["error", "message", "errorMessage", "details", "detail", "reason"];

/** Returns the service's own words from an error body, as `quoted`: the sentences of a JSON object, or the text without markup. */
export function serviceWords(body: string, redactor: Redactor): string {
  const json = jsonOrUndefined(body);
  if (typeof json === "string") return quoted(json, redactor);
  const words = isRecord(json) ? WORD_MEMBERS.map((name) => (Object.hasOwn(json, name) ? json[name] : undefined)) : [];
  const sentences = words.flatMap((word) => {
    if (typeof word === "string") return [word];
    return typeof word === "object" && word !== null ? [shownJson(word)] : [];
  });
  if (sentences.length > 0) return quoted(sentences.join(": "), redactor);
  const text = redactor.redact(body, MAX_READ);
  const isPage = json === undefined && /<html|<!doctype/i.test(text);
  return quoted(isPage ? text.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ") : text, redactor);
}
