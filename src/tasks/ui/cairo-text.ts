import type { CairoValue } from "../../request/program/abi/decode-value.js";
import { groupDigits } from "./format.js";
import { toJson } from "./screen.js";

/** A decoded Cairo value on one line: integers with separators, text and structures as JSON. */
export function cairoText(value: CairoValue): string {
  return typeof value === "bigint" ? groupDigits(value) : toJson(value).replaceAll(/\s*\n\s*/g, " ");
}
