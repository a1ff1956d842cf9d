import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { ModuleDryRun } from "../../plugin/actions/program-actions.js";
import { type Unit, UNITS } from "../../request/describe-task.js";
import type { CairoValue } from "../../request/task.js";
import { oneOf } from "../run-command.js";

/** Shortens hex for recognition: "0x5FbD…0aa3". Hex for copying is printed in full. */
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

/** Lower limit of felts that are printed in hexadecimal: they are mostly addresses, hashes and short strings. */
const LARGE_FELT = 1n << 64n;
const FELT_TYPES = /::(felt252|ContractAddress|ClassHash|StorageAddress|EthAddress|bytes31)$/;

/** Returns a decoded Cairo value on one line: integers with separators, addresses in hex, text and structures as JSON. */
export function cairoText(value: CairoValue, type = ""): string {
  if (typeof value !== "bigint") return jsonText(value, 2).replaceAll(/\s*\n\s*/g, " ");
  return FELT_TYPES.test(type) && value >= LARGE_FELT ? `0x${value.toString(16)}` : grouped(value);
}

/** Returns a function that numbers names in their order, and the numbers it gave. */
export function numbered(): {
  readonly names: ReadonlyMap<string, number>;
  readonly indexOf: (name: string) => number;
} {
  const names = new Map<string, number>();
  const indexOf = (name: string): number => {
    const index = names.get(name) ?? names.size;
    names.set(name, index);
    return index;
  };
  return { names, indexOf };
}

export function feltsText(felts: readonly bigint[]): string {
  return felts.length === 0 ? "none" : felts.map((felt) => `0x${felt.toString(16)}`).join(" ");
}

/** Returns the unit of `--unit`. @throws HdpError HDP-6003 */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (text === undefined) return undefined;
  const hints = ["Without it, the sampled field decides."];
  return oneOf(text.toLowerCase(), UNITS, { what: "a unit of values", path: "--unit", hints });
}

/** Returns the line of a read: `account.balance of 0xf39f…, block 0 of chain 11155111: 10,000`. */
export function describeRead(read: ModuleDryRun["reads"][number]): string {
  const place = [
    "address" in read ? ` of ${read.address}` : "",
    "slot" in read ? ` slot ${read.slot}` : "",
    "index" in read ? ` ${grouped(read.index)}` : "",
    "logIndex" in read ? ` log ${grouped(read.logIndex)}` : "",
  ].join("");
  const [low = 0n, high = 0n, ...more] = read.felts;
  const value = more.length > 0 ? plural(read.felts.length, "felt") : grouped(low + (high << 128n));
  return `${read.kind}.${read.field}${place}, block ${grouped(read.block)} of chain ${read.chainId.toString()}: ${value}`;
}
