import { REDACTED, SECRETS } from "../../errors/secrets.js";

/** An id, a hash or a felt: one token without punctuation. */
const TOKEN = /^[\w-]{1,128}$/;
/** A state's name. */
const STATE = /^[A-Za-z_]{3,64}$/;
/** Characters of a key from which on it stands in an id by no chance. */
const NO_CHANCE = 12;

/**
 * Returns a value of a reply without keys. A state stays, and so does an id, hash or felt that a short key is part of by
 * chance: what a reply is used for is not changed by what must not be shown.
 * @throws RangeError where it is nested too deeply
 */
export function withoutKeys(value: unknown, member = ""): unknown {
  if (typeof value === "string") return textWithoutKeys(value, member === "status");
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, member));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [SECRETS.redact(name), withoutKeys(item, name)]),
  );
}

/** Returns a text of a reply without keys, as {@link withoutKeys}. @param mayBeState whether a lone word is a state */
export function textWithoutKeys(text: string, mayBeState: boolean): string {
  const word = text.trim();
  if (mayBeState && STATE.test(word)) return text;
  const shown = SECRETS.redact(text);
  const removed = text.length - shown.replaceAll(REDACTED, "").length;
  const isByChance = TOKEN.test(word) && shown.trim() !== REDACTED && removed < NO_CHANCE;
  return isByChance ? text : shown;
}
