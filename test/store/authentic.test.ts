import { expect } from "chai";
import { numberToHex, type Hex } from "viem";

import {
  finalizeTasks,
  hdpExecutionStoreAbi,
  proveBatch,
  requireAuthentication,
  requiresAuthentication,
} from "../../src/entries/store.js";
import { callContract, createChain, deployMock, type Chain } from "./harness.js";
import { rejection } from "../support/failure.js";

const word = (value: number): Hex => numberToHex(value, { size: 32 });

describe("requireAuthentication", () => {
  let chain: Chain;
  before(async () => {
    chain = await createChain();
  });
  after(async () => {
    await chain.close();
  });

  it("makes a store accept proven results only, until the chain is reverted to before that", async () => {
    const { provider } = chain;
    const { address: store } = await deployMock(chain);
    const snapshot = await provider.request({ method: "evm_snapshot" });
    expect(await requiresAuthentication(provider, store)).to.equal(false);
    const { gasUsed, transactionHash } = await requireAuthentication({ provider, store });
    expect(gasUsed > 21_000n && transactionHash.length === 66).to.equal(true);
    expect(await requiresAuthentication(provider, store)).to.equal(true);

    const results = [{ taskHash: word(1), word: word(2) }];
    expect(await rejection(finalizeTasks({ provider, store, results }))).to.include({
      code: "HDP-3007",
    });
    const batch = await proveBatch({ provider, store, results });
    expect(batch.totalGasUsed > batch.gasUsed).to.equal(true);

    await provider.request({ method: "evm_revert", params: [snapshot] });
    expect(await requiresAuthentication(provider, store)).to.equal(false);
    await finalizeTasks({ provider, store, results });
  });

  it("refuses accounts that are not operators", async () => {
    const { provider, accounts } = chain;
    const { address: store } = await deployMock(chain);
    const from = accounts[1];
    expect(await rejection(requireAuthentication({ provider, store, from }))).to.include({
      code: "HDP-3004",
    });
    expect(await requiresAuthentication(provider, store)).to.equal(false);
  });

  it("reports other contracts and accounts as not requiring it", async () => {
    const { provider, accounts } = chain;
    const { address: store } = await deployMock(chain);
    const contract = { address: store, abi: hdpExecutionStoreAbi };
    const registry = (await callContract(chain, contract, "SHARP_FACTS_REGISTRY")) as Hex;
    expect(await requiresAuthentication(provider, registry)).to.equal(false);
    expect(await requiresAuthentication(provider, accounts[0] ?? "0x")).to.equal(false);
    const broken = { request: async () => await Promise.reject(new Error("connection refused")) };
    expect(String(await rejection(requiresAuthentication(broken, store)))).to.contain(
      "connection refused",
    );
  });
});
