/** A block that is known by its place or its time, and not by its number. */
export type BlockReference = BlockTagReference | BlockDateReference;

export interface BlockTagReference {
  readonly kind: "tag";
  readonly tag: "latest" | "safe" | "finalized";
  /** How many blocks before it. */
  readonly back: bigint;
}

export interface BlockDateReference {
  readonly kind: "date";
  /** Seconds since 1970: the first moment that is meant. */
  readonly from: bigint;
  /** The first moment after what is meant: a day later for a day, a second later for a time. */
  readonly until: bigint;
}

/** A reference to a block, and the block it stood for when it was looked up. */
export interface ResolvedBlock {
  /** Place in the document: `tasks[0].datalake.blockRangeEnd`. */
  readonly path: string;
  /** As written: `latest-64`, `2026-01-01`. */
  readonly text: string;
  readonly block: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
}

/** Pattern of references, for JSON Schema. */
export const BLOCK_REFERENCE =
  "^((latest|safe|finalized)(\\s*-\\s*\\d{1,18})?|\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?)$";

const TAG = /^(latest|safe|finalized)(?:\s*-\s*(\d{1,18}))?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;
const DAY = 86_400n;

/**
 * A reference as it is written where a block number could be: `latest`, `latest-64`, `finalized`, a day (`2026-01-01`, in
 * UTC) or a time (`2026-01-01T12:00:00Z`). Undefined for everything else.
 */
export function parseBlockReference(text: unknown): BlockReference | undefined {
  if (typeof text !== "string") return undefined;
  const [, tag, back] = TAG.exec(text) ?? [];
  if (tag === "latest" || tag === "safe" || tag === "finalized") return { kind: "tag", tag, back: BigInt(back ?? 0) };
  if (!DATE.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  // What is no day of the calendar is taken for one of the next month.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(text.slice(0, 10)))
    return undefined;
  const from = BigInt(milliseconds / 1000);
  return { kind: "date", from, until: from + (text.length === 10 ? DAY : 1n) };
}

/**
 * The latest blocks: `blockSampled({ ...last(100), property })`.
 *
 * @param count at least 1
 */
export function last(count: number | bigint): { readonly from: string; readonly to: "latest" } {
  const back = BigInt(count) - 1n;
  if (back < 0n) throw new RangeError(`last(${String(count)}): there are no fewer blocks than one`);
  return { from: back === 0n ? "latest" : `latest-${back.toString()}`, to: "latest" };
}
