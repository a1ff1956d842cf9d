import { expect } from "chai";
import type { Hex } from "viem";

import type { Eip1193Provider } from "../../src/base/rpc.js";
import type { ProveMode } from "../../src/chain/chain-reader.js";
import { ProvenChainReader } from "../../src/chain/proven-chain-reader.js";
import { hdpFailure } from "../support/failure.js";
import { ALICE, sharedChain } from "../support/simulated-chain.js";

const SLOT: Hex = `0x${"00".repeat(32)}`;
/** A block with three transactions. */
const BLOCK = 7n;

describe("what a read says of its proof", () => {
  let chain: Eip1193Provider;
  before(async () => {
    chain = await sharedChain();
  });

  /** The chain behind a node that does not offer some calls. */
  function without(refused: (method: string, params: readonly unknown[]) => boolean): Eip1193Provider {
    return {
      request: async ({ method, params = [] }) => {
        if (refused(method, params)) throw Object.assign(new Error("method not found"), { code: -32601 });
        return await chain.request({ method, params });
      },
    };
  }
  const noWholeBlocks = (): Eip1193Provider =>
    without((method, params) => method === "eth_getBlockByNumber" && params[1] === true);
  const noProofs = (): Eip1193Provider => without((method) => method === "eth_getProof");

  async function flags(provider: Eip1193Provider, prove: ProveMode): Promise<Readonly<Record<string, boolean>>> {
    const reader = new ProvenChainReader(provider, { prove });
    return {
      header: (await reader.header(BLOCK)).proven,
      account: (await reader.account(BLOCK, ALICE)).proven,
      storage: (await reader.storage(BLOCK, ALICE, SLOT)).proven,
      transaction: (await reader.transaction(BLOCK, 0)).proven,
      receipt: (await reader.receipt(BLOCK, 0)).proven,
    };
  }

  const all = { header: true, account: true, storage: true, transaction: true, receipt: true };
  const none = { header: false, account: false, storage: false, transaction: false, receipt: false };

  it("is true for everything over a node that proves", async () => {
    expect(await flags(chain, "when-possible")).to.deep.equal(all);
    expect(await flags(chain, "require")).to.deep.equal(all);
  });

  it("is false for everything where nothing is checked", async () => {
    expect(await flags(chain, "never")).to.deep.equal(none);
    expect(await flags(noWholeBlocks(), "never")).to.deep.equal(none);
  });

  it("is false for a transaction and a receipt that are read one by one", async () => {
    expect(await flags(noWholeBlocks(), "when-possible")).to.deep.equal({ ...all, transaction: false, receipt: false });
  });

  it("is false for accounts and slots without eth_getProof", async () => {
    expect(await flags(noProofs(), "when-possible")).to.deep.equal({ ...all, account: false, storage: false });
  });

  it("gives the same values with a proof and without", async () => {
    for (const [provider, prove] of [
      [noWholeBlocks(), "when-possible"],
      [chain, "never"],
    ] as const) {
      const [bare, checked] = [new ProvenChainReader(provider, { prove }), new ProvenChainReader(chain)];
      for (const index of [0, 1, 2]) {
        expect((await bare.transaction(BLOCK, index)).value).to.equal((await checked.transaction(BLOCK, index)).value);
        expect((await bare.receipt(BLOCK, index)).value).to.equal((await checked.receipt(BLOCK, index)).value);
      }
      expect(await bare.transactionCount(BLOCK)).to.equal(await checked.transactionCount(BLOCK));
    }
  });

  it("is an error where proofs are required and cannot be had", async () => {
    const [whole, proofs] = [noWholeBlocks(), noProofs()].map(
      (one) => new ProvenChainReader(one, { prove: "require" }),
    );
    if (whole === undefined || proofs === undefined) throw new Error("two readers");
    for (const work of [whole.transaction(BLOCK, 0), whole.receipt(BLOCK, 0), whole.transactionCount(BLOCK)]) {
      expect((await hdpFailure(work)).code).to.equal("HDP-4204");
    }
    for (const work of [proofs.account(BLOCK, ALICE), proofs.storage(BLOCK, ALICE, SLOT)]) {
      expect((await hdpFailure(work)).code).to.equal("HDP-4204");
    }
  });

  it("comes for the last transaction of a block and not for the one behind it", async () => {
    for (const reader of [new ProvenChainReader(chain), new ProvenChainReader(noWholeBlocks())]) {
      const count = await reader.transactionCount(BLOCK);
      expect((await reader.transaction(BLOCK, count - 1)).value).to.match(/^0x/);
      expect((await reader.receipt(BLOCK, count - 1)).value).to.match(/^0x/);
      for (const work of [reader.transaction(BLOCK, count), reader.receipt(BLOCK, count)]) {
        const error = await hdpFailure(work);
        expect(error.code).to.equal("HDP-4301");
        expect(error.message).to.contain(`block 7 has no transaction ${count}: it has ${count} transactions`);
      }
    }
  });
});
