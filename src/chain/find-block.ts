/** What is read of a block to find it by its time: seconds since 1970. */
export interface BlockTime {
  readonly number: bigint;
  readonly timestamp: bigint;
}

/** Seconds between two blocks as long as nothing is known of the chain: Ethereum's. */
const USUAL_INTERVAL = 12;

/**
 * The first block at or after a time, by interpolation between the headers that were read. On a chain of 20 million
 * blocks in Ethereum's slots it reads at most 12 headers, the latest among them; where intervals were mined at random, as
 * before Ethereum's slots, one date in a hundred takes up to 15.
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
  let rate = USUAL_INTERVAL;
  let boost = 1;
  while (low === undefined ? high.number > 0 : high.number - low.number > 1) {
    const guess = low === undefined ? backwards(high, rate, target) : between(low, high, target, rate, boost);
    const found = point(await read(BigInt(guess)));
    const isLow = found.time < target;
    const moved = isLow ? (low ?? high) : high;
    // The interval near the time, of the two headers on its one side that were read last.
    const measured = Math.max((moved.time - found.time) / (moved.number - found.number), 0.01);
    // Short of the time once more: further next time, so that also a chain that stood still is got over.
    boost = low !== undefined && isLow === target - low.time < high.time - target ? boost * 4 : 1;
    rate = measured;
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

/** How many roots of the distance a guess is moved. */
const MARGIN = 0.3;

/** Before any header older than the time is known: as far back as the last interval says, and a little further. */
function backwards(high: Point, rate: number, target: number): number {
  const back = (high.time - target) / rate;
  const guess = Math.floor(high.number - back * 1.02 - Math.sqrt(back));
  // Block 0 may have no time of its own, as Ethereum's: it is read only where block 1 is not before the time.
  return Math.min(Math.max(guess, 1), high.number - 1);
}

/**
 * Where the time should be between two headers, as seen from the nearer one and moved a little past it, so that it comes
 * to lie between two near headers: intervals vary, and the sum of `n` of them by about the root of `n`.
 */
function between(low: Point, high: Point, target: number, rate: number, boost: number): number {
  const middle = low.number + (high.number - low.number) / 2;
  if (high.number - low.number <= 4) return Math.floor(middle);
  const [after, before] = [target - low.time, high.time - target];
  const distance = Math.min(after, before) / Math.max(rate, (high.time - low.time) / (high.number - low.number) / 4);
  const past = distance + MARGIN * boost * Math.sqrt(distance);
  const guess = after < before ? Math.min(low.number + past, middle) : Math.max(high.number - past, middle);
  return Math.min(Math.max(Math.round(guess), low.number + 1), high.number - 1);
}
