import type { Hex } from "viem";

import { hdpError } from "../errors/hdp-error.js";

/** The prime of the field Starknet computes in: every felt is smaller. */
export const FELT_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Returns whether a value is an integer of Starknet's field. */
export function isFelt(value: unknown): value is bigint {
  return typeof value === "bigint" && value >= 0n && value < FELT_PRIME;
}

/** Returns a felt as the program registry prints it: lower-case hex without leading zeros. @throws HdpError HDP-1118 */
export function formatFelt(value: bigint): Hex {
  if (!isFelt(value)) throw hdpError("HDP-1118", { value: String(value) });
  return `0x${value.toString(16)}`;
}

/** Returns felts in hexadecimal, `0x7 0x1`; "none" for none. */
export function feltsText(felts: readonly bigint[]): string {
  return felts.length === 0 ? "none" : felts.map((felt) => `0x${felt.toString(16)}`).join(" ");
}

/** Characters that fit into one felt as a short string. */
export const SHORT_STRING_LENGTH = 31;

/** Returns the felt of a short string: the bytes of an ASCII text as a big-endian integer. */
export function shortStringFelt(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 256n + BigInt(character.charCodeAt(0));
  return value;
}

/** Marks a ByteArray among a panic's felts: it is followed by the array's parts. */
const BYTE_ARRAY_MAGIC = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;
const WORD_BYTES = 31;

function feltBytes(felt: bigint, length: number): Buffer {
  return Buffer.from(felt.toString(16).padStart(length * 2, "0"), "hex");
}

/** Returns a felt as Cairo's short string, or in hexadecimal where it is not printable text. */
export function shortString(felt: bigint): string {
  const digits = felt.toString(16);
  const text = feltBytes(felt, Math.ceil(digits.length / 2)).toString("latin1");
  return felt !== 0n && text.length <= WORD_BYTES && /^[\x20-\x7e\n\r\t]*$/.test(text)
    ? text
    : `0x${digits}`;
}

/** Returns the text of the ByteArray at `index` (count of words, words, rest, length of the rest) and where it ends. */
function byteArray(
  felts: readonly bigint[],
  index: number,
): { text: string; end: number } | undefined {
  const count = felts[index];
  if (count === undefined || count > BigInt(felts.length)) return undefined;
  const end = index + 1 + Number(count);
  if (end + 2 > felts.length) return undefined;
  const [rest, restLength] = felts.slice(end, end + 2);
  if (rest === undefined || restLength === undefined || restLength >= BigInt(WORD_BYTES))
    return undefined;
  const words = felts.slice(index + 1, end);
  if (
    rest >> BigInt(8 * WORD_BYTES) !== 0n ||
    words.some((word) => word >> BigInt(8 * WORD_BYTES) !== 0n)
  )
    return undefined;
  const whole = [
    ...words.map((word) => feltBytes(word, WORD_BYTES)),
    feltBytes(rest, Number(restLength)),
  ];
  const bytes = Buffer.concat(restLength === 0n ? whole.slice(0, -1) : whole);
  return { text: bytes.toString("utf8"), end: end + 2 };
}

/** Returns the text of a panic: ByteArrays and short strings decoded, other felts in hexadecimal, joined by commas. */
export function panicText(felts: readonly bigint[]): string {
  const parts: string[] = [];
  let index = 0;
  while (index < felts.length) {
    const felt = felts[index] ?? 0n;
    const array = felt === BYTE_ARRAY_MAGIC ? byteArray(felts, index + 1) : undefined;
    parts.push(array?.text ?? shortString(felt));
    index = array?.end ?? index + 1;
  }
  return parts.join(", ");
}
