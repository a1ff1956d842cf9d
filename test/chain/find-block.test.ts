import { expect } from "chai";

import { type BlockTime, firstBlockAtOrAfter } from "../../src/chain/find-block.js";

const LENGTH = 20_000_000;
const DAY = 86_400;

/** Numbers from 0 to 1 that follow from a seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Times of blocks, from the intervals between them. */
function chain(first: number, interval: (number: number) => number): Float64Array {
  const times = new Float64Array(LENGTH + 1);
  let time = first;
  for (let number = 0; number <= LENGTH; number++) {
    times[number] = time;
    time += interval(number);
  }
  return times;
}

const slots = (): Float64Array => {
  const random = numbers(1);
  return chain(1_606_824_023, () => (random() < 0.01 ? 24 : 12));
};

/** Mined at random before 15,537,393, slower for a while, and in slots after that; block 0 has no time of its own. */
const ethereum = (): Float64Array => {
  const random = numbers(2);
  const times = chain(1_438_269_973, (number) => {
    if (number >= 15_537_393) return random() < 0.01 ? 24 : 12;
    const mean = number > 4_000_000 && number < 4_370_000 ? 25 : 13;
    return 1 + Math.floor(-Math.log(1 - random()) * mean);
  });
  times[0] = 0;
  return times;
};

async function readsOf(times: Float64Array, seconds: number): Promise<number> {
  const read = new Set<bigint>([BigInt(LENGTH)]);
  const at = (number: bigint): BlockTime => ({ number, timestamp: BigInt(times[Number(number)] ?? 0) });
  const found = await firstBlockAtOrAfter(BigInt(seconds), at(BigInt(LENGTH)), async (number) => {
    read.add(number);
    return at(number);
  });
  const number = Number(found?.number);
  expect((times[number] ?? 0) >= seconds && (times[number - 1] ?? 0) < seconds, `block ${number}`).to.equal(true);
  return read.size;
}

describe("a block by its date", function () {
  this.timeout(120_000);

  for (const [name, make, most, usual] of [
    ["in slots", slots, 12, 12],
    ["with Ethereum's history", ethereum, 15, 12],
  ] as const) {
    it(`is found on a chain of 20 million blocks ${name}, with few headers`, async () => {
      const times = make();
      const random = numbers(3);
      const reads: number[] = [];
      for (let i = 0; i < 1_500; i++) {
        const [first, last] = [times[1] ?? 0, times[LENGTH] ?? 0];
        const moment = first + DAY + random() * (last - first - 2 * DAY);
        reads.push(await readsOf(times, i % 2 === 0 ? Math.ceil(moment / DAY) * DAY : Math.ceil(moment)));
      }
      const sorted = reads.toSorted((a, b) => a - b);
      expect(sorted.at(-1)).to.be.at.most(most);
      expect(sorted[Math.floor(0.97 * sorted.length)]).to.be.at.most(usual);
    });
  }

  it("is the first one of several at the same second, and none where the chain is not so far", async () => {
    const times = [5, 10, 10, 10, 11];
    const at = (number: bigint): BlockTime => ({ number, timestamp: BigInt(times[Number(number)] ?? 0) });
    const find = async (seconds: bigint): Promise<bigint | undefined> =>
      (await firstBlockAtOrAfter(seconds, at(4n), async (number) => at(number)))?.number;
    const found = await Promise.all([0n, 5n, 6n, 10n, 11n, 12n].map(find));
    expect(found).to.deep.equal([0n, 0n, 1n, 1n, 4n, undefined]);
  });
});
