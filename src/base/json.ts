import { isRecord } from "./collections.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";

const WHITESPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Where text stops being JSON, or says a thing twice. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** As in `line 1, column 14: unexpected "}"`. */
  readonly sentence: string;
}

export interface JsonReading {
  /** Where the text came from, for the error. */
  readonly source?: string | undefined;
  /** Whether comments (`// …`) may follow, on a line or below it, as in files that people write. */
  readonly comments?: boolean | undefined;
  /** The error of text that is not JSON. Default: HDP-1001. */
  readonly notJson?: ((fault: JsonFault, cause: unknown) => Error) | undefined;
}

/**
 * Parses JSON text. Integers that a JavaScript number cannot hold are read exactly, as bigints; numbers with a point
 * or an exponent stay as written, as text, so that nothing is rounded to an integer. A key that occurs twice in an
 * object is refused: which of its values is meant is not known.
 *
 * @throws HDP-1001 with line and column where the text is not JSON, or the error of `notJson`
 */
export function parseJsonText(text: string, reading: JsonReading = {}): unknown {
  return parse(text, reading, { exactly: true, number: exactNumber });
}

/**
 * Parses JSON text that others wrote in great length: numbers become JavaScript's, of a key that occurs twice the last
 * value counts.
 *
 * @param rounded makes the error of an integer that would be rounded. Default: such integers are rounded
 * @throws as {@link parseJsonText}
 */
export function parsePlainJson(text: string, reading: JsonReading = {}, rounded?: (written: string) => Error): unknown {
  if (rounded === undefined) return parse(text, reading, { exactly: false });
  const number = (value: number, written: string | undefined): unknown => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw rounded(written ?? String(value));
    return value;
  };
  return parse(text, reading, { exactly: false, number });
}

/** What text says that a machine wrote: JavaScript's numbers; `undefined` for what is no JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON of a value that may hold bigints: they become decimal text. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), indent);
}

/** Far above what any service sends, far below where writing JSON ends the stack. */
const MOST_SHOWN_DEPTH = 500;

/**
 * The same of a value that others made, to be shown: what is nested too deeply is left out and said, and what would be
 * longer than a text can be is not indented.
 */
export function shownJson(value: unknown, indent?: number): string {
  try {
    return jsonText(value, indent);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return jsonText(withoutDepths(value, MOST_SHOWN_DEPTH));
  }
}

function withoutDepths(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return `… nested deeper than ${MOST_SHOWN_DEPTH} levels`;
  if (Array.isArray(value)) return value.map((item) => withoutDepths(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDepths(item, levels - 1)]));
}

interface Rules {
  readonly exactly: boolean;
  readonly number?: (value: number, written: string | undefined) => unknown;
}

function parse(text: string, { source, notJson, comments }: JsonReading, { exactly, number }: Rules): unknown {
  // Editors on Windows put a byte order mark in front.
  const marked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const json = comments === true ? withoutComments(marked) : marked;
  const fail = (offset: number, what: string, cause: unknown): Error => {
    const fault = faultAt(json, offset, what);
    return notJson?.(fault, cause) ?? syntaxError(fault, source, cause);
  };
  let value: unknown;
  try {
    value =
      number === undefined
        ? JSON.parse(json)
        : JSON.parse(json, (_key, item: unknown, context?: { readonly source?: string }) =>
            typeof item === "number" ? number(item, context?.source) : item,
          );
  } catch (error) {
    const { offset, tooDeep } = error instanceof SyntaxError || error instanceof RangeError ? scan(json) : {};
    if (tooDeep !== undefined) throw fail(tooDeep, TOO_DEEP, undefined);
    if (offset === undefined || !(error instanceof SyntaxError)) throw error;
    const found = offset >= json.length ? "the text ends here" : `unexpected ${JSON.stringify(json.charAt(offset))}`;
    throw fail(offset, found, error);
  }
  const { repeated, tooDeep } = exactly ? scan(json) : {};
  if (tooDeep !== undefined) throw fail(tooDeep, TOO_DEEP, undefined);
  if (repeated !== undefined) throw fail(repeated.offset, `the key ${repeated.key} occurs twice`, undefined);
  return value;
}

/** Lists and objects inside each other; nothing that is read has a tenth of it, and some thousands end the stack. */
const MOST_DEPTH = 1_000;
const TOO_DEEP = `it is nested deeper than ${MOST_DEPTH} levels`;

