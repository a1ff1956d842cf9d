import type { CairoValue } from "../../request/lifecycle.js";
import { groupDigits } from "./format.js";
import { toJson } from "./screen.js";

/** Felts from here on are mostly addresses, hashes and short strings: hexadecimal is what a person compares. */
const LARGE_FELT = 1n << 64n;
const FELT_TYPES = /::(felt252|ContractAddress|ClassHash|StorageAddress|EthAddress|bytes31)$/;

/** A decoded Cairo value on one line: integers with separators, addresses in hex, text and structures as JSON. */
export function cairoText(value: CairoValue, type = ""): string {
  if (typeof value !== "bigint") return toJson(value).replaceAll(/\s*\n\s*/g, " ");
  return FELT_TYPES.test(type) && value >= LARGE_FELT ? `0x${value.toString(16)}` : groupDigits(value);
}

/** Felts in hex, for copying. */
export function feltsText(felts: readonly bigint[]): string {
  return felts.length === 0 ? "none" : felts.map((felt) => `0x${felt.toString(16)}`).join(" ");
}
