import { findNodeAtLocation, type Node, parseTree, visit } from "jsonc-parser";

import { grouped } from "./text.js";
import { hdpError } from "../errors/hdp-error.js";

interface JsonReading {
  readonly source?: string | undefined;
  /** Whether the text may have comments (`// …` and `/* … *\/`), as hand-written files do. */
  readonly comments?: boolean | undefined;
  /** Maximum number of values. Default: 500,000 if integers are parsed exactly, otherwise 1,000,000. */
  readonly maxValues?: number | undefined;
  /** Creates the error for text that is not JSON: `line 1, column 14: unexpected "}"`. Default: HDP-1001. */
  readonly notJson?: ((sentence: string) => Error) | undefined;
}

/**
 * Parses JSON text. Integers that a JavaScript number cannot hold become bigints; numbers with a point or an exponent
 * stay text, as written. A key that occurs twice in an object is an error.
 * @throws HDP-1001 with line and column, or the error of `notJson`
 */
export function parseJsonText(text: string, reading: JsonReading = {}): unknown {
  return read(withoutMark(text), reading, exactNumber, true);
}

/**
 * Parses long JSON text from outside: numbers become JavaScript numbers, and the last value of a repeated key counts.
 * @param rounded creates the error for an integer that would be rounded. Default: such integers are rounded
 * @throws HDP-1001 with line and column, or the error of `notJson`
 */
export function parsePlainJson(
  text: string,
  reading: JsonReading = {},
  rounded?: (written: string) => Error,
): unknown {
  const json = withoutMark(text);
  if (rounded !== undefined) {
    return read(json, reading, (value, written) => {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw rounded(written);
      return value;
    });
  }
  // Several times as fast, but its errors have no position.
  const plain = jsonOrUndefined(json, reading.maxValues);
  return plain ?? read(json, { maxValues: MAX_VALUES, ...reading }, (value) => value);
}

/** Maximum number of values in machine-written JSON. It bounds the time and memory of parsing. */
const MAX_VALUES = 1_000_000;

/** Returns what is wrong with a text of too many values, or undefined. Counts commas and brackets, in strings too. */
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

/** Parses machine-written JSON with JavaScript's numbers; `undefined` if it is not JSON, or has too many values. */
export function jsonOrUndefined(text: string, maxValues = MAX_VALUES): unknown {
  if (excessOfValues(text, maxValues) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON of a value; bigints become decimal text. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item),
    indent,
  );
}

/** Far deeper than the JSON of any service, far less than the depth at which JSON.stringify overflows the stack. */
const MAX_SHOWN_DEPTH = 500;

/** Returns the JSON of a value from outside: without deep levels, and not indented where it would be too long. */
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
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutDepths(item, levels - 1)]),
  );
}

/** Returns the text without the byte order mark that editors on Windows prepend. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Returns an integer exactly; other numbers, and integers of more digits than any value has, stay text. */
function exactNumber(value: number, written: string): unknown {
  if (!/^-?\d{1,300}$/.test(written)) return written;
  return Number.isSafeInteger(value) ? value : BigInt(written);
}

/** Maximum depth of nested lists and objects: files have a tenth of it, and some thousands overflow the stack. */
const MAX_DEPTH = 1_000;

/** The parser allocates 40 bytes for each of many consecutive blanks: a body of blanks would take 600 MiB. */
const TOO_BLANK = /(?<![ \t])[ \t]{10000}/;

/** Far more than any file of tasks has: 100,000 inputs of modules are 200,000 values. */
const MAX_EXACT_VALUES = 500_000;

const SYNTAX = "Usual causes: a comma after the last item, a missing quote or bracket.";
const TWICE = "Leave one of the two: which value is meant is not known.";
const LENGTH = "Give the values in several files.";
const DEPTH =
  "Nothing that is read here is nested that deeply: look for brackets that are opened and not closed.";

