import { duplicateKey } from "./duplicate-keys.js";
import { HdpError } from "./errors.js";

const WHITESPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Parses JSON text. Integers that a JavaScript number cannot hold are read exactly, as bigints; numbers with a point
 * or an exponent stay as written, as text, so that nothing is rounded to an integer.
 *
 * @throws HDP-1001 with line and column where the text is not JSON, HDP-1002 where an object has a key twice
 */
export function parseJsonText(text: string, source?: string): unknown {
  // Editors on Windows put a byte order mark in front.
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json, (_key, inner: unknown, context?: { readonly source?: string }) =>
      typeof inner === "number" ? exactNumber(inner, context?.source) : inner,
    );
  } catch (error) {
    throw syntaxError(json, source, error);
  }
  const twice = duplicateKey(json);
  if (twice === undefined) return value;
  const { line, column } = placeOf(json, twice.offset);
  throw new HdpError({
    code: "HDP-1002",
    message: `The key ${JSON.stringify(twice.key.slice(0, 80))} is written twice in one object: the second time at line ${line}, column ${column}.`,
    ...(source === undefined ? {} : { source: `${source}:${line}:${column}` }),
    hints: ["Which of the two values is meant cannot be known: leave one of them out."],
  });
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function exactNumber(value: number, written: string | undefined): unknown {
  if (written === undefined) return value;
  if (!/^-?\d+$/.test(written)) return written;
  return Number.isSafeInteger(value) ? value : BigInt(written);
}

/** Where text stops being JSON, and on what, as in `line 1, column 14: unexpected "}"`. */
export function notJsonAt(text: string): { readonly line: number; readonly column: number; readonly sentence: string } {
  const offset = firstError(text);
  const { line, column } = placeOf(text, offset);
  const found = offset >= text.length ? "the text ends here" : `unexpected ${JSON.stringify(text.charAt(offset))}`;
  return { line, column, sentence: `line ${line}, column ${column}: ${found}` };
}

function syntaxError(text: string, source: string | undefined, cause: unknown): HdpError {
  const { line, column, sentence } = notJsonAt(text);
  return new HdpError({
    code: "HDP-1001",
    message: `Not JSON at ${sentence}.`,
    ...(source === undefined ? {} : { source: `${source}:${line}:${column}` }),
    hints: ["Usual causes: a comma after the last item, a missing quote, a comment."],
    cause,
  });
}

/** Offset of the first character that cannot continue a JSON document; the length where the text ends too early. */
function firstError(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: "value" | "first item" | "key" | "first key" | "colon" | "end" = "value";
  let at = 0;
  for (;;) {
    at += match(WHITESPACE, text, at);
    const character = text.charAt(at);
    const inside = open.at(-1);
    if (character === (inside === "{" ? "}" : "]") && inside !== undefined && /^(end|first)/.test(expected)) {
      open.pop();
      at += 1;
      expected = "end";
    } else if (expected === "end") {
      if (character !== "," || inside === undefined) return at;
      at += 1;
      expected = inside === "{" ? "key" : "value";
    } else if (expected === "colon") {
      if (character !== ":") return at;
      at += 1;
      expected = "value";
    } else if (expected === "key" || expected === "first key") {
      const length = match(STRING, text, at);
      if (length === 0) return at;
      at += length;
      expected = "colon";
    } else if (character === "{" || character === "[") {
      open.push(character);
      at += 1;
      expected = character === "{" ? "first key" : "first item";
    } else {
      const length = match(STRING, text, at) || match(SCALAR, text, at);
      if (length === 0) return at;
      at += length;
      expected = "end";
    }
  }
}

/** Length of what a sticky pattern matches at an offset. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
