import { wrongForm } from "./value-errors.js";

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
    words.push(toInteger(bytes.subarray(start, start + WORD_BYTES)));
  }
  const rest = bytes.subarray(words.length * WORD_BYTES);
  return [BigInt(words.length), ...words, toInteger(rest), BigInt(rest.length)];
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

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

function toBytesHex(word: bigint, length: number): string | undefined {
  const hex = word === 0n ? "" : word.toString(16);
  return hex.length > length * 2 ? undefined : hex.padStart(length * 2, "0");
}
