import { formatEther, formatGwei } from "viem/utils";

import { formatSampledProperty } from "../../request/sampled-property.js";
import type { DatalakeComputeTask, Operator, Task } from "../../request/task.js";
import { grouped, plural } from "../../base/text.js";
import { oneOf } from "../option-values.js";

/** How a person reads a number: amounts of the chain's coin, times, gas. */
export const UNITS = ["wei", "gwei", "ether", "gas", "date"] as const;
export type Unit = (typeof UNITS)[number];

/** Fields that are no bare numbers, by `<kind>.<field>`; prices read well in gwei, balances in ether. */
const UNIT_OF_FIELD: Readonly<Record<string, Unit>> = {
  "header.base_fee_per_gas": "gwei",
  "header.timestamp": "date",
  "header.gas_limit": "gas",
  "header.gas_used": "gas",
  "header.blob_gas_used": "gas",
  "header.excess_blob_gas": "gas",
  "account.balance": "ether",
  "tx.gas_price": "gwei",
  "tx.gas_limit": "gas",
  "tx.value": "ether",
  "tx.max_priority_fee_per_gas": "gwei",
  "tx.max_fee_per_gas": "gwei",
  "tx.max_fee_per_blob_gas": "gwei",
  "tx_receipt.cumulative_gas_used": "gas",
};

const SIGNS: Readonly<Record<Operator, string>> = { eq: "=", nq: "≠", gt: ">", gteq: "≥", lt: "<", lteq: "≤" };

/** The value of `--unit`. @throws HdpError HDP-6003 */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (text === undefined) return undefined;
  const hints = ["Without it, the sampled field decides."];
  return oneOf(text.toLowerCase(), UNITS, { what: "a unit of values", path: "--unit", hints });
}

/** A number in a unit; undefined for a time that no calendar holds. */
export function inUnit(value: bigint, unit: Unit): string | undefined {
  switch (unit) {
    case "wei":
    case "gas":
      return `${grouped(value)} ${unit}`;
    case "gwei":
      return `${groupedDecimal(formatGwei(value))} gwei`;
    case "ether":
      return `${groupedDecimal(formatEther(value))} ether`;
    case "date":
      return date(value);
  }
}

/**
 * A result as a sentence of its field: `1.047238911 gwei on average`, `3 of 64 with header.gas_used > 15,000,000 gas`.
 * Undefined where nothing is known that the bare number does not say.
 */
export function spokenValue(value: bigint, task: Task | undefined, unit?: Unit): string | undefined {
  if (task?.type !== "DatalakeCompute") return unit === undefined ? undefined : inUnit(value, unit);
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const natural = unit ?? unitOf(task);
  if (aggregateFnId === "count") {
    if (aggregateFnCtx === undefined) return undefined;
    const { operator, valueToCompare } = aggregateFnCtx;
    const threshold = (natural && inUnit(valueToCompare, natural)) ?? grouped(valueToCompare);
    const property = formatSampledProperty(task.datalake.sampledProperty);
    return `${plural(value, "value")} of ${property} ${SIGNS[operator]} ${threshold}`;
  }
  // Moments cannot be added.
  if (natural === undefined || (natural === "date" && aggregateFnId === "sum")) return undefined;
  const text = inUnit(value, natural);
  const words = { avg: "on average", sum: "in all", min: "at least", max: "at most" } as const;
  return text === undefined ? undefined : `${text} ${isPlain(aggregateFnId) ? words[aggregateFnId] : ""}`.trim();
}

function isPlain(name: string): name is "avg" | "sum" | "min" | "max" {
  return ["avg", "sum", "min", "max"].includes(name);
}

function unitOf({ datalake: { sampledProperty } }: DatalakeComputeTask): Unit | undefined {
  if (sampledProperty.kind === "storage") return undefined;
  return UNIT_OF_FIELD[`${sampledProperty.kind}.${sampledProperty.field}`];
}

/** Seconds since 1970 as UTC: `2026-01-01 00:00:00 UTC`. */
function date(seconds: bigint): string | undefined {
  const LAST = 253_402_300_799n;
  if (seconds > LAST) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function groupedDecimal(decimal: string): string {
  const [whole = "", fraction] = decimal.split(".");
  return [grouped(BigInt(whole)), ...(fraction === undefined ? [] : [fraction])].join(".");
}
