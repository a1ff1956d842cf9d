import { isRecord } from "../../base/collections.js";
import { FELT_PRIME, isFelt, SHORT_STRING_LENGTH, shortStringFelt } from "../../base/felt.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { CairoValue } from "../../request/task-result.js";
import type { Place } from "../../request/reader.js";
import { boolean, integer as integerReader, mapped } from "../../request/value-readers.js";

/** How values of one Cairo type are encoded as felts, by Cairo's `Serde`, and decoded. */
export interface CairoType {
  readonly name: string;
  /** Whether its plain value is ambiguous inside an `Option`, with None or Some. */
  readonly isLikeOption?: boolean;
  /** Returns the felts of a value, or null after reporting every error in it. */
  readonly encode: (value: unknown, place: Place) => readonly bigint[] | null;
  readonly decode: (felts: FeltReader, path: string) => CairoValue;
}

/** Returns the last part of a full Cairo name, without generic arguments: `HDP` of `hdp_cairo::HDP`. */
export function shortName(typeName: string): string {
  return typeName.replace(/[A-Za-z0-9_]+::(?=[A-Za-z0-9_])/g, "").replaceAll("::<", "<");
}

/** Maximum number of values in one encoding or decoding: more than any list of inputs has. */
export const MAX_VALUES = 1_000_000;

/** Returns the error for felts that are no value of their type. */
export function undecodable(path: string, problem: string): HdpError {
  return hdpError("HDP-7016", { problem }, { path });
}

/** Takes felts off the front of a list. All methods throw HDP-7016, with the path of the value that is decoded. */
export class FeltReader {
  readonly #felts: readonly bigint[];
  readonly #isFixed: boolean;
  #position = 0;
  #values = 0;

  /** @param isFixed refuses types whose values differ in their number of felts */
  public constructor(felts: readonly bigint[], isFixed = false) {
    this.#felts = felts;
    this.#isFixed = isFixed;
  }

  public get position(): number {
    return this.#position;
  }

  public end(path: string): void {
    const left = this.#felts.length - this.#position;
    if (left > 0) throw undecodable(path, `${left} felts are left over`);
  }

  /** Throws if a decoding has too many values: types without felts may repeat without limit. */
  public countValue(path: string): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw undecodable(path, `more than ${MAX_VALUES} values`);
  }

  public next(path: string): bigint {
    const felt = this.#felts[this.#position];
    if (felt === undefined) throw undecodable(path, `there are only ${this.#felts.length} felts`);
    if (!isFelt(felt)) throw undecodable(path, `${String(felt)} is not a felt`);
    this.#position += 1;
    return felt;
  }

  /** Takes an integer from `min` to `max`; felts above `max` are those below 0, counted from the prime downwards. */
  public integer(path: string, typeName: string, min: bigint, max: bigint): bigint {
    const felt = this.next(path);
    const value = felt > max ? felt - FELT_PRIME : felt;
    if (value < min || value > max)
      throw undecodable(path, `the felt ${felt} is not a value of ${typeName}`);
    return value;
  }

  /** Takes the length of a list whose items follow, each of at least one felt. */
  public length(path: string): number {
    const length = this.choice(path, "a length", FELT_PRIME - 1n);
    const left = this.#felts.length - this.#position;
    if (length > BigInt(left))
      throw undecodable(path, `its length is ${length}, but only ${left} felts follow`);
    return Number(length);
  }

  /** Takes an integer up to `max` that decides how many felts follow. */
  public choice(path: string, typeName: string, max: bigint): bigint {
    if (this.#isFixed) throw undecodable(path, "its values differ in their number of felts");
    return this.integer(path, typeName, 0n, max);
  }
}

/** Reads text in single quotes as Cairo writes short strings: `'SN_MAIN'`. */
function readShortString(value: string, place: Place): bigint | null {
  const text = value.slice(1, -1);
  if (
    value.length >= 2 &&
    value.endsWith("'") &&
    text.length <= SHORT_STRING_LENGTH &&
    /^[\x20-\x7e]*$/.test(text)
  ) {
    return shortStringFelt(text);
  }
  return place.reportType(
    value,
    `at most ${SHORT_STRING_LENGTH} printable ASCII characters between single quotes`,
  );
}

interface IntegerForm {
  readonly min?: bigint;
  readonly max: bigint;
  /** Whether values are decoded as hexadecimal text, as people write addresses. */
  readonly isHex?: boolean;
  /** Whether short strings are taken. */
  readonly takesText?: boolean;
}

