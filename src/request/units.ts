import { formatEther, formatGwei } from "viem/utils";

import { keysOf } from "../base/collections.js";
import { grouped, plural } from "../base/text.js";
import { formatSampledProperty } from "./sampled-property.js";
import { type DatalakeComputeTask, OPERATOR_SIGNS, type Task } from "./task.js";

/** Formats a number in a unit; undefined for a time after the year 9999. */
export const IN_UNIT = {
  wei: (value) => `${grouped(value)} wei`,
  gwei: (value) => `${groupedDecimal(formatGwei(value))} gwei`,
  ether: (value) => `${groupedDecimal(formatEther(value))} ether`,
  gas: (value) => `${grouped(value)} gas`,
  date: (seconds) => {
    if (seconds > 253_402_300_799n) return undefined;
    return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  },
} as const satisfies Readonly<Record<string, (value: bigint) => string | undefined>>;

export type Unit = keyof typeof IN_UNIT;
export const UNITS = keysOf(IN_UNIT);

/** Fields with a unit: prices in gwei, balances in ether. */
const FIELDS: Partial<Readonly<Record<Unit, readonly string[]>>> = {
  gwei: [
    ...["header.base_fee_per_gas", "tx.gas_price"],
    ...["tx.max_priority_fee_per_gas", "tx.max_fee_per_gas", "tx.max_fee_per_blob_gas"],
  ],
  ether: ["account.balance", "tx.value"],
  gas: [
    ...["header.gas_limit", "header.gas_used", "header.blob_gas_used", "header.excess_blob_gas"],
    ...["tx.gas_limit", "tx_receipt.cumulative_gas_used"],
  ],
  date: ["header.timestamp"],
};

const WORDS: Readonly<Record<string, string>> = { avg: "on average", sum: "in all", min: "at least", max: "at most" };

/**
 * Returns a result as a phrase with its unit: `1.047238911 gwei on average`, `3 values of header.gas_used > 15,000,000
 * gas`. Undefined if neither a unit nor a comparison is known.
 */
export function spokenValue(value: bigint, task: Task | undefined, given?: Unit): string | undefined {
  if (task?.type !== "DatalakeCompute") return given === undefined ? undefined : IN_UNIT[given](value);
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const unit = given ?? unitOf(task);
  if (aggregateFnId === "count") {
    if (aggregateFnCtx === undefined) return undefined;
    const { operator, valueToCompare } = aggregateFnCtx;
    const threshold = (unit && IN_UNIT[unit](valueToCompare)) ?? grouped(valueToCompare);
    return `${plural(value, "value")} of ${formatSampledProperty(task.datalake.sampledProperty)} ${OPERATOR_SIGNS[operator]} ${threshold}`;
  }
  // A sum of dates has no meaning.
  if (unit === undefined || (unit === "date" && aggregateFnId === "sum")) return undefined;
  const text = IN_UNIT[unit](value);
  return text === undefined ? undefined : `${text} ${WORDS[aggregateFnId] ?? ""}`.trim();
}

/** Returns the unit of a task's sampled property; undefined for plain numbers. */
export function unitOf({ datalake: { sampledProperty } }: DatalakeComputeTask): Unit | undefined {
  if (sampledProperty.kind === "storage") return undefined;
  const field = `${sampledProperty.kind}.${sampledProperty.field}`;
  return UNITS.find((unit) => FIELDS[unit]?.includes(field));
}

function groupedDecimal(decimal: string): string {
  return decimal.replace(/^\d+/, (whole) => grouped(BigInt(whole)));
}
