import { expect } from "chai";

import { account, blockSampled, header, storage } from "../../src/entries/request.js";
import {
  type ChainReader,
  ProvenChainReader,
  requireProvableAccounts,
} from "../../src/entries/local.js";
import { expectHdpError, hdpFailure } from "../support/failure.js";
import { BOB, sharedChain, SLOT } from "../support/simulated-chain.js";

const NOBODY = "0x00000000000000000000000000000000000000aa";
const range = { from: 4n, to: 8n } as const;

describe("requireProvableAccounts", () => {
  let reader: ChainReader;
  before(async () => {
    reader = new ProvenChainReader(await sharedChain(), { prove: "require" });
  });

  it("refuses fields and slots of an account from the first sampled block on at which it does not exist", async () => {
    for (const property of [account(NOBODY, "balance"), storage(NOBODY, SLOT)]) {
      for (const concurrency of [1, 2, 16]) {
        const task = blockSampled({ ...range, increment: 2n, property }).sum();
        await expectHdpError(
          requireProvableAccounts(reader, task, { concurrency }),
          "HDP-1129",
          new RegExp(`the account ${NOBODY} does not exist at block 4, so`),
        );
      }
    }
  });

  it("takes an account that exists at every sampled block, and tasks without one", async () => {
    const later = { from: 6n, to: 8n } as const;
    for (const property of [account(BOB, "balance"), storage(BOB, SLOT)])
      await requireProvableAccounts(reader, blockSampled({ ...later, property }).sum());
    await requireProvableAccounts(
      reader,
      blockSampled({ ...range, property: header("number") }).sum(),
    );
  });

  it("names a block that does not exist before it reads any, as a task without an account does", async () => {
    for (const property of [account(BOB, "balance"), storage(BOB, SLOT)]) {
      const task = blockSampled({ from: 90n, to: 99n, property }).sum();
      for (const [place, path] of [
        ["tasks[2].", "tasks[2].datalake.blockRangeEnd"],
        [undefined, undefined],
      ] as const) {
        const { code, path: named } = await hdpFailure(
          requireProvableAccounts(reader, task, { place }),
        );
        expect({ code, path: named }).to.deep.equal({ code: "HDP-4101", path });
      }
    }
  });

  it("stops when it is aborted", async () => {
    const task = blockSampled({ ...range, property: account(NOBODY, "balance") }).sum();
    const signal = AbortSignal.abort(new Error("stopped"));
    const stopped = await requireProvableAccounts(reader, task, { signal }).catch(String);
    expect(stopped).to.equal("Error: stopped");
  });
});
