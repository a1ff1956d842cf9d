import { expect } from "chai";
import fc from "fast-check";

import type { ModuleRead } from "../../src/entries/local.js";
import { Strides } from "../../src/compute/strides.js";

const number = (bits: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: 2n ** bits - 1n });
const hex = (value: bigint, bytes: number): `0x${string}` =>
  `0x${value.toString(16).padStart(2 * bytes, "0")}`;

/** A read by its kind and three numbers. */
function readOf(kind: number, block: bigint, address: bigint, slot: bigint): ModuleRead {
  const place = { chainId: 1n, block };
  if (kind === 0) return { kind: "header", ...place, field: "timestamp" };
  if (kind === 1) return { kind: "account", ...place, field: "balance", address: hex(address, 20) };
  if (kind === 2) {
    return {
      kind: "storage",
      ...place,
      field: "slot",
      address: hex(address, 20),
      slot: hex(slot, 32),
    };
  }
  return { kind: "transaction", ...place, field: "nonce", index: Number(slot % 1_000n) };
}

const place = fc.tuple(number(64n), number(159n), number(255n));
const stride = fc.tuple(...([64n, 150n, 240n] as const).map((bits) => number(bits)));

function nextAfter(reads: readonly ModuleRead[], count: number): readonly ModuleRead[] {
  const strides = new Strides();
  for (const read of reads) strides.add(read);
  return strides.next(count);
}

describe("strides of a run's reads", () => {
  it("go on as a loop does that reads up to eight values a turn, wherever in a turn it is", () => {
    const body = fc.array(fc.tuple(fc.nat(2), place, stride), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(body, fc.nat(7), fc.integer({ min: 1, max: 40 }), (steps, into, count) => {
        const turn = (index: number): ModuleRead[] =>
          steps.map(([kind, [block, address, slot], [blocks, addresses, slots]]) => {
            const turns = BigInt(index);
            return readOf(
              kind,
              block + turns * (blocks ?? 0n) + turns,
              address + turns * (addresses ?? 0n),
              slot + turns * (slots ?? 0n),
            );
          });
        const reads = Array.from({ length: 100 }, (_, index) => turn(index)).flat();
        const made = 3 * 8 + (into % steps.length);
        expect(nextAfter(reads.slice(0, made), count)).to.deep.equal(
          reads.slice(made, made + count),
        );
      }),
    );
  });

  it("takes strides of three turns at least, and passes over reads of transactions", () => {
    const [first, second, third, fourth] = [1n, 3n, 5n, 7n].map((block) =>
      readOf(0, block, 0n, 0n),
    ) as [ModuleRead, ModuleRead, ModuleRead, ModuleRead];
    const transaction = readOf(3, 1n, 0n, 1n);
    expect(nextAfter([first, second], 1)).to.deep.equal([]);
    expect(nextAfter([first, transaction, second, third], 1)).to.deep.equal([fourth]);
    expect(nextAfter([first, second, fourth], 1)).to.deep.equal([]);
    expect(nextAfter([first, first, first], 1)).to.deep.equal([]);
    expect(nextAfter([transaction, transaction, transaction], 1)).to.deep.equal([]);
  });

  it("end where no block, account or slot has the number", () => {
    const down = [4n, 3n, 2n].map((block) => readOf(0, block, 0n, 0n));
    expect(nextAfter(down, 9)).to.deep.equal([readOf(0, 1n, 0n, 0n), readOf(0, 0n, 0n, 0n)]);
    const [account, slot] = [2n ** 160n, 2n ** 256n];
    const up = [5n, 4n, 3n].map((left) => readOf(2, 1n, account - left, slot - left));
    expect(nextAfter(up, 9)).to.deep.equal([
      readOf(2, 1n, account - 2n, slot - 2n),
      readOf(2, 1n, account - 1n, slot - 1n),
    ]);
  });

  it("returns at most as many strides as wanted, whatever was read", () => {
    const read = fc
      .tuple(fc.nat(3), number(3n), number(2n), number(2n))
      .map((parts) => readOf(...parts));
    fc.assert(
      fc.property(fc.array(read, { maxLength: 60 }), fc.nat(50), (reads, count) => {
        expect(nextAfter(reads, count).length).to.be.at.most(count);
      }),
    );
  });
});
