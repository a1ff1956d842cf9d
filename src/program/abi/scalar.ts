import { FELT_PRIME, SHORT_STRING_LENGTH, shortStringFelt } from "../../base/felt.js";
import { nearest } from "../../base/text.js";
import { HdpError, hdpError } from "../../errors/hdp-error.js";

/** Deepest nesting of values that is read. */
export const MAX_VALUE_DEPTH = 100;

/** HDP-7012: the value has another form than its type takes. */
export function wrongForm(path: string, value: unknown, type: string, allowed: string): HdpError {
  return hdpError("HDP-7012", { value: describe(value), type, allowed }, { path });
}

/** HDP-7013: the form is right, but the number is outside of what the type holds. */
export function outOfRange(path: string, value: bigint, type: string, min: bigint, max: bigint): HdpError {
  return hdpError("HDP-7013", { value, type, min, max }, { path });
}

/** HDP-7010: a name that the ABI does not have at this place. */
export function unknownName(path: string, name: string, what: string, known: readonly string[]): HdpError {
  const near = nearest(name, known);
  const suggestion = near === undefined ? undefined : ` Did you mean "${near}"?`;
  const allowed = known.length === 0 ? "none" : known.join(", ");
  return hdpError(
    "HDP-7010",
    { name: name.slice(0, 100), what: `${what === "argument" ? "an" : "a"} ${what}`, suggestion, allowed },
    { path },
  );
}

/** HDP-7011: a name that the ABI has and the value lacks. */
export function missingName(path: string, name: string, what: string, type: string): HdpError {
  return hdpError("HDP-7011", { what, name, type }, { path });
}

/** HDP-7012: nested deeper than any sensible type; also what a cyclic object leads to. */
export function tooDeep(path: string, type: string): HdpError {
  const value = `a value nested deeper than ${MAX_VALUE_DEPTH} levels`;
  return hdpError(
    "HDP-7012",
    { value, type, allowed: `at most ${MAX_VALUE_DEPTH} levels: pass deep structures as flat arrays` },
    { path: path.length > 200 ? `${path.slice(0, 200)}…` : path },
  );
}

/**
 * Several mistakes in the arguments of a module, each with its own code, place and sentence. It has those of the first;
 * the others are its hints.
 */
export class ValueMistakes extends HdpError {
  /** @param isCut more may follow: they were not looked for. */
  public constructor(
    first: HdpError,
    public readonly errors: readonly HdpError[],
    isCut: boolean,
  ) {
    super({
      code: first.code,
      path: first.path,
      message: first.shortMessage,
      hints: [...first.hints, ...errors.slice(1).flatMap(lines), ...(isCut ? ["… and maybe more."] : [])],
    });
  }
}

function lines({ code, path, shortMessage, hints }: HdpError): string[] {
  return [`${code}${path === undefined ? "" : ` in ${path}`}: ${shortMessage}`, ...hints.map((hint) => `  ${hint}`)];
}

/** Mistakes told of one value; a list of a million wrong items is told by the first of them. */
const MOST_MISTAKES = 100;

/** Gathers the mistakes of the parts of a value. */
export class MistakeList {
  readonly #mistakes: HdpError[] = [];
  #isCut = false;

  /** Whether no more are taken. */
  public get isFull(): boolean {
    return this.#isCut;
  }

