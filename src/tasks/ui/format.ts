import { formatEther, formatGwei } from "viem/utils";

import { keysOf } from "../../base/collections.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { CairoValue } from "../../request/lifecycle.js";
import { formatSampledProperty } from "../../request/sampled-property.js";
import type { DatalakeComputeTask, Operator, Task } from "../../request/task.js";
import { oneOf } from "../run-command.js";

/** Shortens hex to recognise it: "0x5FbD…0aa3". What is to be copied is printed whole. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Returns milliseconds as "0.1 s", "75 s", "2 min 5 s", "3 h 20 min"; rounded first, so that no part reaches 60. */
export function elapsed(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** Felts from here on are mostly addresses, hashes and short strings, which people compare in hexadecimal. */
const LARGE_FELT = 1n << 64n;
const FELT_TYPES = /::(felt252|ContractAddress|ClassHash|StorageAddress|EthAddress|bytes31)$/;

/** Returns a decoded Cairo value on one line: integers with separators, addresses in hex, text and structures as JSON. */
export function cairoText(value: CairoValue, type = ""): string {
  if (typeof value !== "bigint") return jsonText(value, 2).replaceAll(/\s*\n\s*/g, " ");
  return FELT_TYPES.test(type) && value >= LARGE_FELT ? `0x${value.toString(16)}` : grouped(value);
}

/** Returns felts in hex, for copying. */
export function feltsText(felts: readonly bigint[]): string {
  return felts.length === 0 ? "none" : felts.map((felt) => `0x${felt.toString(16)}`).join(" ");
}

/** Writes a number in a unit; undefined for a time that no calendar has. */
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
const UNITS = keysOf(IN_UNIT);

/** Fields that are not bare numbers. Prices read well in gwei, balances in ether. */
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

/** Returns the unit of `--unit`. @throws HdpError HDP-6003 */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (text === undefined) return undefined;
  const hints = ["Without it, the sampled field decides."];
  return oneOf(text.toLowerCase(), UNITS, { what: "a unit of values", path: "--unit", hints });
}

const SIGNS: Readonly<Record<Operator, string>> = { eq: "=", nq: "≠", gt: ">", gteq: "≥", lt: "<", lteq: "≤" };
const WORDS: Readonly<Record<string, string>> = { avg: "on average", sum: "in all", min: "at least", max: "at most" };

/**
 * Returns a result as a sentence of its field: `1.047238911 gwei on average`, `3 values of header.gas_used > 15,000,000
 * gas`. Undefined where nothing is known that the bare number does not say.
 */
export function spokenValue(value: bigint, task: Task | undefined, given?: Unit): string | undefined {
  if (task?.type !== "DatalakeCompute") return given === undefined ? undefined : IN_UNIT[given](value);
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const unit = given ?? unitOf(task);
  if (aggregateFnId === "count") {
    if (aggregateFnCtx === undefined) return undefined;
    const { operator, valueToCompare } = aggregateFnCtx;
    const threshold = (unit && IN_UNIT[unit](valueToCompare)) ?? grouped(valueToCompare);
    return `${plural(value, "value")} of ${formatSampledProperty(task.datalake.sampledProperty)} ${SIGNS[operator]} ${threshold}`;
  }
  // Dates cannot be added.
  if (unit === undefined || (unit === "date" && aggregateFnId === "sum")) return undefined;
  const text = IN_UNIT[unit](value);
  return text === undefined ? undefined : `${text} ${WORDS[aggregateFnId] ?? ""}`.trim();
}

function unitOf({ datalake: { sampledProperty } }: DatalakeComputeTask): Unit | undefined {
  if (sampledProperty.kind === "storage") return undefined;
  const field = `${sampledProperty.kind}.${sampledProperty.field}`;
  return UNITS.find((unit) => FIELDS[unit]?.includes(field));
}

function groupedDecimal(decimal: string): string {
  return decimal.replace(/^\d+/, (whole) => grouped(BigInt(whole)));
}
