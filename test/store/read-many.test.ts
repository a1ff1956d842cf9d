import { expect } from "chai";
import { type Hex, keccak256, toHex } from "viem";

import {
  type DeployedMock,
  type ExecutionStore,
  finalizeTasks,
  openExecutionStore,
  type Provider,
} from "../../src/entries/store.js";
import { rejection } from "../support/failure.js";
import { type Chain, createChain, deployHarness, deployMock } from "./harness.js";

/** The address of Multicall3 on every chain that has it (https://www.multicall3.com). */
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

const TASKS = 1_000;
const results = Array.from({ length: TASKS }, (_, index) => ({
  taskHash: keccak256(toHex(`task ${index}`)),
  word: toHex(BigInt(index) ** 7n, { size: 32 }),
}));
const hashes = results.map(({ taskHash }) => taskHash);
const unknown: Hex = keccak256(toHex("nobody's task"));

describe("reading many results of a store", () => {
  let chain: Chain;
  let mock: DeployedMock;
  let store: ExecutionStore;
  let calls: string[];
  let other: ExecutionStore;

  before(async () => {
    chain = await createChain();
    mock = await deployMock(chain);
    await finalizeTasks({ provider: chain.provider, store: mock.address, results });
    const counting: Provider = {
      request: async (args) => {
        calls.push(args.method);
        return await chain.provider.request(args);
      },
    };
    calls = [];
    store = await openExecutionStore({ provider: counting, address: mock.address });
    const { address } = await deployMock(chain, "execution-store");
    await finalizeTasks({ provider: chain.provider, store: address, results });
    other = await openExecutionStore({ provider: counting, address });
  });

  beforeEach(() => {
    calls = [];
  });

  after(async () => {
    await chain.close();
  });

  async function expectAll(): Promise<void> {
    const read = await store.readResults(hashes);
    expect(read.map(({ taskHash, word }) => ({ taskHash, word }))).to.deep.equal(results);
    expect(read.at(-1)?.value).to.equal(999n ** 7n);
    expect(read.at(-1)?.store).to.equal(mock.address);
  }

  it("sends one call for each task where the chain has no Multicall3", async () => {
    await expectAll();
    expect(calls.filter((method) => method === "eth_call").length).to.equal(TASKS);
    expect(calls.length).to.equal(TASKS + 1);
  });

  describe("on a chain with Multicall3", () => {
    before(async () => {
      const { address } = await deployHarness(chain, "Multicall3Harness");
      const code = await chain.provider.request({
        method: "eth_getCode",
        params: [address, "latest"],
      });
      await chain.provider.request({ method: "hardhat_setCode", params: [MULTICALL3, code] });
    });

    it("reads 500 results in a call", async () => {
      await expectAll();
      expect(calls).to.deep.equal(["eth_getCode", "eth_call", "eth_call"]);
    });

    it("reads states in the same way, and from an execution store", async () => {
      const states = await store.statuses([...hashes, unknown]);
      expect(states.slice(0, TASKS)).to.deep.equal(
        Array.from({ length: TASKS }, () => "finalized"),
      );
      expect(states.at(-1)).to.equal("none");
      expect(calls).to.deep.equal(["eth_getCode", "eth_call", "eth_call", "eth_call"]);
      const some = hashes.slice(0, 5);
      expect(await other.statuses(some)).to.deep.equal(some.map(() => "finalized"));
      expect((await other.readResults(some)).map(({ word }) => word)).to.deep.equal(
        results.slice(0, 5).map(({ word }) => word),
      );
    });

    it("rejects for a task without a result as reading it alone does", async () => {
      const error = await rejection(store.readResults([...hashes.slice(0, 9), unknown]));
      expect(error).to.include({ name: "NotFinalizedError", taskHash: unknown, status: "none" });
    });

    it("finds the transactions of all tasks by one search", async () => {
      const read = await store.readResults(hashes, { withTransaction: true });
      expect(calls).to.deep.equal([
        "eth_getCode",
        "eth_call",
        "eth_call",
        "eth_blockNumber",
        "eth_getLogs",
      ]);
      const alone = await store.readResult(hashes[7] ?? "0x", { withTransaction: true });
      expect(alone.transactionHash).to.match(/^0x[0-9a-f]{64}$/);
      expect(read[7]).to.deep.equal(alone);
      expect(
        read.every(
          ({ blockNumber, transactionHash }) => blockNumber !== undefined && transactionHash,
        ),
      ).to.equal(true);
    });

    it("reads two results one by one, without looking for Multicall3", async () => {
      await store.readResults(hashes.slice(0, 2));
      expect(calls).to.deep.equal(["eth_call", "eth_call"]);
    });

    it("sends one call for each task where another contract has Multicall3's address", async () => {
      const { address } = await deployHarness(chain, "AnswersNothing");
      const code = await chain.provider.request({
        method: "eth_getCode",
        params: [address, "latest"],
      });
      await chain.provider.request({ method: "hardhat_setCode", params: [MULTICALL3, code] });
      await expectAll();
      expect(calls.filter((method) => method === "eth_call").length).to.equal(TASKS + 1);
    });
  });
});