  /** The part, or undefined where it has mistakes. */
  public of<T>(read: () => T): T | undefined {
    // What follows is not looked at: it could be any number.
    if (this.#isCut) return undefined;
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** Notes an error, or all that it consists of. @throws what is no error of this package */
  public add(error: unknown): void {
    if (!(error instanceof HdpError)) throw error;
    const all = error instanceof ValueMistakes ? error.errors : [error];
    this.#mistakes.push(...all.slice(0, MOST_MISTAKES - this.#mistakes.length));
    this.#isCut ||= this.#mistakes.length >= MOST_MISTAKES;
  }

  /** @throws the one mistake, or {@link ValueMistakes} with all of them */
  public throwIfAny(): void {
    const [first, ...others] = this.#mistakes;
    if (first === undefined) return;
    throw others.length === 0 ? first : new ValueMistakes(first, this.#mistakes, this.#isCut);
  }
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === undefined ? "no value" : `a value of type ${typeof value}`;
}

const WORD_BYTES = 31;

/**
 * Felts of a `ByteArray`: the number of full words, the words of 31 bytes, the rest as one word, the rest's length.
 *
 * @param value text (as UTF-8), or bytes as `{ bytes: "0x…" }`.
 */
export function encodeByteArray(value: unknown, path: string): bigint[] {
  const bytes = readBytes(value, path);
  const words: bigint[] = [];
  for (let start = 0; start + WORD_BYTES <= bytes.length; start += WORD_BYTES) {
    words.push(bytesToInteger(bytes.subarray(start, start + WORD_BYTES)));
  }
  const rest = bytes.subarray(words.length * WORD_BYTES);
  return [BigInt(words.length), ...words, bytesToInteger(rest), BigInt(rest.length)];
}

/**
 * The text of words of 31 bytes and a rest, or `{ bytes }` where they are no text that would come back the same.
 *
 * @returns undefined where a word is larger than its bytes.
 */
export function decodeByteArray(
  words: readonly bigint[],
  rest: bigint,
  restLength: number,
): string | { readonly bytes: string } | undefined {
  const parts = [...words.map((word) => toBytesHex(word, WORD_BYTES)), toBytesHex(rest, restLength)];
  if (parts.includes(undefined)) return undefined;
  const hex = parts.join("");
  const bytes = Buffer.from(hex, "hex");
  const text = bytes.toString("utf8");
  // Control characters other than line ends and tabs would disturb a terminal.
  // eslint-disable-next-line no-control-regex
  const printable = !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
  return printable && Buffer.from(text, "utf8").equals(bytes) ? text : { bytes: `0x${hex}` };
}

function readBytes(value: unknown, path: string): Uint8Array {
  if (typeof value === "string") return Buffer.from(value, "utf8");
  if (typeof value === "object" && value !== null && "bytes" in value && Object.keys(value).length === 1) {
    const { bytes } = value;
    if (typeof bytes === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(bytes)) return Buffer.from(bytes.slice(2), "hex");
  }
  throw wrongForm(path, value, "ByteArray", 'text, or bytes as { "bytes": "0x…" }');
}

function bytesToInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

function toBytesHex(word: bigint, length: number): string | undefined {
  const hex = word === 0n ? "" : word.toString(16);
  return hex.length > length * 2 ? undefined : hex.padStart(length * 2, "0");
}

const NUMBER_FORMS = "an integer as text (decimal or 0x hex), a bigint, or a safe integer";
/** A text longer than this is no number that any type holds. */
const MAX_DIGITS = 200;

/** Reads an integer of a range, both ends inclusive. */
export function readInteger(value: unknown, path: string, typeName: string, min: bigint, max: bigint): bigint {
  const integer = toInteger(value);
  if (integer === undefined) throw wrongForm(path, value, typeName, NUMBER_FORMS);
  if (integer < min || integer > max) throw outOfRange(path, integer, typeName, min, max);
  return integer;
}

/** Reads a felt, or text in single quotes as the short string that Cairo writes the same way: `'SN_MAIN'`. */
export function readFelt(value: unknown, path: string): bigint {
  return readShortString(value, path, "felt252") ?? readInteger(value, path, "felt252", 0n, FELT_PRIME - 1n);
}

/** Reads 31 bytes as one integer; short strings as for felts. */
export function readBytes31(value: unknown, path: string): bigint {
  return readShortString(value, path, "bytes31") ?? readInteger(value, path, "bytes31", 0n, 2n ** 248n - 1n);
}

/** Integers below 0 are felts counted from the prime downwards. */
export function integerToFelt(value: bigint): bigint {
  return value < 0n ? FELT_PRIME + value : value;
}

/** The reverse, for a type whose smallest value is `min`. Returns undefined where the felt is outside of its range. */
export function feltToInteger(felt: bigint, min: bigint, max: bigint): bigint | undefined {
  const value = felt > max ? felt - FELT_PRIME : felt;
  return value < min || value > max ? undefined : value;
}

function readShortString(value: unknown, path: string, typeName: string): bigint | undefined {
  if (typeof value !== "string" || !value.startsWith("'")) return undefined;
  const text = value.slice(1, -1);
  if (value.length < 2 || !value.endsWith("'") || text.length > SHORT_STRING_LENGTH || !/^[\x20-\x7e]*$/.test(text)) {
    const takes = `a short string: at most ${SHORT_STRING_LENGTH} printable ASCII characters between single quotes`;
    throw wrongForm(path, value, typeName, takes);
  }
  return shortStringFelt(text);
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > MAX_DIGITS) return undefined;
  if (/^(\d+|0[xX][0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  return /^-\d+$/.test(value) ? -BigInt(value.slice(1)) : undefined;
}
