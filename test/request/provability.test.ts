import { expect } from "chai";
import fc from "fast-check";

import { judgeProvability, provabilityText } from "../../src/request/provability.js";
import { isConnected } from "../../src/request/satellites.js";

const CHAINS = { source: "A", destination: "B" };
const range = (first: number, last: number) => ({ first: BigInt(first), last: BigInt(last) });

describe("whether a destination can prove blocks", () => {
  it("says provable, where the accumulators end, which block is missing, or that nothing connects", () => {
    const said = (ranges: readonly ReturnType<typeof range>[] | undefined, connected = true) =>
      provabilityText(judgeProvability(range(10, 20), ranges, connected), CHAINS);
    expect(said([range(0, 20)])).to.equal("provable");
    expect(said([range(15, 30), range(0, 14)])).to.equal("provable");
    expect(said([range(0, 20)], false)).to.equal("provable");
    expect(said([range(0, 12)])).to.equal("not yet: ends at block 12");
    expect(said([range(0, 5)])).to.equal("not yet: ends at block 5");
    expect(said([range(0, 14), range(16, 30)])).to.equal(
      "not yet: block 15 is missing, before the end at block 30",
    );
    expect(said([])).to.equal("not yet: no block is there");
    expect(said(undefined)).to.equal("not yet: no block is there");
    expect(said(undefined, false)).to.equal("no published connection from A to B");
  });

  it("agrees with looking for each block by itself", () => {
    const one = fc.tuple(fc.nat(30), fc.nat(8)).map(([first, size]) => range(first, first + size));
    fc.assert(
      fc.property(one, fc.array(one, { maxLength: 6 }), (wanted, ranges) => {
        const isHeld = (block: bigint): boolean =>
          ranges.some(({ first, last }) => first <= block && block <= last);
        let missing: bigint | undefined;
        for (let block = wanted.first; block <= wanted.last && missing === undefined; block += 1n)
          if (!isHeld(block)) missing = block;
        const found = judgeProvability(wanted, ranges, true);
        expect(found.kind === "not-yet" ? found.missing : undefined).to.equal(missing);
      }),
    );
  });

  it("follows the published connections over several chains, and not backwards", () => {
    expect(isConnected("ETHEREUM_MAINNET", "APECHAIN_MAINNET")).to.equal(true);
    expect(isConnected("ETHEREUM_SEPOLIA", "STARKNET_SEPOLIA")).to.equal(true);
    expect(isConnected("WORLD_SEPOLIA", "WORLD_SEPOLIA")).to.equal(true);
    expect(isConnected("WORLD_SEPOLIA", "ETHEREUM_SEPOLIA")).to.equal(false);
    expect(isConnected("ETHEREUM_MAINNET", "STARKNET_SEPOLIA")).to.equal(false);
  });
});
