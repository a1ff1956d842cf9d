import { FELT_PRIME } from "../base/felt.js";

/** Felts by index, decoded when they are asked for. */
export interface FeltSource {
  readonly length: number;
  /** The felt at an index below `length`. */
  at(index: number): bigint;
}

const INTEGER_TEXT = /^(?:0x[0-9a-fA-F]{1,78}|[0-9]{1,80})$/;
/** Texts up to this length are below the prime whatever their digits: 62 of them in hexadecimal. */
const SURELY_FELT = 64;

/** A copy of a list of felts as text, or undefined where anything in it is no felt. */
export function readFeltTexts(value: unknown, maxLength: number): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxLength) return undefined;
  const list: readonly unknown[] = value;
  const texts: string[] = [];
  for (const text of list) {
    if (typeof text !== "string" || !INTEGER_TEXT.test(text)) return undefined;
    if (text.length > SURELY_FELT && BigInt(text) >= FELT_PRIME) return undefined;
    texts.push(text);
  }
  return texts;
}
