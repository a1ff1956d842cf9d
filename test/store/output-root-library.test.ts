import { expect } from "chai";
import fc from "fast-check";
import { type Abi, decodeErrorResult, type Hex } from "viem";

import { FELT_PRIME, unorderedRoot } from "../../src/entries/request.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

const felt = fc.oneof(
  fc.bigInt({ min: 0n, max: FELT_PRIME - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  fc.constantFrom(0n, 1n, FELT_PRIME - 1n),
);

describe("HdpOutputRoot", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async function () {
    this.timeout(60_000);
    chain = await createChain();
    harness = await deployHarness(chain, "OutputRootHarness");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, harness, functionName, args);

  it("computes the roots of the TypeScript rule for lists of felts of every length", async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(fc.array(felt, { maxLength: 33 }), async (felts) => {
        expect(await call("outputRoot", [felts])).to.equal(unorderedRoot(felts));
      }),
      { numRuns: 60 },
    );
    for (let length = 0; length <= 9; length++) {
      const felts = Array.from({ length }, (_, index) => BigInt(index * index + 1));
      expect(await call("outputRoot", [felts])).to.equal(unorderedRoot(felts));
    }
  });

  it("computes the root of the TypeScript rule for one u256 and for one felt", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        felt,
        async (value, single) => {
          const halves = [value & (2n ** 128n - 1n), value >> 128n];
          expect(await call("ofUint256", [value])).to.equal(unorderedRoot(halves));
          expect(await call("ofFelt", [single])).to.equal(unorderedRoot([single]));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("refuses numbers that are not felts and names their place", async () => {
    for (const [name, args, index] of [
      ["outputRoot", [[1n, FELT_PRIME]], 1n],
      ["outputRoot", [[FELT_PRIME]], 0n],
      ["ofFelt", [FELT_PRIME], 0n],
    ] as const) {
      const error: unknown = await call(name, args).catch((thrown: unknown) => thrown);
      const decoded = decodeErrorResult({ abi: harness.abi, data: revertOf(error) ?? "0x" });
      expect(decoded.errorName).to.equal("NotAFelt");
      expect(decoded.args).to.deep.equal([index, FELT_PRIME]);
    }
  });
});
