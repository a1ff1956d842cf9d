import type { Redactor } from "./secrets.js";

const MAX_QUOTE = 300;

/** Members of a JSON error body that hold sentences, in the order in which they are quoted. */
const WORD_MEMBERS = ["error", "message", "errorMessage", "details", "detail", "reason"];

/**
 * The service's own words from an error body: the sentences of a JSON object, or the text without markup. On one line,
 * without keys, at most 300 characters. Empty when it said nothing.
 */
export function serviceWords(body: string, redactor: Redactor): string {
  return oneLine(redactor.redact(sentencesOf(body)));
}

/** Any text of the service's for a message: redacted first, so that a cut cannot hide a piece of a key. */
export function quoted(text: string, redactor: Redactor): string {
  return oneLine(redactor.redact(text));
}

function oneLine(text: string): string {
  const line = text
    .replace(/\p{C}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line;
}

function sentencesOf(body: string): string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return /<html|<!doctype/i.test(body) ? body.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ") : body;
  }
  if (typeof json === "string") return json;
  if (typeof json !== "object" || json === null) return body;
  const members = new Map<string, unknown>(Object.entries(json));
  const sentences = WORD_MEMBERS.map((name) => members.get(name)).flatMap((word) => {
    if (typeof word === "string") return [word];
    return typeof word === "object" && word !== null ? [JSON.stringify(word)] : [];
  });
  return sentences.length > 0 ? sentences.join(": ") : body;
}
