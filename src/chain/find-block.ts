/** What is read of a block to find it by its time: seconds since 1970. */
export interface BlockTime {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** Seconds between two blocks as long as nothing is known of the chain: Ethereum's. */
const USUAL_INTERVAL = 12;

/** Headers beside the latest that finding a block should take at most: what is left of them halves a small bracket. */
const MOST_READS = 12;

/**
 * The first block at or after a time, by interpolation between the headers that were read.
 *
 * On chains of 20 million blocks it reads at most 12 headers beside the latest, and six to ten as a rule: in slots of
 * which some, or long runs, are missed; mined at random with a difficulty that follows; and with a merge in between, as
 * Ethereum's (test/chain/find-block.test.ts). Where the pace of random intervals wavers to its fourfold and back, as no
 * difficulty would let it, a date in a thousand takes one more. Against times that somebody chose to mislead there is no such number: a header
 * says nothing of the blocks between it and the next one, so that halving, which takes log2 of the chain's length, is the
 * best there is. After 12 headers the bracket is therefore halved, and a chain of 20 million blocks takes at most 12 + 2 + 25.
 *
 * @param seconds since 1970
 * @returns undefined where the latest block is before that time
 */
export async function firstBlockAtOrAfter(
  seconds: bigint,
  latest: BlockTime,
  read: (number: bigint) => Promise<BlockTime>,
): Promise<BlockTime | undefined> {
  if (latest.timestamp < seconds) return undefined;
  // Blocks are counted in doubles here: exact far beyond any chain's length.
  const target = Number(seconds);
  let high = point(latest);
  let low: Point | undefined;
  let boost = 1;
  const points = [high];
  while (low === undefined ? high.number > 0 : high.number - low.number > 1) {
    const near = points.toSorted((a, b) => Math.abs(a.time - target) - Math.abs(b.time - target));
    const left = MOST_READS + 1 - points.length;
    const guess =
      low === undefined
        ? backwards({ high, older: near.find((one) => one !== high), target, left })
        : between({ low, high, near, target, boost, left });
    const found = point(await read(BigInt(guess)));
    points.push(found);
    const isLow = found.time < target;
    // Short of the time once more: further next time, so that also a chain that stood still is got over.
    boost = low !== undefined && isLow === target - low.time < high.time - target ? boost * 2 : 1;
    if (isLow) low = found;
    else high = found;
  }
  return { number: BigInt(high.number), timestamp: BigInt(high.time) };
}

interface Point {
  readonly number: number;
  readonly time: number;
}

function point({ number, timestamp }: BlockTime): Point {
  return { number: Number(number), time: Number(timestamp) };
}

/** Seconds a block between two headers. */
function interval(one: Point, other: Point): number {
  return Math.max((one.time - other.time) / (one.number - other.number), 0.01);
}

interface Start {
  readonly high: Point;
  readonly older: Point | undefined;
  readonly target: number;
  readonly left: number;
}

/** Before any header older than the time is known: as far back as the last interval says, and a little further. */
function backwards({ high, older, target, left }: Start): number {
  const back = (high.time - target) / (older === undefined ? USUAL_INTERVAL : interval(high, older));
  const guess = left > 0 ? Math.floor(high.number - back * 1.02 - Math.sqrt(back)) : 1;
  // Block 0 may have no time of its own, as Ethereum's: it is read only where block 1 is not before the time.
  return Math.min(Math.max(guess, 1), high.number - 1);
}

interface Bracket {
  readonly low: Point;
  readonly high: Point;
  /** All headers that were read, the nearest to the time first. */
  readonly near: readonly Point[];
  readonly target: number;
  /** How often the last guesses fell short, as a factor. */
  readonly boost: number;
  /** Headers that may still be read. */
  readonly left: number;
}

/** How many standard deviations a guess is moved past the time, so that it comes to lie between two near headers. */
const PAST = 0.25;
/** Blocks between headers that say how long an interval is: of fewer chance would say it. */
const SPAN = 30;
/** Blocks above which the interval's change counts for more than chance. */
const WIDE = 2_000;

/**
 * Where the time should be between two headers, as seen from the nearer one and moved a little past it: intervals vary,
 * and the sum of `n` of them by about the root of `n`. A bracket that halving gets through with what may still be read is
 * never left wider than that.
 */
function between({ low, high, near, target, boost, left }: Bracket): number {
  const width = high.number - low.number;
  if (left <= 0) return low.number + Math.floor(width / 2);
  const isAfterLow = target - low.time < high.time - target;
  const base = isAfterLow ? low : high;
  const other = near.find(({ number }) => Math.abs(number - base.number) >= SPAN) ?? (isAfterLow ? high : low);
  const seconds = Math.max(interval(base, other), interval(low, high) / 8);
  const straight = Math.abs(target - base.time) / seconds;
  const curved = width > WIDE ? Math.abs(along(near.slice(0, 4), target) - base.number) : Number.NaN;
  const isCurved = curved < width * 0.9;
  const distance = isCurved ? curved : straight;
  const spread = Math.sqrt(Math.max(distance, 0.5) * Math.max(1 - distance / width, 0.05));
  const past = distance + boost * (PAST * spread + (isCurved ? 0.1 * Math.abs(curved - straight) : 0));
  const guess = Math.round(isAfterLow ? base.number + past : base.number - past);
  const isHalved = width <= 2 ** left;
  const room = isHalved ? 2 ** (left - 1) : Math.ceil(width / 2);
  // Otherwise it is only never moved from the nearer side beyond the middle.
  const least = isHalved || !isAfterLow ? high.number - room : low.number;
  const most = isHalved || isAfterLow ? low.number + room : high.number;
  return within(within(guess, least, most), low.number + 1, high.number - 1);
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The block of a time on the polynomial through some headers, by Neville's scheme: intervals change with difficulty. */
function along(points: readonly Point[], time: number): number {
  let values = points.map(({ number }) => number);
  for (let span = 1; span < points.length; span++) {
    values = points.slice(span).map((to, index) => {
      const from = points[index] ?? to;
      const [one, other] = [values[index] ?? 0, values[index + 1] ?? 0];
      return ((time - to.time) * one - (time - from.time) * other) / (from.time - to.time);
    });
  }
  return values[0] ?? Number.NaN;
}
