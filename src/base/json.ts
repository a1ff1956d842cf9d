import { findNodeAtLocation, type Node, parseTree, visit } from "jsonc-parser";

import { isRecord } from "./collections.js";
import { grouped } from "./text.js";
import { hdpError } from "../errors/hdp-error.js";

/** A place where text is not JSON, or has a key twice. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** As in `line 1, column 14: unexpected "}"`. */
  readonly sentence: string;
}

interface JsonReading {
  /** Where the text came from, for the error. */
  readonly source?: string | undefined;
  /** Whether the text may have comments (`// …` and `/* … *\/`), as files that people write. */
  readonly comments?: boolean | undefined;
  /** Values that are parsed at most. Default: 500,000 where integers are exact, otherwise 1,000,000. */
  readonly maxValues?: number | undefined;
  /** Makes the error of text that is not JSON, or has too many values. Default: HDP-1001. */
  readonly notJson?: ((fault: JsonFault) => Error) | undefined;
}

/**
 * Parses JSON text. Integers that a JavaScript number cannot hold become bigints; numbers with a point or an exponent
 * stay text, as written. A key that occurs twice in an object is an error.
 *
 * @throws HDP-1001 with line and column, or the error of `notJson`
 */
export function parseJsonText(text: string, reading: JsonReading = {}): unknown {
  return read(withoutMark(text), reading, exactNumber, true);
}

/**
 * Parses long JSON text of others: numbers become JavaScript's, and of a key that occurs twice the last value counts.
 *
 * @param rounded makes the error of an integer that would be rounded. Default: such integers are rounded
 * @throws HDP-1001 with line and column, or the error of `notJson`
 */
export function parsePlainJson(text: string, reading: JsonReading = {}, rounded?: (written: string) => Error): unknown {
  const json = withoutMark(text);
  if (rounded !== undefined) {
    return read(json, reading, (value, written) => {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw rounded(written);
      return value;
    });
  }
  // Several times as fast, but its errors have no place.
  return (
    jsonOrUndefined(json, reading.maxValues) ?? read(json, { maxValues: MAX_VALUES, ...reading }, (value) => value)
  );
}

/** Values of a JSON text that machines write. They decide how much time and memory parsing takes. */
const MAX_VALUES = 1_000_000;

/**
 * Returns what is wrong with a JSON text of too many values, as a clause; undefined for one that may be parsed. Commas and
 * opening brackets are counted, in strings too.
 */
export function excessOfValues(text: string, maxValues = MAX_VALUES): string | undefined {
  let values = 0;
  for (const mark of [",", "[", "{"]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      values += 1;
      if (values > maxValues) return `it has more than ${grouped(maxValues)} values`;
    }
  }
  return undefined;
}

/** JSON text of machines, with JavaScript's numbers; `undefined` for text that is not JSON, or has too many values. */
export function jsonOrUndefined(text: string, maxValues = MAX_VALUES): unknown {
  if (excessOfValues(text, maxValues) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON of a value that may hold bigints, which become decimal text. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item), indent);
}

/** Far above what any service sends, far below where writing JSON ends the stack. */
const MAX_SHOWN_DEPTH = 500;

/**
 * JSON of a value that others made, to be shown: deeper levels are left out, and text that would be too long is not
 * indented.
 */
export function shownJson(value: unknown, indent?: number): string {
  try {
    return jsonText(value, indent);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return jsonText(withoutDepths(value, MAX_SHOWN_DEPTH));
  }
}

function withoutDepths(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return `… nested deeper than ${MAX_SHOWN_DEPTH} levels`;
  if (Array.isArray(value)) return value.map((item) => withoutDepths(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDepths(item, levels - 1)]));
}

/** Editors on Windows put a byte order mark in front. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Integers are exact; other numbers, and integers of more digits than any value has, stay text. */
function exactNumber(value: number, written: string): unknown {
  if (!/^-?\d{1,300}$/.test(written)) return written;
  return Number.isSafeInteger(value) ? value : BigInt(written);
}

