import { expect } from "chai";
import type { Hex } from "viem";

import { HeaderLinks } from "../../src/chain/proven-chain-reader.js";
import { hdpThrown } from "../support/failure.js";

/** The hash of a block of the chain. */
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const other: Hex = `0x${"ee".repeat(32)}`;

function linksOf(...numbers: readonly number[]): HeaderLinks {
  const links = new HeaderLinks();
  for (const number of numbers) links.add(BigInt(number), hash(number), hash(number - 1));
  return links;
}

describe("links between headers", () => {
  it("links neighbours that are parent and child, in any order, and the same header again", () => {
    const links = linksOf(5, 4, 6, 9);
    links.add(5n, hash(5), hash(4));
    expect(links.missing(3n, 10n)).to.deep.equal([3n, 7n, 8n, 10n]);
    expect(links.missing(4n, 6n)).to.deep.equal([]);
    expect(links.missing(7n, 7n)).to.deep.equal([7n]);
    expect(links.missing(8n, 7n)).to.deep.equal([]);
  });

  it("rejects another header in the place of one that was read", () => {
    const error = hdpThrown(() => linksOf(5).add(5n, other, hash(4)));
    expect(error.code).to.equal("HDP-4205");
    expect(error.message).to.contain(`block 5 was ${hash(5)} and is ${other} now`);
  });

  it("rejects a header whose parent is not the block below", () => {
    const error = hdpThrown(() => linksOf(5).add(6n, hash(6), other));
    expect(error.code).to.equal("HDP-4209");
    expect(error.message).to.contain(
      `block 6 does not follow the block below it: its parentHash is ${other}, but block 5 hashes to ${hash(5)}`,
    );
    expect(error.hints.slice(0, 1)).to.deep.equal([
      "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.",
    ]);
  });

  it("rejects a header that is not the parent of the block above", () => {
    const error = hdpThrown(() => linksOf(7).add(6n, other, hash(5)));
    expect(error.code).to.equal("HDP-4209");
    expect(error.message).to.contain(
      `block 7 does not follow the block below it: its parentHash is ${hash(6)}, but block 6 hashes to ${other}`,
    );
  });

  it("keeps a link for every header, however many follow", () => {
    const links = linksOf(...Array.from({ length: 100_000 }, (_, number) => number));
    expect(links.missing(0n, 100_000n)).to.deep.equal([100_000n]);
    const error = hdpThrown(() => {
      links.add(0n, other, hash(-1));
    });
    expect(error.code).to.equal("HDP-4205");
  });

  it("counts no links outside a range", () => {
    const links = linksOf(5, 4, 6, 9);
    expect([links.present(0n, 10n), links.present(5n, 9n), links.present(7n, 8n)]).to.deep.equal([
      4, 3, 0,
    ]);
  });

  it("links numbers that doubles no longer hold exactly", () => {
    const links = new HeaderLinks();
    const first = 2n ** 53n - 1n;
    for (const step of [0, 1, 2, 3]) links.add(first + BigInt(step), hash(step + 1), hash(step));
    expect([0n, 1n, 2n, 3n].map((step) => links.linkedHash(first + step))).to.deep.equal(
      [1, 2, 3, 4].map(hash),
    );
  });

  it("take only a parent of all zeros for a block that hardhat_mine skipped", () => {
    const zeros: Hex = `0x${"00".repeat(32)}`;
    const skipped = hdpThrown(() => linksOf(5).add(6n, hash(6), zeros));
    expect(skipped.code).to.equal("HDP-4210");
    expect(skipped.shortMessage).to.contain("block 6 was skipped");
    for (const parent of [`0x01${"00".repeat(31)}`, `0x${"00".repeat(31)}01`] as const) {
      const error = hdpThrown(() => linksOf(5).add(6n, hash(6), parent));
      expect(error.code).to.equal("HDP-4209");
      expect(error.hints[0]).to.contain("do not make up one chain");
    }
  });
});
