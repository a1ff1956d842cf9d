import { nearest } from "../base/text.js";
import { hdpError } from "../errors/hdp-error.js";

/** The value of an option in seconds, in milliseconds. @throws HdpError HDP-6002 */
export function milliseconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value * 1000;
  throw hdpError("HDP-6002", { text, allowed: "a positive number of seconds" }, { path: option });
}

/** An integer in a range; its digits may be grouped. @throws HdpError HDP-6002 */
export function integerIn(
  text: string,
  option: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const value = Number(text.replaceAll(/[_,]/g, ""));
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw hdpError("HDP-6002", { text, allowed: `an integer of ${range}` }, { path: option });
}

/** One of a list of values. @param what for the error: "a unit of values" @throws HdpError HDP-6003 */
export function oneOf<ValueT extends string>(
  value: string,
  values: readonly ValueT[],
  { what, path, hints }: { readonly what: string; readonly path: string; readonly hints?: readonly string[] },
): ValueT {
  const known = values.find((one) => one === value);
  if (known !== undefined) return known;
  const near = nearest(value, values);
  const suggestion = near === undefined ? undefined : ` Did you mean "${near}"?`;
  throw hdpError("HDP-6003", { value, what, suggestion, allowed: values.join(", ") }, { path, hints });
}
