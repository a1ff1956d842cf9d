import type { SamplesView } from "../src/request/views.js";

/** The unit of a chart's values. */
export type ValueUnit = SamplesView["valueUnit"];

const DECIMALS: Readonly<Record<string, number>> = { gwei: 9, ether: 18 };

/** Returns an integer with its digits in groups. */
export function grouped(integer: bigint | number | string): string {
  return String(integer).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Returns a value of a task as `IN_UNIT` of the package writes it, which needs Node. */
export function inUnit(value: string, unit: ValueUnit): string {
  if (unit === undefined) return grouped(value);
  if (unit === "date") {
    if (BigInt(value) > 253_402_300_799n) return grouped(value);
    return `${new Date(Number(value) * 1_000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  }
  const decimals = DECIMALS[unit] ?? 0;
  const digits = value.padStart(decimals + 1, "0");
  const whole = grouped(digits.slice(0, digits.length - decimals));
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`} ${unit}`;
}

/** Returns a value as a number of its unit: exact to 15 digits, which is enough to draw it. */
export function drawn(value: string, unit: ValueUnit): number {
  const scale = 10n ** BigInt(DECIMALS[unit ?? ""] ?? 0);
  const integer = BigInt(value);
  return Number(integer / scale) + Number(integer % scale) / Number(scale);
}

/**
 * Returns a number of an axis.
 *
 * @param span of the axis: dates within ten minutes differ in their seconds
 */
export function tick(value: number, unit: ValueUnit, span = Infinity): string {
  const [from, to] = span < 600 ? [11, 19] : [5, 16];
  if (unit === "date")
    return new Date(value * 1_000).toISOString().slice(from, to).replace("T", " ");
  if (Math.abs(value) >= 1e12) return value.toExponential(2);
  return value.toLocaleString("en", { maximumFractionDigits: 9 });
}
