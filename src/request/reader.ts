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
  /** Reports every mistake in a value. Returns the parsed value, or null where it could not be read. */
  readonly read: (value: unknown, place: Place) => T | null;
  /** Returns the JSON Schema of the accepted values, for editors. */
  readonly form: () => JsonForm;
  /** True where the key may be left out. */
  readonly optional?: true;
}

/** The reading of one document. */
interface Reading {
  readonly source: string | undefined;
  readonly fields: FieldChoice;
  readonly maxMistakes: number;
  /** The first mistakes. */
  readonly named: TaskMistake[];
  /** Number of all mistakes. */
  count: number;
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
  const { source, fields = "supported", maxMistakes = Infinity } = options;
  const reading: Reading = { source, fields, maxMistakes: Math.max(1, maxMistakes), named: [], count: 0 };
  const read = reader.read(json, new Place(reading, path));
  if (read !== null && reading.count === 0) return read;
  const [first, ...others] = reading.named;
  if (first === undefined) throw new TypeError("a value was not read, and no mistake was reported");
  throw new TaskRequestError([first, ...others], source, reading.count);
}

/** Reads a value without reporting its mistakes. */
export function readSilently<T>(reader: Reader<T>, value: unknown): T | null {
  return reader.read(value, new Place({ source: undefined, fields: "supported", maxMistakes: 0, named: [], count: 0 }));
}

type ReportArguments<NameT extends string> = [values: Readonly<Record<NameT, ErrorValue>>, details?: MistakeDetails];

/** A place in a document, where readers report mistakes. */
export class Place {
  readonly #reading: Reading;
  readonly #path: string;

  public constructor(reading: Reading, path = "") {
    this.#reading = reading;
    this.#path = path;
  }

  /** The place of a key or an item below this one: `tasks[0].datalake`. */
  public at(key: string | number): Place {
    const path = typeof key === "number" ? `${this.#path}[${key}]` : this.#path === "" ? key : `${this.#path}.${key}`;
    return new Place(this.#reading, path);
  }

  public get fields(): FieldChoice {
    return this.#reading.fields;
  }

  /** Reports a mistake in the words of the catalogue. Returns null, as a reader does then. */
  public report<CodeT extends HdpErrorCode>(
    code: CodeT,
    ...[values, details]: ReportArguments<ErrorValueName<CodeT>>
  ): null {
    const { named, maxMistakes, source } = this.#reading;
    this.#reading.count += 1;
    if (named.length < maxMistakes) {
      named.push(new TaskMistake(filledIn(code, values, { path: this.#path, source }), details));
    }
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
      const read: Partial<T> = {};
      for (const key of keys) {
        const one = shape[key].read(value[key], place.at(key));
        if (one !== null) read[key] = one;
      }
      const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
      for (const key of unknown.slice(0, MAX_UNKNOWN_KEYS)) reportUnknown(key, value[key], keys, place.at(key));
      check?.(read, place, value);
      return isWhole(read, shape) ? read : null;
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

/** Reports an unknown key, with the nearest one. */
export function reportUnknown(key: string, value: unknown, keys: readonly string[], place: Place): void {
  const values = { key: quote(key), current: FORMER_KEYS.get(key), keys: keys.join(", ") };
  place.report("HDP-1102", values, { value, allowed: keys, suggestion: nearest(key, keys) });
}

/** Reads a list of items, named in the plural. */
export function list<T>(item: Reader<T>, items: string, { least = 0 }: { readonly least?: 0 | 1 } = {}): Reader<T[]> {
  return {
    read: (value, place) => {
      if (!Array.isArray(value)) return place.reportType(value, `an array of ${items}`);
      if (value.length < least) return place.report("HDP-1120", { items }, { value });
      const read: T[] = [];
      for (const [index, written] of value.entries()) {
        const one = item.read(written, place.at(index));
        if (one !== null) read.push(one);
      }
      return read.length === value.length ? read : null;
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
      const name = type.read(value["type"], place.at("type")) ?? "";
      return variants[name]?.read(value, place) ?? null;
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