/** Returns the type of an integer in one felt; integers below 0 are counted from the prime downwards. */
export function integerType(
  name: string,
  { min = 0n, max, isHex, takesText }: IntegerForm,
): CairoType {
  const reader = integerReader({ min, max });
  return {
    name,
    encode: (value, place) => {
      const isText = takesText === true && typeof value === "string" && value.startsWith("'");
      const read = isText ? readShortString(value, place) : reader.read(value, place);
      return read === null ? null : [read < 0n ? FELT_PRIME + read : read];
    },
    decode: (felts, path) => {
      const value = felts.integer(path, name, min, max);
      return isHex === true ? `0x${value.toString(16)}` : value;
    },
  };
}

const LIMB_BITS = 128;

/** Returns the type of an integer that takes several felts, lowest limb first, such as u256. */
export function limbsType(name: string, count: number): CairoType {
  const reader = integerReader({ max: 2n ** BigInt(LIMB_BITS * count) - 1n });
  const split = (value: bigint): bigint[] =>
    Array.from({ length: count }, (_, limb) =>
      BigInt.asUintN(LIMB_BITS, value >> BigInt(LIMB_BITS * limb)),
    );
  return {
    name,
    encode: mapped(reader, split).read,
    decode: (felts, path) => {
      let value = 0n;
      for (let limb = 0; limb < count; limb += 1) {
        value +=
          felts.integer(path, "a 128-bit limb", 0n, 2n ** 128n - 1n) << BigInt(LIMB_BITS * limb);
      }
      return value;
    },
  };
}

/** Type `bool`: 0 or 1. */
export const BOOL: CairoType = {
  name: "bool",
  encode: mapped(boolean, (value) => [value ? 1n : 0n]).read,
  decode: (felts, path) => felts.integer(path, "bool", 0n, 1n) === 1n,
};

/** Type `()`, which takes no felt. */
export const UNIT: CairoType = {
  name: "()",
  isLikeOption: true,
  encode: (value, place) =>
    value === null || value === undefined
      ? []
      : place.reportType(value, "null, the only value of ()"),
  decode: () => null,
};

const WORD_BYTES = 31;

function readBytes(value: unknown): Buffer | undefined {
  if (typeof value === "string") return Buffer.from(value, "utf8");
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { bytes } = value;
  const isHex = typeof bytes === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(bytes);
  return isHex ? Buffer.from(bytes.slice(2), "hex") : undefined;
}

function bytesToInteger(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`);
}

/** Returns a felt as so many bytes in hexadecimal; undefined where it has more. */
function toBytesHex(word: bigint, length: number): string | undefined {
  const hex = word === 0n ? "" : word.toString(16);
  return hex.length > length * 2 ? undefined : hex.padStart(length * 2, "0");
}

/** Type `ByteArray`: text, or bytes where they are not text that would be encoded the same again. */
export const BYTE_ARRAY: CairoType = {
  name: "ByteArray",
  encode: (value, place) => {
    const bytes = readBytes(value);
    if (bytes === undefined) return place.reportType(value, 'text, or bytes as { "bytes": "0x…" }');
    const count = Math.floor(bytes.length / WORD_BYTES);
    const words = Array.from({ length: count }, (_, at) =>
      bytesToInteger(bytes.subarray(at * WORD_BYTES, (at + 1) * WORD_BYTES)),
    );
    const rest = bytes.subarray(count * WORD_BYTES);
    return [BigInt(count), ...words, bytesToInteger(rest), BigInt(rest.length)];
  },
  decode: (felts, path) => {
    const words = Array.from({ length: felts.length(path) }, () =>
      toBytesHex(felts.next(path), WORD_BYTES),
    );
    const rest = felts.next(path);
    const restLength = Number(
      felts.integer(path, "the length of a pending word", 0n, BigInt(WORD_BYTES - 1)),
    );
    const parts = [...words, toBytesHex(rest, restLength)];
    if (parts.includes(undefined))
      throw undecodable(path, "a word of the ByteArray has more bytes than it may have");
    const bytes = Buffer.from(parts.join(""), "hex");
    const text = bytes.toString("utf8");
    // Control characters other than line ends and tabs would disturb a terminal.
    // eslint-disable-next-line no-control-regex
    const isPrintable = !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
    return isPrintable && Buffer.from(text, "utf8").equals(bytes)
      ? text
      : { bytes: `0x${parts.join("")}` };
  },
};
