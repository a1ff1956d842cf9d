import { shownJson } from "../../base/json.js";
import { printable } from "../../base/untrusted-text.js";
import { inspect } from "node:util";

/**
 * Gives an API key when one is needed. It is called when a request that carries the key is about to be sent, never
 * before, and once per client.
 */
export type KeySource = () => Promise<string>;

export const REDACTED = "[redacted]";

/** An API key that cannot be printed by accident: every way of turning it into text gives `[redacted]`. */
export class Secret {
  readonly #value: string;

  public constructor(value: string) {
    this.#value = value;
  }

  /** The key itself, for the one place that puts it on the wire and for the redactor. */
  public expose(): string {
    return this.#value;
  }

  public toString(): string {
    return REDACTED;
  }

  public toJSON(): string {
    return REDACTED;
  }

  public [inspect.custom](): string {
    return REDACTED;
  }
}

/**
 * Takes a key out of text that others wrote: a service may echo it as it is, percent-encoded, with JSON or HTML
 * escapes (whole or in part, also twice), in hex or base64 at any offset, or cut short.
 *
 * Letter case is ignored. Keys under 6 characters are taken out only where they stand alone: as a part of words they
 * would make every message unreadable.
 */
export class Redactor {
  #keys: readonly string[] = [];
  #whole: readonly string[] = [];
  #pieces: readonly string[] = [];

  public learn(secret: Secret): void {
    this.#keys = [...this.#keys, secret.expose()];
    const forms = this.#keys.flatMap(formsOf);
    this.#whole = [...new Set(forms)];
    this.#pieces = [...new Set(forms.flatMap(piecesOf))];
  }

  /** For error text: also takes out pieces of the key (half of it, or 8 characters in a row). */
  public redact(text: string): string {
    return hide(text, this.#pieces);
  }

  /** For reply data: only the whole key, so that no other value is touched. */
  public redactText(text: string): string {
    return hide(text, this.#whole);
  }

  /** `redactText` for every string of a JSON value. */
  public redactValue(value: unknown): unknown {
    const root: unknown[] = [];
    // Without recursion: a reply may be nested deeper than calls can be.
    const open: { readonly value: unknown; readonly put: (redacted: unknown) => void }[] = [
      { value, put: (redacted) => root.push(redacted) },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) next.put(this.#shell(next.value, open));
    return root[0];
  }

  /** A value whose items are still to be put into it; they are appended to `open`. */
  #shell(value: unknown, open: { readonly value: unknown; readonly put: (redacted: unknown) => void }[]): unknown {
    if (typeof value === "string") return this.redactText(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const list: unknown[] = new Array(value.length);
      for (const [index, item] of value.entries()) {
        open.push({ value: item, put: (redacted) => (list[index] = redacted) });
      }
      return list;
    }
    const members: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      const key = this.redactText(name);
      const define = (redacted: unknown): void => {
        Object.defineProperty(members, key, { value: redacted, enumerable: true, configurable: true, writable: true });
      };
      // The order of members is that of the reply; items are put in later.
      define(undefined);
      open.push({ value: item, put: define });
    }
    return members;
  }
}

function hide(text: string, forms: readonly string[]): string {
  if (forms.length === 0 || text === "") return text;
  const hidden: [number, number][] = [];
  let layer: Layer | undefined = { text: text.toLowerCase(), start: undefined };
  for (let pass = 0; layer !== undefined && pass < MAX_DECODINGS; pass++) {
    for (const form of forms) find(layer, form, hidden);
    layer = decode(layer, text.length);
  }
  return cover(text, hidden);
}

/** A text after some rounds of decoding, with where each of its characters starts in the original. */
interface Layer {
  readonly text: string;
  /** One entry a character and one for the end; undefined for the original itself. */
  readonly start: readonly number[] | undefined;
}

const MAX_DECODINGS = 5;
const SHORT_KEY = 6;

/** What counts as a piece of a form of the key: every run of half its characters, at least 6 and at most 8. */
function piecesOf(form: string): string[] {
  if (form.length < SHORT_KEY) return [form];
  const length = Math.max(6, Math.min(8, Math.ceil(form.length / 2)));
  return Array.from({ length: form.length - length + 1 }, (_, from) => form.slice(from, from + length));
}

function formsOf(key: string): string[] {
  const bytes = Buffer.from(key, "utf8");
  const forms = [key.toLowerCase()];
  if (key.length < SHORT_KEY) return forms;
  forms.push(bytes.toString("hex"));
  for (let offset = 0; offset < 3; offset++) {
    // Only characters made of the key's own bits: those at the edges also hold bits of the neighbours.
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const own = encoded.slice(first, last).toLowerCase();
    forms.push(own, own.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function find(layer: Layer, form: string, hidden: [number, number][]): void {
  const { text } = layer;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const end = at + form.length;
    if (form.length < SHORT_KEY && (isWord(text[at - 1]) || isWord(text[end]))) continue;
    hidden.push([layer.start?.[at] ?? at, layer.start?.[end] ?? end]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[a-z0-9]/.test(character);
}

/** Percent, JSON, JavaScript and HTML escapes of one ASCII character; keys hold nothing else. */
const ESCAPE =
  /%([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,4});|&#([0-9]{1,4});|&(amp|lt|gt|quot|apos);|\\(["\\/])|\\([bfnrt])/g;
const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decode(layer: Layer, originalLength: number): Layer | undefined {
  let text = "";
  const start: number[] = [];
  let from = 0;
  const origin = (index: number): number => layer.start?.[index] ?? index;
  const keep = (until: number): void => {
    text += layer.text.slice(from, until);
    for (let index = from; index < until; index++) start.push(origin(index));
  };
  for (const match of layer.text.matchAll(ESCAPE)) {
    const [whole, percent, unicode, byte, htmlHex, htmlDecimal, entity, escaped, control] = match;
    const hex = percent ?? unicode ?? byte ?? htmlHex;
    const code = hex === undefined ? Number(htmlDecimal) : Number.parseInt(hex, 16);
    const named = entity === undefined ? undefined : ENTITIES.get(entity);
    const character = escaped ?? named ?? (control === undefined ? String.fromCharCode(code) : " ");
    keep(match.index);
    text += character.toLowerCase();
    start.push(origin(match.index));
    from = match.index + whole.length;
  }
  if (from === 0) return undefined;
  keep(layer.text.length);
  start.push(originalLength);
  return { text, start };
}

function cover(text: string, hidden: readonly [number, number][]): string {
  if (hidden.length === 0) return text;
  let covered = "";
  let at = 0;
  let end = -1;
  for (const [from, to] of hidden.toSorted((a, b) => a[0] - b[0])) {
    if (from > end) {
      covered += (end === -1 ? text.slice(0, from) : text.slice(at, from)) + REDACTED;
    }
    end = Math.max(end, to);
    at = end;
  }
  return covered + text.slice(at);
}

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
  return printable(text, MAX_QUOTE + 1);
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
    return typeof word === "object" && word !== null ? [shownJson(word)] : [];
  });
  return sentences.length > 0 ? sentences.join(": ") : body;
}
