import { notAllowed } from "../errors/hdp-error.js";

/** A block by tag and offset, or by a day or time: `from` and the second after it, `until`, in seconds since 1970. */
export type BlockReference =
  | { readonly kind: "tag"; readonly tag: "latest" | "safe" | "finalized"; readonly back: bigint }
  | { readonly kind: "date"; readonly from: bigint; readonly until: bigint };

/** The number that a block written by place or date was resolved to. */
export interface ResolvedBlock {
  /** Place in the document: `tasks[0].datalake.blockRangeEnd`. */
  readonly path: string;
  /** As written: `latest-64`, `2026-01-01`. */
  readonly text: string;
  readonly block: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/** Pattern of a block named by tag, day or time: `latest - 10`, `2026-01-31`, `2026-01-31T12:00Z`. */
export const BLOCK_REFERENCE =
  "^((latest|safe|finalized)(\\s*-\\s*\\d{1,18})?|\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?)$";

const REFERENCE = new RegExp(BLOCK_REFERENCE);
const DAY = 86_400n;

/** Parses `latest`, `finalized-64`, a day (`2026-01-01`, UTC) or a time (`2026-01-01T12:00:00Z`); else undefined. */
export function parseBlockReference(text: unknown): BlockReference | undefined {
  if (typeof text !== "string" || !REFERENCE.test(text)) return undefined;
  const [tag, back = 0] = text.split(/\s*-\s*/);
  if (tag === "latest" || tag === "safe" || tag === "finalized")
    return { kind: "tag", tag, back: BigInt(back) };
  const milliseconds = Date.parse(text);
  // Date.parse accepts days that do not exist, as days of the next month.
  if (
    Number.isNaN(milliseconds) ||
    !new Date(milliseconds).toISOString().startsWith(text.slice(0, 10))
  )
    return undefined;
  const from = BigInt(milliseconds / 1000);
  return { kind: "date", from, until: from + (text.length === 10 ? DAY : 1n) };
}

/** Returns the range of the latest blocks, at least 1: `blockSampled({ ...last(100), property })`. @throws HDP-6003 */
export function last(count: number | bigint): { readonly from: string; readonly to: "latest" } {
  const isCount = typeof count === "bigint" || Number.isSafeInteger(count);
  if (!isCount || count < 1)
    throw notAllowed(count, "a count of blocks", {
      path: "last(count)",
      allowed: "an integer of at least 1",
    });
  const back = BigInt(count) - 1n;
  return { from: back === 0n ? "latest" : `latest-${back.toString()}`, to: "latest" };
}

/** The number of a block and its time, in seconds since 1970. */
export type BlockTime = Readonly<Record<"number" | "timestamp", bigint>>;

/** Returns the first block at or after a time, by bisection (some 25 headers); undefined if the latest is earlier. */
export async function firstBlockAtOrAfter(
  seconds: bigint,
  latest: BlockTime,
  read: (number: bigint) => Promise<BlockTime>,
): Promise<BlockTime | undefined> {
  if (latest.timestamp < seconds) return undefined;
  let found = latest;
  let low = 0n;
  while (low < found.number) {
    const block = await read((low + found.number) / 2n);
    if (block.timestamp < seconds) low = block.number + 1n;
    else found = block;
  }
  return found;
}

/** Returns what a text that names no block was probably meant to be; undefined for another text. */
export function meantBlock(text: string): string | undefined {
  const spelled = text.trim().toLowerCase();
  const [, tag, sign, count] =
    /^(latest|head|safe|finalized)\s*([+-])?\s*(\d*)$/.exec(spelled) ?? [];
  if (tag !== undefined) {
    const known = tag === "head" ? "latest" : tag;
    // No block is behind the latest.
    return sign === "-" && count !== "" ? `${known}-${String(count)}` : known;
  }
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(spelled) ?? [];
  if (year !== undefined) return existingDay(year, month, day);
  const [, first, second, last] = /^(\d{1,2})([-/.])\d{1,2}\2\d{4}$/.test(spelled)
    ? [undefined, ...spelled.split(/[-/.]/)]
    : [];
  // "31.01.2026" begins with the day, "01/31/2026" with the month.
  return spelled.includes("/")
    ? existingDay(last, first, second)
    : existingDay(last, second, first);
}

function existingDay(year = "", month = "", day = ""): string | undefined {
  const text = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  return parseBlockReference(text) === undefined ? undefined : text;
}

/** Keys of a datalake whose values are blocks. */
export const BLOCK_KEYS = ["blockRangeStart", "blockRangeEnd", "targetBlock"] as const;

/** Returns whether a document of tasks names a block by a reference. */
export function hasReference(value: unknown): value is object {
  if (Array.isArray(value)) return value.some(hasReference);
  if (typeof value !== "object" || value === null) return false;
  if ("tasks" in value) return hasReference(value.tasks);
  const datalake: unknown = "datalake" in value ? value.datalake : undefined;
  if (typeof datalake !== "object" || datalake === null) return false;
  return BLOCK_KEYS.some((key) => parseBlockReference(Reflect.get(datalake, key)) !== undefined);
}
