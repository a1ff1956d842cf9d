import { jsonText } from "../base/json.js";
import type { ErrorValue, ErrorValueName } from "../errors/catalogue.js";
import {
  filledIn,
  HdpError,
  type HdpErrorCode,
  type HdpErrorOptions,
  inWords,
} from "../errors/hdp-error.js";

/** Template values that list every allowed name, unset. */
const WITHOUT_LISTS = { fields: undefined, keys: undefined, chains: undefined };

/** What a {@link TaskError} says. */
export interface TaskErrorDetails {
  /** The value as written; undefined when it is missing. */
  readonly value?: unknown;
  /** Every accepted spelling, or both ends of a range. */
  readonly allowed?: readonly string[] | undefined;
  /** The nearest valid spelling. */
  readonly suggestion?: string | undefined;
}

/** One invalid value of a task document, with its place. */
export class TaskError extends HdpError {
  public readonly value: unknown;
  public readonly allowed: readonly string[];
  public readonly suggestion: string | undefined;

  public constructor(
    options: HdpErrorOptions,
    { value, allowed = [], suggestion }: TaskErrorDetails = {},
  ) {
    const meant = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
    super({ ...options, message: options.message + meant });
    this.value = value;
    this.allowed = allowed;
    this.suggestion = suggestion;
  }
}

/**
 * A task request, task or builder call that cannot be sent, with all its errors.
 * For one error, the code, path and sentence are those of that error. For several, the code is HDP-1100. `errors`
 * has all of them, each with its own code, path, value, allowed values and nearest spelling.
 * @example
 * try { parseTaskRequest(json, { source: "tasks/fee.json" }) }
 * catch (error) { if (error instanceof TaskRequestError) for (const { code, path } of error.errors) … }
 */
export class TaskRequestError extends HdpError {
  public readonly errors: readonly [TaskError, ...TaskError[]];
  /** Number of all errors; `errors` may have only the first of them. */
  public readonly count: number;

  public constructor(
    errors: readonly [TaskError, ...TaskError[]],
    source?: string,
    count = errors.length,
  ) {
    const [{ code, shortMessage: message, path, hints, source: place = source }] = errors;
    const more = count > errors.length ? [`… and ${count - errors.length} more.`] : [];
    const listed = [...errors.flatMap((error) => lines(error, source)), ...more];
    const only = { code, message, path, source: place, hints };
    super(
      errors.length === 1
        ? only
        : inWords("HDP-1100", { count, where: undefined }, { source, hints: listed }),
    );
    this.errors = errors;
    this.count = count;
  }
}

function lines(
  { code, source, path, shortMessage, hints }: TaskError,
  whole: string | undefined,
): string[] {
  const places = [source === whole ? undefined : source, path].filter(
    (place) => place !== undefined && place !== "",
  );
  const place = places.length === 0 ? "" : ` in ${places.join(", ")}`;
  return [`${code}${place}: ${shortMessage}`, ...hints.map((hint) => `  ${hint}`)];
}

/** Which fields a task may compute over: those that support functions, or all that can be encoded and hashed. */
export type FieldChoice = "supported" | "encodable";

/** How a document is parsed. */
export interface ParseOptions {
  /** Where the input came from, for messages: a file's path, `stdin`. */
  readonly source?: string | undefined;
  /** Returns the line and column of a path in that source, for messages: `9:28`. */
  readonly placeOf?: ((path: string) => string) | undefined;
  /**
   * `supported` refuses functions over fields that are not integers; `encodable` takes all, for hashes. Default
   * `supported`; for tasks that were parsed before, the choice that they were parsed with.
   */
  readonly fields?: FieldChoice | undefined;
  /** Maximum number of listed errors, at least 1; the others are only counted. Default: all. */
  readonly maxErrors?: number | undefined;
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
/** A JSON Schema. */
export type JsonForm = JsonObject;

/** Reads one kind of value strictly. */
export interface Reader<T> {
  /** Reports every error in a value. Returns the parsed value, or null if it cannot be read. */
  readonly read: (value: unknown, place: Place) => T | null;
  /** Returns the JSON Schema of the accepted values, for editors. */
  readonly form: () => JsonForm;
  /** True where the key may be left out. */
  readonly optional?: true;
}

type Reading = ParseOptions & { readonly named: TaskError[]; count: number };

/** Parses a document, or the part of one at `path`. @throws TaskRequestError with every error at once */
export function parseWith<T>(
  reader: { readonly read: Reader<T>["read"] },
  json: unknown,
  options: ParseOptions = {},
  path = "",
): T {
  const reading: Reading = { ...options, named: [], count: 0 };
  const read = reader.read(json, new Place(reading, path));
  if (read !== null && reading.count === 0) return read;
  const [first, ...others] = reading.named;
  if (first === undefined) throw new TypeError("a value was not read, and no error was reported");
  throw new TaskRequestError([first, ...others], options.source, reading.count);
}

/** Returns what a reader reads, or null where it reports an error. */
export function readSilently<T>(reader: Reader<T>, value: unknown): T | null {
  return reader.read(value, new Place({ named: [], count: 0 }));
}

type ReportArguments<NameT extends string> = [
  values: Readonly<Record<NameT, ErrorValue>>,
  details?: TaskErrorDetails,
];

/** A place in a document, where readers report errors. */
export class Place {
  public constructor(
    private readonly reading: Reading,
    private readonly path = "",
  ) {}

  /** Returns the place of a key or an item below this one: `tasks[0].datalake`. */
  public at(key: string | number): Place {
    if (typeof key === "number") return new Place(this.reading, `${this.path}[${key}]`);
    return new Place(this.reading, this.path === "" ? key : `${this.path}.${key}`);
  }

  /** The caller's choice of fields, if there is one. */
  public get fields(): FieldChoice | undefined {
    return this.reading.fields;
  }

  /** Whether values of this package may stand where a file has text: in objects of a program, not in files. */
  public get takesObjects(): boolean {
    return this.reading.source === undefined;
  }

  /** Reports an error of the catalogue. Returns null, the result of a failed reader. */
  public report<CodeT extends HdpErrorCode>(
    code: CodeT,
    ...[values, details]: ReportArguments<ErrorValueName<CodeT>>
  ): null {
    const { named, maxErrors = Infinity } = this.reading;
    this.reading.count += 1;
    if (named.length < Math.max(1, maxErrors)) {
      const source = placed(this.path, this.reading);
      // A suggestion replaces the list of all names.
      const shown = details?.suggestion === undefined ? values : { ...values, ...WITHOUT_LISTS };
      named.push(new TaskError(filledIn(code, shown, { path: this.path, source }), details));
    }
    return null;
  }

  /** Reports a value of another JSON type, or a key that is missing. */
  public reportType(value: unknown, expected: string, instead?: string): null {
    if (value === undefined) return this.report("HDP-1101", { expected });
    return this.report("HDP-1103", { expected, found: quote(value), instead }, { value });
  }
}

/** Returns the source of an error with the line and column of its path, where they are known: `tasks/fee.json:9:28`. */
export function placed(path: string, { source, placeOf }: ParseOptions): string | undefined {
  return source === undefined || placeOf === undefined ? source : `${source}:${placeOf(path)}`;
}

/** Returns a value as shortened JSON, for messages. */
export function quote(value: unknown): string {
  const shown =
    typeof value === "bigint" ? value.toString() : (toJson(value) ?? describeKind(value));
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

function describeKind(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