function exactNumber(value: number, written: string | undefined): unknown {
  if (written === undefined) return value;
  // More digits than 256 bits have are no integer of anything either, and take long to convert.
  if (!/^-?\d{1,300}$/.test(written)) return written;
  return Number.isSafeInteger(value) ? value : BigInt(written);
}

function faultAt(text: string, offset: number, what: string): JsonFault {
  const before = text.slice(0, offset).split("\n");
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line, column, sentence: `line ${line}, column ${column}: ${what}` };
}

function syntaxError({ line, column, sentence }: JsonFault, source: string | undefined, cause: unknown): HdpError {
  const fix = sentence.endsWith(TOO_DEEP)
    ? "Nothing that is read here is nested that deeply: look for brackets that are opened and not closed."
    : cause === undefined
      ? "Leave one of the two: which value is meant is not known."
      : "Usual causes: a comma after the last item, a missing quote, a comment other than // at the end of a line.";
  const place = source === undefined ? undefined : `${source}:${line}:${column}`;
  return hdpError("HDP-1001", { place: sentence }, { source: place, hints: [fix], cause });
}

interface Scanned {
  /** Of the first character that cannot continue a JSON document; the length where the text ends, early or not. */
  readonly offset: number;
  /** Of the first list or object that is nested too deeply; nothing behind it is looked at. */
  readonly tooDeep?: number | undefined;
  /** The first key that its object has already, as written. */
  readonly repeated?: { readonly offset: number; readonly key: string } | undefined;
}

function scan(text: string): Scanned {
  const open: { readonly bracket: "{" | "["; readonly keys: Set<string> }[] = [];
  let expected: "value" | "first item" | "key" | "first key" | "colon" | "end" = "value";
  let repeated: Scanned["repeated"];
  let at = 0;
  for (;;) {
    at += match(WHITESPACE, text, at);
    const character = text.charAt(at);
    const inside = open.at(-1);
    if (inside !== undefined && character === (inside.bracket === "{" ? "}" : "]") && /^(end|first)/.test(expected)) {
      open.pop();
      at += 1;
      expected = "end";
    } else if (expected === "end") {
      if (character !== "," || inside === undefined) return { offset: at, repeated };
      at += 1;
      expected = inside.bracket === "{" ? "key" : "value";
    } else if (expected === "colon") {
      if (character !== ":") return { offset: at };
      at += 1;
      expected = "value";
    } else if (expected === "key" || expected === "first key") {
      const length = stringLength(text, at);
      if (length === 0) return { offset: at };
      const key = text.slice(at, at + length);
      const name = key.includes("\\") ? String(JSON.parse(key)) : key.slice(1, -1);
      if (inside?.keys.has(name) === true) repeated ??= { offset: at, key };
      inside?.keys.add(name);
      at += length;
      expected = "colon";
    } else if (character === "{" || character === "[") {
      if (open.length === MOST_DEPTH) return { offset: at, tooDeep: at };
      open.push({ bracket: character, keys: new Set() });
      at += 1;
      expected = character === "{" ? "first key" : "first item";
    } else {
      const length = stringLength(text, at) || match(SCALAR, text, at);
      if (length === 0) return { offset: at };
      at += length;
      expected = "end";
    }
  }
}

/** The text with blanks in place of the comments after something, so that every place stays where it was. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = match(WHITESPACE, text, 0) + 1; at < text.length;) {
    if (text.startsWith("//", at)) {
      const end = at + match(/[^\n\r]*/y, text, at);
      parts.push(text.slice(kept, at), " ".repeat(end - at));
      kept = at = end;
    } else {
      at += stringLength(text, at) || 1;
    }
  }
  return parts.join("") + text.slice(kept);
}

/** Length of a string literal at an offset, 0 where there is none. No pattern: those overflow on long strings. */
function stringLength(text: string, at: number): number {
  if (text.charAt(at) !== '"') return 0;
  for (let index = at + 1; ;) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return index + 1 - at;
    const length = code === 0x5c ? match(ESCAPE, text, index) : 1;
    // Control characters, and NaN where the text ends.
    if (!(code >= 0x20) || length === 0) return 0;
    index += length;
  }
}

/** Length of what a sticky pattern matches at an offset. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** A copy of parsed JSON that later changes of it do not reach. */
export function copyJson<T>(value: T): T;
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key]);
  return copy;
}

/** Whether two parsed JSON documents are the same, the order of keys aside. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index += 1) {
      if (!sameJson(left[index], right[index])) return false;
    }
    return true;
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}
