import { expect } from "chai";
import { type Hex, keccak256, numberToHex } from "viem";

import {
  type DeployedMock,
  deployExecutionStoreMock,
  finalizeTasks,
  openExecutionStore,
  type Provider,
} from "../../src/entries/store.js";
import { transact } from "../../src/store/transact.js";
import { type Chain, createChain, deployMock } from "./harness.js";
import { rejection } from "../support/failure.js";

const word = (value: number): Hex => numberToHex(value, { size: 32 });
const many = (count: number): { taskHash: Hex; word: Hex }[] =>
  Array.from({ length: count }, (_, index) => ({
    taskHash: keccak256(word(index)),
    word: word(index + 1),
  }));

describe("transactions with an execution store", () => {
  let chain: Chain;
  let mock: DeployedMock;

  before(async () => {
    chain = await createChain();
  });

  beforeEach(async () => {
    mock = await deployMock(chain);
  });

  after(async () => {
    await chain.close();
  });

  describe("deployExecutionStoreMock", () => {
    it("makes the deployer and the named operators operators", async () => {
      const [, deployer, operator] = chain.accounts;
      if (deployer === undefined || operator === undefined) throw new Error("no accounts");
      const store = await deployExecutionStoreMock({
        provider: chain.provider,
        from: deployer,
        operators: [operator],
      });
      expect(store).to.include({ kind: "satellite", from: deployer });
      for (const from of [deployer, operator]) {
        const { gasUsed } = await finalizeTasks({
          provider: chain.provider,
          store: store.address,
          from,
          results: many(1),
        });
        expect(gasUsed > 30_000n).to.equal(true);
      }
    });

    it("fails where there is no account to send from", async () => {
      const provider: Provider = {
        request: async (args) =>
          args.method === "eth_accounts" ? [] : await chain.provider.request(args),
      };
      expect(await rejection(deployExecutionStoreMock({ provider }))).to.include({
        code: "HDP-3010",
      });
    });
  });

  describe("finalizeTasks", () => {
    it("finalizes a batch in one transaction", async () => {
      const results = many(20);
      const finalized = await finalizeTasks({
        provider: chain.provider,
        store: mock.address,
        results,
      });
      expect(finalized.transactions).to.have.length(1);
      const store = await openExecutionStore({ provider: chain.provider, address: mock.address });
      for (const result of results)
        expect((await store.readResult(result.taskHash)).word).to.equal(result.word);
    });

    it("splits a large batch so that every transaction stays under 2^24 gas", async () => {
      const results = many(601);
      const finalized = await finalizeTasks({
        provider: chain.provider,
        store: mock.address,
        results,
      });
      expect(finalized.transactions).to.have.length(3);
      for (const { gasUsed } of finalized.transactions) expect(gasUsed < 2n ** 24n).to.equal(true);
      expect(finalized.gasUsed).to.equal(
        finalized.transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
      );
      const store = await openExecutionStore({ provider: chain.provider, address: mock.address });
      expect((await store.readResult(keccak256(word(600)))).value).to.equal(601n);
    });

    it("replaces an earlier result", async () => {
      const task = keccak256("0x");
      const store = await openExecutionStore({ provider: chain.provider, address: mock.address });
      for (const value of [1, 2]) {
        const results = [{ taskHash: task, word: word(value) }];
        await finalizeTasks({ provider: chain.provider, store: mock.address, results });
        expect((await store.readResult(task)).value).to.equal(BigInt(value));
      }
    });

    it("refuses an account that is not an operator, an empty list, and malformed hashes and addresses", async () => {
      const [, stranger] = chain.accounts;
      const finalize = (options: object): Promise<unknown> =>
        finalizeTasks({
          provider: chain.provider,
          store: mock.address,
          results: many(1),
          ...options,
        });
      const error = await rejection(finalize({ from: stranger }));
      expect(error).to.include({ code: "HDP-3004" });
      expect(String(error)).to.include(stranger).and.include(mock.address);
      expect(await rejection(finalize({ results: [] }))).to.include({ code: "HDP-1120" });
      expect(
        await rejection(finalize({ results: [{ taskHash: "0x1", word: word(1) }] })),
      ).to.include({
        code: "HDP-3011",
      });
      expect(await rejection(finalize({ store: "0x1" }))).to.include({ code: "HDP-1110" });
    });

    it("explains a transaction that was mined and reverted", async () => {
      const [, stranger] = chain.accounts;
      // A node that sends without estimating, as public ones do: the refusal is found in the receipt.
      const provider: Provider = {
        request: async (args) => {
          if (args.method === "eth_sendTransaction") return keccak256("0x01");
          if (args.method === "eth_getTransactionReceipt") {
            return { status: "0x0", blockNumber: "0x1", gasUsed: "0x5208", contractAddress: null };
          }
          return await chain.provider.request(args);
        },
      };
      const refused = finalizeTasks({
        provider,
        store: mock.address,
        from: stranger,
        results: many(1),
      });
      expect(await rejection(refused)).to.include({ code: "HDP-3004" });
      const lost = finalizeTasks({ provider, store: mock.address, results: many(1) });
      const error = await rejection(lost);
      expect(error).to.include({ code: "HDP-3007" });
      expect(String(error)).to.include("no reason given");
    });

    it("says that a transaction is pending where automine is off and nothing is mined", async () => {
      let blocks = 5;
      const node = (automine: unknown): Provider => ({
        request: async (args) => {
          if (args.method === "eth_sendTransaction") return keccak256("0x01");
          if (args.method === "eth_getTransactionReceipt") return null;
          if (args.method === "hardhat_getAutomine" && automine === undefined)
            throw new Error("no such method");
          if (args.method === "hardhat_getAutomine") return automine;
          if (args.method === "eth_blockNumber") return `0x${(blocks += 1)}`;
          return await chain.provider.request(args);
        },
      });
      for (const [automine, says] of [
        [false, "HDP-3009: transaction"],
        [false, "await hdp.mine()"],
        [undefined, "It is pending, and may still be mined"],
      ] as const) {
        const options = {
          provider: node(automine),
          store: mock.address,
          results: many(1),
          timeout: 0,
        };
        const message = String(await rejection(finalizeTasks(options)));
        expect(message).to.include(says);
        expect(message.includes("automine is off")).to.equal(automine === false);
      }
    });

    it("gives up early where automine is off and no block comes, and not where one comes or the node does not say", async () => {
      for (const [automine, grows, isEarly] of [
        [false, false, true],
        [false, true, false],
        [undefined, false, false],
      ] as const) {
        let blocks = 5;
        const provider: Provider = {
          request: async ({ method }) => {
            if (method === "eth_sendTransaction") return keccak256("0x01");
            if (method === "hardhat_getAutomine" && automine === undefined)
              throw new Error("no such method");
            if (method === "hardhat_getAutomine") return automine;
            if (method === "eth_blockNumber") return `0x${grows ? (blocks += 1) : blocks}`;
            return await Promise.resolve(null);
          },
        };
        const from: Hex = `0x${"11".repeat(20)}`;
        const message = String(
          await rejection(transact(provider, { from, data: "0x" }, { timeout: 800 })),
        );
        const [, waited] =
          /was sent but not mined within ([\d.]+) s/.exec(message) ?? expect.fail(message);
        expect(Number(waited) < 0.8, message).to.equal(isEarly);
      }
    });

    it("waits for a geth that has just been started and indexes its transactions", async () => {
      let asked = 0;
      const provider: Provider = {
        request: async (args) => {
          const isFirst = args.method === "eth_getTransactionReceipt" && (asked += 1) === 1;
          if (isFirst) throw new Error("transaction indexing is in progress");
          return await chain.provider.request(args);
        },
      };
      const { transactions } = await finalizeTasks({
        provider,
        store: mock.address,
        results: many(1),
      });
      expect([transactions.length, asked]).to.deep.equal([1, 2]);
    });

    it("waits for mining, gives up after the timeout, and stops when aborted", async () => {
      await chain.provider.request({ method: "evm_setAutomine", params: [false] });
      try {
        const options = { provider: chain.provider, store: mock.address, results: many(1) };
        const late = await rejection(finalizeTasks({ ...options, timeout: 0 }));
        expect(late).to.include({ code: "HDP-3009" });
        const controller = new AbortController();
        const stopped = rejection(finalizeTasks({ ...options, signal: controller.signal }));
        controller.abort(new Error("stop"));
        expect(String(await stopped)).to.match(/stop|aborted/);
        const mined = finalizeTasks(options);
        await chain.provider.request({ method: "evm_mine", params: [] });
        await new Promise((resolve) => setTimeout(resolve, 30));
        await chain.provider.request({ method: "evm_mine", params: [] });
        expect((await mined).transactions).to.have.length(1);
      } finally {
        await chain.provider.request({ method: "evm_setAutomine", params: [true] });
      }
    });
  });

  it("names an unknown revert by its data", async () => {
    const provider: Provider = {
      request: async (args) => {
        if (args.method === "eth_sendTransaction") {
          throw Object.assign(new Error("reverted"), { data: { data: "0xdeadbeef" } });
        }
        return await chain.provider.request(args);
      },
    };
    const error = await rejection(
      finalizeTasks({ provider, store: mock.address, results: many(1) }),
    );
    expect(error).to.include({ code: "HDP-3007" });
    expect(String(error)).to.include("0xdeadbeef");
    expect(await rejection(deployExecutionStoreMock({ provider }))).to.include({
      code: "HDP-3007",
    });
  });
});