/** Builds the value of a JSON text. @param number makes the value of a number, from what JavaScript reads and what is written */
function read(
  text: string,
  { source, notJson, comments = false, maxValues = MAX_EXACT_VALUES }: JsonReading,
  number: (value: number, written: string) => unknown,
  refusesRepeatedKeys = false,
): unknown {
  const fail = (offset: number, what: string, hint: string): Error => {
    const before = text.slice(0, offset).split("\n");
    const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
    const sentence = `line ${line}, column ${column}: ${what}`;
    if (notJson !== undefined) return notJson(sentence);
    const place = source === undefined ? undefined : `${source}:${line}:${column}`;
    return hdpError("HDP-1001", { place: sentence }, { source: place, hints: [hint] });
  };
  const excess = excessOfValues(text, maxValues);
  if (excess !== undefined) throw fail(0, excess, LENGTH);
  const blank = TOO_BLANK.exec(text);
  if (blank !== null) throw fail(blank.index, "10,000 blanks in a row", SYNTAX);
  const tree = new JsonTree();
  const begin = (value: Container, offset: number): void => {
    if (tree.depth === MAX_DEPTH)
      throw fail(offset, `it is nested deeper than ${MAX_DEPTH} levels`, DEPTH);
    tree.open(value);
  };
  visit(
    text,
    {
      onArrayBegin: (offset) => begin([], offset),
      onObjectBegin: (offset) => begin({}, offset),
      onArrayEnd: () => tree.close(),
      onObjectEnd: () => tree.close(),
      onObjectProperty: (name, offset, length) => {
        if (refusesRepeatedKeys && tree.has(name))
          throw fail(offset, `the key ${text.slice(offset, offset + length)} occurs twice`, TWICE);
        tree.name(name);
      },
      onLiteralValue: (value: unknown, offset, length) =>
        tree.add(
          typeof value === "number" ? number(value, text.slice(offset, offset + length)) : value,
        ),
      onError: (_code, offset) => {
        const found =
          offset >= text.length
            ? "the text ends here"
            : `unexpected ${JSON.stringify(text.charAt(offset))}`;
        throw fail(offset, found, SYNTAX);
      },
    },
    { disallowComments: !comments, allowTrailingComma: false, allowEmptyContent: false },
  );
  return tree.root;
}

type Container = unknown[] | Record<string, unknown>;

/** A JSON value that is built while its text is read. */
class JsonTree {
  /** The whole value. */
  public root: unknown;
  /** The lists and objects that are not closed yet, outermost first. */
  readonly #open: Container[] = [];
  /** Name of the member that is added next. */
  #key = "";

  public get depth(): number {
    return this.#open.length;
  }

  /** Returns whether the innermost open object has a member. */
  public has(name: string): boolean {
    return Object.hasOwn(this.#open.at(-1) ?? {}, name);
  }

  public name(key: string): void {
    this.#key = key;
  }

  public open(value: Container): void {
    this.add(value);
    this.#open.push(value);
  }

  public close(): void {
    this.#open.pop();
  }

  public add(value: unknown): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else if (this.#key !== "__proto__") parent[this.#key] = value;
    else defineMember(parent, this.#key, value);
  }
}

/** Sets a member of any name: an assignment to `__proto__` would set the object's prototype. */
function defineMember(parent: object, key: string, value: unknown): void {
  const descriptor = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, key, descriptor);
}

/** Returns a function that finds a value, or its nearest parent, in JSON text: `9:28` for `tasks[0].compute`. */
export function placesIn(text: string): (path: string) => string {
  let tree: Node | undefined;
  return (path) => {
    tree ??= parseTree(withoutMark(text));
    const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
    let found: Node | undefined;
    for (
      let length = keys.length;
      tree !== undefined && found === undefined && length >= 0;
      length -= 1
    ) {
      const place = keys.slice(0, length).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      found = findNodeAtLocation(tree, place);
    }
    const before = withoutMark(text)
      .slice(0, found?.offset ?? 0)
      .split("\n");
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  };
}