/** Lists and objects in each other; files have a tenth of it, and some thousands end the stack. */
const MAX_DEPTH = 1_000;

/** The parser takes 40 bytes for each of the blanks in a row: a request body of blanks would take 600 MiB. */
const TOO_BLANK = /(?<![ \t])[ \t]{10000}/;

/** Far more than any file of tasks has: 100,000 inputs of modules are 200,000 values. */
const MAX_EXACT_VALUES = 500_000;

const SYNTAX = "Usual causes: a comma after the last item, a missing quote or bracket.";
const TWICE = "Leave one of the two: which value is meant is not known.";
const LENGTH = "Give the values in several files.";
const DEPTH = "Nothing that is read here is nested that deeply: look for brackets that are opened and not closed.";

function read(
  text: string,
  { source, notJson, comments = false, maxValues = MAX_EXACT_VALUES }: JsonReading,
  number: (value: number, written: string) => unknown,
  refusesTwins = false,
): unknown {
  const fail = (offset: number, what: string, hint: string): Error => {
    const before = text.slice(0, offset).split("\n");
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
    const fault = { line, column, sentence: `line ${line}, column ${column}: ${what}` };
    if (notJson !== undefined) return notJson(fault);
    const place = source === undefined ? undefined : `${source}:${line}:${column}`;
    return hdpError("HDP-1001", { place: fault.sentence }, { source: place, hints: [hint] });
  };
  const excess = excessOfValues(text, maxValues);
  if (excess !== undefined) throw fail(0, excess, LENGTH);
  const blank = TOO_BLANK.exec(text);
  if (blank !== null) throw fail(blank.index, "10,000 blanks in a row", SYNTAX);
  let root: unknown;
  let key = "";
  const open: (unknown[] | Record<string, unknown>)[] = [];
  const add = (value: unknown): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else if (key !== "__proto__") parent[key] = value;
    // An assignment would set the object's prototype.
    else Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
  };
  const begin = (value: unknown[] | Record<string, unknown>, offset: number): void => {
    if (open.length === MAX_DEPTH) throw fail(offset, `it is nested deeper than ${MAX_DEPTH} levels`, DEPTH);
    add(value);
    open.push(value);
  };
  const end = (): void => {
    open.pop();
  };
  visit(
    text,
    {
      onArrayBegin: (offset) => {
        begin([], offset);
      },
      onObjectBegin: (offset) => {
        begin({}, offset);
      },
      onArrayEnd: end,
      onObjectEnd: end,
      onObjectProperty: (name, offset, length) => {
        key = name;
        const isTwin = refusesTwins && Object.hasOwn(open.at(-1) ?? {}, name);
        if (isTwin) throw fail(offset, `the key ${text.slice(offset, offset + length)} occurs twice`, TWICE);
      },
      onLiteralValue: (value: unknown, offset, length) => {
        add(typeof value === "number" ? number(value, text.slice(offset, offset + length)) : value);
      },
      onError: (_code, offset) => {
        const found =
          offset >= text.length ? "the text ends here" : `unexpected ${JSON.stringify(text.charAt(offset))}`;
        throw fail(offset, found, SYNTAX);
      },
    },
    { disallowComments: !comments, allowTrailingComma: false, allowEmptyContent: false },
  );
  return root;
}

/**
 * Returns where values are in JSON text: `9:28` for the path `tasks[0].compute`, or for what is nearest above a missing
 * value. Reads the text at the first question.
 */
export function placesIn(text: string): (path: string) => string {
  let tree: Node | undefined;
  return (path) => {
    tree ??= parseTree(withoutMark(text));
    const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
    let found: Node | undefined;
    for (let length = keys.length; tree !== undefined && found === undefined && length >= 0; length -= 1) {
      found = findNodeAtLocation(
        tree,
        keys.slice(0, length).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      );
    }
    const before = withoutMark(text)
      .slice(0, found?.offset ?? 0)
      .split("\n");
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  };
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
