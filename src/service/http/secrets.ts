import { isRecord } from "../../base/collections.js";
import { jsonOrUndefined, shownJson } from "../../base/json.js";
import { SECRETS } from "../../base/secrets.js";
import { printable } from "../../base/text.js";

const MAX_QUOTE = 301;
/** Characters of a service's text that are read. Messages omit white space and markup. */
const MAX_READ = 4_096;

/** Returns a service's text for a message: on one line, without keys, at most 300 characters. */
export function quoted(text: string): string {
  return printable(SECRETS.redact(text, MAX_READ), MAX_QUOTE);
}

/** Members of a JSON error body with messages, in the order in which they are quoted. */
const WORD_MEMBERS = ["error", "message", "errorMessage", "details", "detail", "reason"];

/** Returns the messages of a JSON error body, or its text without markup, as `quoted` does. */
export function serviceWords(body: string): string {
  const json = jsonOrUndefined(body);
  if (typeof json === "string") return quoted(json);
  const words = isRecord(json) ? WORD_MEMBERS.map((name) => (Object.hasOwn(json, name) ? json[name] : undefined)) : [];
  const sentences = words.flatMap((word) => {
    if (typeof word === "string") return [word];
    return typeof word === "object" && word !== null ? [shownJson(word)] : [];
  });
  if (sentences.length > 0) return quoted(sentences.join(": "));
  const text = SECRETS.redact(body, MAX_READ);
  const isPage = json === undefined && /<html|<!doctype/i.test(text);
  return quoted(isPage ? text.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ") : text);
}
