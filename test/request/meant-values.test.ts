import { expect } from "chai";
import { getAddress, toBeHex } from "ethers";

import {
  account,
  blockSampled,
  erc20Balance,
  header,
  mappingSlot,
  parseTask,
  storage,
  taskHash,
  TaskRequestError,
} from "../../src/entries/request.js";
import { hdpThrown } from "../support/failure.js";

const written = (change: { readonly block?: unknown; readonly compute?: object }): unknown => ({
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: change.block ?? 9,
    increment: 1,
    sampledProperty: "header.number",
  },
  compute: change.compute ?? { aggregateFnId: "sum" },
});

function suggested(json: unknown): readonly [code: string, suggestion: string | undefined] {
  const error = hdpThrown(() => parseTask(json));
  if (!(error instanceof TaskRequestError)) throw error;
  const { code, suggestion } = error.errors[0];
  return [code, suggestion];
}

describe("values that are nearly right", () => {
  for (const [block, suggestion] of [
    ["latest+5", "latest"],
    ["Latest - 3", "latest-3"],
    ["HEAD-3", "latest-3"],
    ["FINALIZED", "finalized"],
    ["01/31/2026", "2026-01-31"],
    ["31.01.2026", "2026-01-31"],
    ["31-01-2026", "2026-01-31"],
    ["2026/1/31", "2026-01-31"],
    ["2026.01.31", "2026-01-31"],
  ] as const) {
    it(`suggests the block ${suggestion} for "${block}"`, () => {
      expect(suggested(written({ block }))).to.deep.equal(["HDP-1139", suggestion]);
    });
  }

  it("suggests no block that does not exist", () => {
    for (const block of ["2026-13-01", "31/02/2026", "02/30/2026", "1/2026", "yesterday", "-"])
      expect(suggested(written({ block })), block).to.deep.equal(["HDP-1112", undefined]);
  });

  it("suggests an amount in wei, and the name of a function", () => {
    const count = (valueToCompare: string): unknown =>
      written({
        compute: { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare } },
      });
    expect(suggested(count("50 gwei"))).to.deep.equal(["HDP-1112", "50000000000"]);
    expect(suggested(count("1.5 ETH"))).to.deep.equal(["HDP-1112", "1500000000000000000"]);
    expect(suggested(count("0.1 wei"))).to.deep.equal(["HDP-1112", undefined]);
    const named = written({ compute: { aggregateFnId: "average" } });
    expect(suggested(named)).to.deep.equal(["HDP-1108", "avg"]);
  });

  it("refuses the hash of a task whose blocks a chain has to look up", () => {
    const task = blockSampled({ from: 0, to: "latest-3", property: header("number") }).sum();
    const error = hdpThrown(() => taskHash(task as never));
    expect(error).to.include({ code: "HDP-1130", path: "datalake.blockRangeEnd" });
    expect(error.message).to.contain('"latest-3"').and.contain("hdp.task");
  });

  it("takes addresses and slots that are typed as text, as ethers has them, and checks them", () => {
    const address = getAddress(`0x${"ab".repeat(20)}`);
    const slot = toBeHex(3);
    expect(storage(address, slot)).to.deep.equal(storage(`0x${"ab".repeat(20)}`, 3n));
    expect(account(address, "nonce").address).to.equal(address.toLowerCase());
    expect(mappingSlot(0n, address)).to.equal(mappingSlot(0n, BigInt(address)));
    expect(erc20Balance(address, address, { slot: 0n }).address).to.equal(address.toLowerCase());
    const wrong = toBeHex(18);
    for (const use of [
      () => storage(wrong, 0n),
      () => account(wrong, "nonce"),
      () => erc20Balance(address, wrong, { slot: 0n }),
    ])
      expect(hdpThrown(use).message).to.contain("HDP-1110");
    expect(hdpThrown(() => storage(address, "three")).message).to.contain("HDP-1111");
  });
});
