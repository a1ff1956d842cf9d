import assert from "node:assert/strict";

import { network } from "hardhat";
import { parseEther, parseGwei, zeroAddress } from "viem";

const FEES = "tasks/fees.json";
const SETTLE_BY = 4_000_000_000n;

describe("GasInsurance", () => {
  async function insure() {
    const { hdp, viem, provider } = await network.create();
    const store = await hdp.deployExecutionStore();
    const insured = "0x000000000000000000000000000000000000bEEF";
    const terms = [
      store.address,
      await hdp.task(FEES),
      parseGwei("50"),
      insured,
      SETTLE_BY,
    ] as const;
    const insurance = await viem.deployContract("GasInsurance", terms, { value: parseEther("1") });
    const client = await viem.getPublicClient();
    return {
      hdp,
      viem,
      provider,
      terms,
      insurance,
      paid: async () => await client.getBalance({ address: insured }),
    };
  }

  it("pays the insured after expensive blocks, once", async () => {
    const { hdp, insurance, paid } = await insure();
    await hdp.mine(40, { baseFee: parseGwei("80") });
    const [{ value }] = await hdp.run(FEES);
    assert.equal(value, parseGwei("80"));
    await insurance.write.settle([value]);
    assert.equal(await paid(), parseEther("1"));
    await assert.rejects(insurance.write.settle([value]), /AlreadySettled/);
  });

  it("pays the insurer after cheap ones", async () => {
    const { hdp, insurance, paid } = await insure();
    const { value } = await hdp.finalize(FEES, parseGwei("50"));
    await insurance.write.settle([value]);
    assert.equal(await paid(), 0n);
  });

  it("gives the money back after the time to settle, once, and not before", async () => {
    const { provider, insurance } = await insure();
    await assert.rejects(insurance.write.refund(), /NotYet/);
    const time = `0x${SETTLE_BY.toString(16)}`;
    await provider.request({ method: "evm_setNextBlockTimestamp", params: [time] });
    await insurance.write.refund();
    await assert.rejects(insurance.write.refund(), /AlreadySettled/);
  });

  it("insures nobody, and nothing whose result is known", async () => {
    const { hdp, viem, terms } = await insure();
    const [store, task, strike, insured] = terms;
    const nobody = [store, task, strike, zeroAddress, SETTLE_BY] as const;
    await assert.rejects(viem.deployContract("GasInsurance", nobody), /NobodyInsured/);
    await hdp.finalize(FEES, parseGwei("80"));
    const late = [store, task, strike, insured, SETTLE_BY] as const;
    await assert.rejects(viem.deployContract("GasInsurance", late), /ResultIsKnown/);
  });

  it("waits for the result, and accepts no other", async () => {
    const { hdp, insurance } = await insure();
    await assert.rejects(insurance.write.settle([parseGwei("80")]), /NotFinalized/);
    await hdp.finalize(FEES, parseGwei("50"));
    await assert.rejects(insurance.write.settle([parseGwei("80")]), /WrongValue/);
  });
});
