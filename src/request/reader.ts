import { isRecord, keysOf } from "../base/collections.js";
import { nearest } from "../base/text.js";
import type { ErrorValue, ErrorValueName } from "../errors/catalogue.js";
import { filledIn, type HdpErrorCode } from "../errors/hdp-error.js";
import { jsonText } from "../base/json.js";
import { type MistakeDetails, TaskMistake, TaskRequestError } from "./task-request-error.js";

/** Which fields a task may compute over: those that support functions, or all that can be encoded and hashed. */
export type FieldChoice = "supported" | "encodable";

export interface ParseOptions {
  /** Where the input came from, for messages: a file's path, `stdin`. */
  readonly source?: string | undefined;
  /**
   * `supported` (default) refuses aggregate functions over fields that are not integers; `encodable` takes every
   * field that has a hash, for comparing hashes only.
   */
  readonly fields?: FieldChoice | undefined;
  /** How many mistakes to name, at least 1; the others are counted only. Default: all. */
  readonly maxMistakes?: number | undefined;
}

/** A JSON Schema. */
export type JsonForm = Readonly<Record<string, unknown>>;
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads one kind of value strictly. */
export interface Reader<T> {
  /** Returns the parsed value, or null after reporting every mistake in it. */
  readonly read: (value: unknown, place: Place) => T | null;
  /** Returns the JSON Schema of the accepted values, for editors. */
  readonly form: () => JsonForm;
  /** True where the key may be left out. */
  readonly optional?: true;
}

/**
 * Reads a whole document.
 *
 * @param path place of the document in a larger one, for messages
 * @throws TaskRequestError with every mistake at once
 */
export function parseWith<T>(
  reader: Pick<Reader<T>, "read">,
  json: unknown,
  options: ParseOptions = {},
  path?: string,
): T {
  const mistakes = new Mistakes(options);
  const read = reader.read(json, new Place(mistakes, path));
  if (read === null) throw mistakes.toError();
  return read;
}

/** Reads a value without reporting mistakes; null where it has any. */
export function readSilently<T>(reader: Reader<T>, value: unknown): T | null {
  return reader.read(value, new Place(new Mistakes({ maxMistakes: 0 })));
}

/** The mistakes of a document. */
class Mistakes {
  public count = 0;
  public readonly options: ParseOptions;
  readonly #named: TaskMistake[] = [];

  public constructor(options: ParseOptions) {
    this.options = options;
  }

  public get isFull(): boolean {
    return this.#named.length >= (this.options.maxMistakes ?? Infinity);
  }

  public add(mistake: TaskMistake): void {
    this.#named.push(mistake);
  }

  public toError(): Error {
    const [first, ...others] = this.#named;
    if (first === undefined) return new TypeError("a value was not read, and no mistake was reported");
    return new TaskRequestError([first, ...others], this.options.source, this.count);
  }
}

type ReportArguments<NameT extends string> = [values: Readonly<Record<NameT, ErrorValue>>, details?: MistakeDetails];

/** A place in a document, where readers report mistakes. */
export class Place {
  readonly #mistakes: Mistakes;
  readonly #path: string;

  public constructor(mistakes: Mistakes, path = "") {
    this.#mistakes = mistakes;
    this.#path = path;
  }

