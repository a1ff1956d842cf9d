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
function chain(length: number, first: number, interval: (number: number) => number): Float64Array {
  const times = new Float64Array(length + 1);
  let time = first;
  for (let number = 0; number <= length; number++) {
    times[number] = time;
    time += interval(number);
  }
  return times;
}

/** One slot of a hundred is missed. */
const slots = (length: number): Float64Array => {
  const random = numbers(1);
  return chain(length, 1_606_824_023, () => (random() < 0.01 ? 24 : 12));
};

/** As above, and now and then up to an hour of slots in a row. */
const runs = (length: number): Float64Array => {
  const random = numbers(5);
  return chain(length, 1_606_824_023, () => {
    const chance = random();
    if (chance < 0.0001) return 12 * (2 + Math.floor(random() * 300));
    return chance < 0.01 ? 24 : 12;
  });
};

/** Mined at random before 15,537,393, slower for a while, and in slots after that; block 0 has no time of its own. */
const ethereum = (length: number): Float64Array => {
  const random = numbers(2);
  const times = chain(length, 1_438_269_973, (number) => {
    if (number >= 15_537_393) return random() < 0.01 ? 24 : 12;
    const mean = number > 4_000_000 && number < 4_370_000 ? 25 : 13;
    return 1 + Math.floor(-Math.log(1 - random()) * mean);
  });
  times[0] = 0;
  return times;
};

/** Mined at random, with Homestead's difficulty after a hash rate that jumps. */
const mined = (length: number): Float64Array => {
  const random = numbers(11);
  let [rate, difficulty] = [1, 13];
  return chain(length, 1_438_269_973, (number) => {
    if (number % 50_000 === 0) rate *= 1 + 0.3 * (random() - 0.35);
    const seconds = Math.max(1, Math.floor((-Math.log(1 - random()) * difficulty) / rate));
    difficulty += (difficulty / 2048) * Math.max(1 - Math.floor(seconds / 10), -99);
    return seconds;
  });
};

/** Mined at random, at a pace that goes from 5 to 21 seconds and back. */
const wavering = (length: number): Float64Array => {
  const random = numbers(7);
  return chain(length, 1_438_269_973, (number) => {
    return 1 + Math.floor(-Math.log(1 - random()) * (13 + 8 * Math.sin(number / 700_000)));
  });
};

async function readsOf(times: Float64Array, seconds: number): Promise<number> {
  const read = new Set<bigint>();
  const at = (number: bigint): BlockTime => ({ number, timestamp: BigInt(times[Number(number)] ?? 0) });
  const found = await firstBlockAtOrAfter(BigInt(seconds), at(BigInt(times.length - 1)), async (number) => {
    expect(read.has(number), `block ${String(number)} is read once`).to.equal(false);
    read.add(number);
    return at(number);
  });
  const number = Number(found?.number);
  expect((times[number] ?? 0) >= seconds && (times[number - 1] ?? 0) < seconds, `block ${number}`).to.equal(true);
  return read.size;
}

describe("a block by its date", function () {
  this.timeout(120_000);

  it("is found with as many headers as were measured when its guesses were chosen", async () => {
    const totals: number[][] = [];
    for (const make of [slots, runs, ethereum, mined, wavering]) {
      const totalsOf: number[] = [];
      for (const length of [3, 40, 1_000, 30_000, 1_000_000]) {
        const times = make(length);
        const random = numbers(9);
        const [first, last] = [times[1] ?? 0, times[length] ?? 0];
        let total = 0;
        for (let i = 0; i < 100; i++) total += await readsOf(times, Math.ceil(first + random() * (last - first)));
        totalsOf.push(total);
      }
      totals.push(totalsOf);
    }
    // Of 100 dates each. A guess that takes another way changes them: fewer are better.
    expect(totals).to.deep.equal([
      [185, 313, 370, 510, 455],
      [176, 298, 373, 520, 515],
      [143, 389, 516, 635, 657],
      [176, 357, 573, 659, 678],
      [189, 370, 518, 623, 777],
    ]);
  });

  for (const [name, make, most, mean] of [
    ["in slots", slots, 12, 6.5],
    ["in slots, of which long runs are missed", runs, 12, 7],
    ["with Ethereum's history", ethereum, 12, 8.5],
    ["mined with a difficulty that follows", mined, 12, 8.5],
    ["mined at a pace that wavers", wavering, 13, 10.5],
  ] as const) {
    it(`is found on a chain of 20 million blocks ${name}, with at most ${String(most)} headers beside the latest`, async () => {
      const times = make(LENGTH);
      const random = numbers(3);
      const reads: number[] = [];
      for (let i = 0; i < 1_000; i++) {
        const [first, last] = [times[1] ?? 0, times[LENGTH] ?? 0];
        const moment = first + DAY + random() * (last - first - 2 * DAY);
        reads.push(await readsOf(times, i % 2 === 0 ? Math.ceil(moment / DAY) * DAY : Math.ceil(moment)));
      }
      expect(Math.max(...reads)).to.be.at.most(most);
      expect(reads.reduce((sum, one) => sum + one, 0) / reads.length).to.be.at.most(mean);
    });
  }

  it("is found with at most 39 headers whatever the times of 20 million blocks are", async () => {
    const misleading: readonly ((number: number) => number)[] = [
      (number) => Math.floor(1e9 * (number / LENGTH) ** 20),
      (number) => Math.floor(1e9 * (1 - (1 - number / LENGTH) ** 20)),
      (number) => (number < 12_345_678 ? Math.floor(number / 1e6) : 1_000_000_000 + Math.floor(number / 1e6)),
      (number) => (number < LENGTH - 3 ? number : number * 100),
      (number) => Math.floor(Math.log2(number + 1) * 1e6),
      (number) => 2 ** Math.floor(number / 500_000),
    ];
    const totals: number[] = [];
    for (const timeOf of misleading) {
      const at = (number: bigint): BlockTime => ({ number, timestamp: BigInt(timeOf(Number(number))) });
      const random = numbers(13);
      let total = 0;
      for (let i = 0; i < 500; i++) {
        const wanted = BigInt(timeOf(1 + Math.floor(random() * LENGTH))) + BigInt(i % 2);
        let reads = 0;
        const found = await firstBlockAtOrAfter(wanted, at(BigInt(LENGTH)), async (number) => {
          reads += 1;
          return at(number);
        });
        total += reads;
        if (found === undefined) continue;
        expect(reads).to.be.at.most(39);
        expect(found.timestamp >= wanted && (found.number === 0n || at(found.number - 1n).timestamp < wanted)).to.equal(
          true,
        );
      }
      totals.push(total);
    }
    // Of 500 dates each, as above.
    expect(totals).to.deep.equal([13_265, 13_874, 17_367, 5_019, 5_481, 17_607]);
  });

  it("is the first one of several at the same second, and none where the chain is not so far", async () => {
    const times = [5, 10, 10, 10, 11];
    const at = (number: bigint): BlockTime => ({ number, timestamp: BigInt(times[Number(number)] ?? 0) });
    const find = async (seconds: bigint): Promise<bigint | undefined> =>
      (await firstBlockAtOrAfter(seconds, at(4n), async (number) => at(number)))?.number;
    const found = await Promise.all([0n, 5n, 6n, 10n, 11n, 12n].map(find));
    expect(found).to.deep.equal([0n, 0n, 1n, 1n, 4n, undefined]);
  });
});
