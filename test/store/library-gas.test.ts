import { expect } from "chai";
import { type Abi, type Hex, keccak256, toHex } from "viem";

import { finalizeTasks } from "../../src/entries/store.js";
import { callContract, type Chain, createChain, deployHarness, deployMock } from "./harness.js";

/** Felts or values, and the gas of their root written by hand in scratch space. */
const ROOTS = [
  [2n, 1_794],
  [36n, 27_405],
  [256n, 197_929],
] as const;

describe("the gas of the Solidity libraries", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async function () {
    this.timeout(60_000);
    chain = await createChain();
    harness = await deployHarness(chain, "GasHarness");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, harness, name, args);

  it("is within a tenth of that of a root written by hand", async () => {
    for (const [count, byHand] of ROOTS) {
      for (const name of ["unorderedRoot", "rootOfMarked"])
        expect(Number(await call(name, count)), `${name} of ${count}`).to.be.at.most(byHand * 1.1);
    }
  });

  it("is within a tenth of that of a datalake's hash written by hand", async () => {
    const [ours, byHand] = (await call("taskHash", 0n, 9n)) as readonly [bigint, bigint];
    expect(Number(ours)).to.be.at.most(Number(byHand) * 1.1);
    expect(Number(ours)).to.be.at.most(980);
  });

  it("is at most 130 over that of an execution store's own function", async () => {
    const { address } = await deployMock(chain, "execution-store");
    const taskHash = keccak256(toHex("a task"));
    const results = [{ taskHash, word: taskHash }];
    await finalizeTasks({ provider: chain.provider, store: address, results });
    const [ours, byHand] = (await call(
      "readExecutionStore",
      address,
      taskHash,
    )) as readonly bigint[];
    expect(Number(ours)).to.be.at.most(Number(byHand) + 130);
  });
});