  /** The place of a key or an item below this one: `tasks[0].datalake`. */
  public at(key: string | number): Place {
    const path = typeof key === "number" ? `${this.#path}[${key}]` : this.#path === "" ? key : `${this.#path}.${key}`;
    return new Place(this.#mistakes, path);
  }

  /** Mistakes of the whole document so far. */
  public get mistakes(): number {
    return this.#mistakes.count;
  }

  public get fields(): FieldChoice {
    return this.#mistakes.options.fields ?? "supported";
  }

  /** Reports a mistake in the words of the catalogue. Returns null, as a reader does then. */
  public report<CodeT extends HdpErrorCode>(
    code: CodeT,
    ...[values, details = {}]: ReportArguments<ErrorValueName<CodeT>>
  ): null {
    this.#mistakes.count += 1;
    if (this.#mistakes.isFull) return null;
    const { source } = this.#mistakes.options;
    this.#mistakes.add(new TaskMistake(filledIn(code, values, { path: this.#path, source }), details));
    return null;
  }

  /** Reports a value of another JSON type, or a key that is missing. */
  public reportType(value: unknown, expected: string, instead?: string): null {
    if (value === undefined) return this.report("HDP-1101", { expected });
    return this.report("HDP-1103", { expected, found: quote(value), instead }, { value });
  }
}

/** A value as it is quoted in messages: JSON, shortened. */
export function quote(value: unknown): string {
  const shown = typeof value === "bigint" ? value.toString() : (toJson(value) ?? kindOf(value));
  return shown.length > 80 ? `${shown.slice(0, 77)}...` : shown;
}

function toJson(value: unknown): string | undefined {
  try {
    return jsonText(value);
  } catch {
    // Circular or nested too deeply.
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Keys of older or other editions of the request, and how the same is written now. */
const FORMER_KEYS = new Map([
  ["deliveryChainId", "destinationChainId"],
  ["sourceChainId", "chainId, inside the datalake"],
  ["datalakeType", "type, inside the datalake"],
  ["task_inputs", "inputs, inside a task"],
]);

/** Named in one object, since each costs a search for the key that was meant. */
export const MAX_UNKNOWN_KEYS = 100;

type Shape<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/**
 * Reads an object with exactly these keys.
 *
 * @param check reports mistakes across keys; `read` lacks the keys that could not be read, `written` is the object itself
 */
export function object<T extends object>(
  shape: Shape<T>,
  check?: (read: Partial<T>, place: Place, written: JsonObject) => void,
): Reader<T> {
  const keys = keysOf(shape);
  return {
    read: (value, place) => {
      if (!isRecord(value)) return place.reportType(value, `an object with the keys ${keys.join(", ")}`);
      const before = place.mistakes;
      const read: Partial<T> = {};
      for (const key of keys) {
        const one = shape[key].read(value[key], place.at(key));
        if (one !== null) read[key] = one;
      }
      const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
      for (const key of unknown.slice(0, MAX_UNKNOWN_KEYS)) reportUnknown(key, value[key], keys, place.at(key));
      check?.(read, place, value);
      return place.mistakes === before && isWhole(read, shape) ? read : null;
    },
    form: () => ({
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, shape[key].form()])),
      required: keys.filter((key) => shape[key].optional !== true),
      additionalProperties: false,
    }),
  };
}

function isWhole<T extends object>(read: Partial<T>, shape: Shape<T>): read is T {
  return keysOf(shape).every((key) => key in read);
}

/** Reports a key that is not known, with the nearest one. */
export function reportUnknown(key: string, value: unknown, keys: readonly string[], place: Place): void {
  const current = FORMER_KEYS.get(key);
  const suggestion = current === undefined ? nearest(key, keys) : undefined;
  place.report("HDP-1102", { key: quote(key), current, keys: keys.join(", ") }, { value, allowed: keys, suggestion });
}

/** Reads a list of items, named in the plural. */
export function list<T>(item: Reader<T>, items: string, { least = 0 }: { readonly least?: 0 | 1 } = {}): Reader<T[]> {
  return {
    read: (value, place) => {
      if (!Array.isArray(value)) return place.reportType(value, `an array of ${items}`);
      if (value.length < least) return place.report("HDP-1120", { items }, { value });
      const before = place.mistakes;
      const read: T[] = [];
      for (const [index, written] of value.entries()) {
        const one = item.read(written, place.at(index));
        if (one !== null) read.push(one);
      }
      return place.mistakes === before ? read : null;
    },
    form: () => ({ type: "array", items: item.form(), ...(least === 0 ? {} : { minItems: least }) }),
  };
}

/** Reads an object by the reader of its `type`. */
export function variant<T>(variants: Readonly<Record<string, Reader<T>>>, what: string): Reader<T> {
  const type = word(Object.keys(variants), `the type of ${what}`);
  return {
    read: (value, place) => {
      if (!isRecord(value)) return place.reportType(value, `an object: ${what}`);
      const name = type.read(value["type"], place.at("type"));
      return name === null ? null : (variants[name]?.read(value, place) ?? null);
    },
    form: () => ({ anyOf: Object.values(variants).map((one) => one.form()) }),
  };
}

/** Reads one of a few words, exactly spelled. `meant` has other spellings of them. */
export function word<const T extends string>(
  words: readonly T[],
  what: string,
  { meant = {}, note }: { readonly meant?: Readonly<Record<string, T>>; readonly note?: string } = {},
): Reader<T> {
  return {
    read: (value, place) => {
      if (typeof value !== "string") {
        return place.reportType(value, `one of ${words.map((one) => `"${one}"`).join(", ")}`);
      }
      const known = words.find((one) => one === value);
      if (known !== undefined) return known;
      const suggestion = Object.hasOwn(meant, value) ? meant[value] : nearest(value, words);
      return place.report(
        "HDP-1108",
        { value: quote(value), what, words: words.join(", "), note },
        { value, allowed: words, suggestion },
      );
    },
    form: () => ({ enum: words }),
  };
}

/** The reader whose values are changed. */
export function mapped<T, U>(reader: Reader<T>, change: (read: T) => U): Reader<U> {
  return {
    ...reader,
    read: (value, place) => {
      const read = reader.read(value, place);
      return read === null ? null : change(read);
    },
  };
}

/** The reader for a key that may be left out; `missing` is its value then. */
export function optional<T, U>(reader: Reader<T>, missing: U): Reader<T | U> {
  return {
    ...reader,
    read: (value, place) => (value === undefined ? missing : reader.read(value, place)),
    optional: true,
  };
}

/** The reader with a sentence that editors show. */
export function described<T>(description: string, reader: Reader<T>): Reader<T> {
  return { ...reader, form: () => ({ description, ...reader.form() }) };
}

/** The reader with further rules in its JSON Schema. */
export function alsoForm<T>(form: () => JsonForm, reader: Reader<T>): Reader<T> {
  return { ...reader, form: () => ({ ...reader.form(), allOf: [form()] }) };
}
