import { expect } from "chai";
import { HardhatPluginError } from "hardhat/plugins";
import { getAddress, type Hex, keccak256, toHex } from "viem";

import { HdpError, isHdpError } from "../../src/entries/request.js";
import {
  type DeployedMock,
  finalizeTasks,
  NotFinalizedError,
  openExecutionStore,
  type Provider,
  StoreRpcError,
} from "../../src/entries/store.js";
import { type Chain, createChain, deployHarness, deployMock, requestModule } from "./harness.js";
import { hdpFailure, rejection } from "../support/failure.js";

const TASK: Hex = keccak256(toHex("a task"));
const WORD: Hex = `0x${"00".repeat(31)}2a`;

/** A provider whose answer to one method is replaced. */
function replacing(provider: Provider, method: string, answer: () => unknown): Provider {
  return {
    request: async (args) =>
      args.method === method ? await Promise.resolve().then(answer) : await provider.request(args),
  };
}

describe("openExecutionStore", () => {
  let chain: Chain;
  let mock: DeployedMock;
  let executionStore: Hex;
  let answersNothing: Hex;

  before(async () => {
    chain = await createChain();
    mock = await deployMock(chain);
    executionStore = (await deployMock(chain, "execution-store")).address;
    answersNothing = (await deployHarness(chain, "AnswersNothing")).address;
  });

  after(async () => {
    await chain.close();
  });

  const open = async (address: string = mock.address, provider = chain.provider) =>
    await openExecutionStore({ provider, address });

  it("reads a result that comes after it was asked for and before its status is", async () => {
    const { provider } = chain;
    const taskHash = keccak256(toHex("a task whose result comes"));
    let calls = 0;
    const finalizing: Provider = {
      request: async (args) => {
        calls += args.method === "eth_call" ? 1 : 0;
        // The second call, after that of the result, asks for the status.
        if (calls === 2)
          await finalizeTasks({
            provider,
            store: mock.address,
            results: [{ taskHash, word: WORD }],
          });
        return await provider.request(args);
      },
    };
    const store = await open(mock.address, finalizing);
    calls = 0;
    expect((await store.readResult(taskHash)).word).to.equal(WORD);
    expect(calls).to.equal(3);
  });

  it("reads a finalized result in one call", async () => {
    await finalizeTasks({
      provider: chain.provider,
      store: mock.address,
      results: [{ taskHash: TASK, word: WORD }],
    });
    const store = await open();
    expect(store.kind).to.equal("satellite");
    const methods: string[] = [];
    const counting: Provider = {
      request: async (args) => {
        methods.push(args.method);
        return await chain.provider.request(args);
      },
    };
    const counted = await open(mock.address, counting);
    // A satellite, as all published stores are, is opened by one call.
    expect(methods).to.deep.equal(["eth_call"]);
    methods.length = 0;
    expect(await counted.readResult(TASK)).to.deep.equal({
      taskHash: TASK,
      word: WORD,
      value: 42n,
      store: mock.address,
    });
    expect(methods).to.deep.equal(["eth_call"]);
    expect(await store.status(TASK)).to.equal("finalized");
  });

  it("finds the latest transaction that finalized the task, when asked", async () => {
    const finalized = await finalizeTasks({
      provider: chain.provider,
      store: mock.address,
      results: [
        { taskHash: keccak256(TASK), word: WORD },
        { taskHash: TASK, word: WORD },
      ],
    });
    const result = await (await open()).readResult(TASK, { withTransaction: true });
    expect(result.transactionHash).to.equal(finalized.transactionHash);
    expect(result.blockNumber).to.equal(finalized.blockNumber);
  });

  it("leaves the transaction out where it is older than the search, and where the node refuses to search", async () => {
    await chain.provider.request({ method: "hardhat_mine", params: ["0x3"] });
    const bounded = await (
      await open()
    ).readResult(TASK, { withTransaction: true, searchBlocks: 2n });
    expect(bounded).to.not.have.property("transactionHash");
    const refusing = replacing(chain.provider, "eth_getLogs", () => {
      throw new Error("query returned more than 10000 results");
    });
    const refused = await (
      await open(mock.address, refusing)
    ).readResult(TASK, { withTransaction: true });
    expect(refused).to.deep.equal({ taskHash: TASK, word: WORD, value: 42n, store: mock.address });
  });

  it("rejects with the status of a task that has no result", async () => {
    const unknown = keccak256(toHex("unknown"));
    const none = await rejection((await open()).readResult(unknown));
    expect(none).to.be.instanceOf(NotFinalizedError);
    expect(none).to.include({ code: "HDP-3001", taskHash: unknown, status: "none" });
    const task = { type: "Module", programHash: "0x1", inputs: [] } as const;
    const taskHash = await requestModule(chain.provider, mock, task);
    expect(await rejection((await open()).readResult(taskHash))).to.include({
      code: "HDP-3001",
      status: "scheduled",
    });
    expect(await (await open()).status(taskHash)).to.equal("scheduled");
  });

  it("rejects with an HdpError that is a plugin error of Hardhat, with number, hints and status", async () => {
    const error = await rejection((await open()).readResult(keccak256("0x02")));
    expect(error).to.be.instanceOf(HdpError).and.to.be.instanceOf(HardhatPluginError);
    expect(error).to.include({
      code: "HDP-3001",
      status: "none",
      store: mock.address,
      shortMessage: `task ${keccak256("0x02")} is not finalized in the execution store ${mock.address}: its status is "none".`,
    });
    expect(error).to.have.deep.property("hints", [
      "Check the hash (its encoding with or without chain id), the store and the network, or submit the task.",
    ]);
  });

  it("opens an execution store by its own names", async () => {
    const results = [{ taskHash: TASK, word: WORD }];
    await finalizeTasks({ provider: chain.provider, store: executionStore, results });
    const store = await open(executionStore);
    expect(store.kind).to.equal("execution-store");
    expect(await store.readResult(TASK)).to.include({
      word: WORD,
      store: getAddress(executionStore),
    });
    expect(await store.status(TASK)).to.equal("finalized");
    expect(await rejection(store.readResult(keccak256(WORD)))).to.include({
      code: "HDP-3001",
      status: "none",
    });
  });

  it("refuses a store of another kind than the one that is named", async () => {
    const { provider } = chain;
    const wrong = { provider, address: executionStore, kind: "satellite" } as const;
    expect(await hdpFailure(openExecutionStore(wrong))).to.include({
      code: "HDP-3003",
      shortMessage: `the contract at ${executionStore} is not an execution store: it does not answer getDataProcessorTaskStatus (satellite) as one does.`,
    });
    const asStore = openExecutionStore({
      provider,
      address: mock.address,
      kind: "execution-store",
    });
    expect(await rejection(asStore)).to.include({ code: "HDP-3003" });
    const right = await openExecutionStore({
      provider,
      address: executionStore,
      kind: "execution-store",
    });
    expect((await right.readResult(TASK)).value).to.equal(42n);
  });

  it("refuses an address without a contract, a contract that is not a store, and a malformed address", async () => {
    expect(await rejection(open(chain.accounts[5]))).to.include({ code: "HDP-3002" });
    const wrong = await rejection(open(answersNothing));
    expect(wrong).to.include({ code: "HDP-3003" });
    expect(String(wrong))
      .to.include("getDataProcessorTaskStatus")
      .and.include(getAddress(answersNothing));
    expect(await rejection(open("0x1234"))).to.include({ code: "HDP-1110" });
  });

  it("notices that the store is gone after a snapshot revert", async () => {
    const snapshot = await chain.provider.request({ method: "evm_snapshot", params: [] });
    const store = await open((await deployMock(chain)).address);
    await chain.provider.request({ method: "evm_revert", params: [snapshot] });
    expect(await rejection(store.readResult(TASK))).to.include({ code: "HDP-3002" });
    expect(await rejection(store.status(TASK))).to.include({ code: "HDP-3002" });
  });

  it("refuses a malformed task hash", async () => {
    const store = await open();
    expect(await rejection(store.readResult("0x12"))).to.include({ code: "HDP-3011" });
    expect(await rejection(store.status("0x12"))).to.include({ code: "HDP-3011" });
  });

  it("reports the method that a node failed, without the node's address", async () => {
    const failing = replacing(chain.provider, "eth_call", () => {
      throw new Error("fetch https://node.example/v2/secret-key failed\nat somewhere");
    });
    const error = await rejection(open(mock.address, failing));
    expect(error)
      .to.be.instanceOf(StoreRpcError)
      .and.include({ code: "HDP-4103", method: "eth_call" });
    expect(String(error)).to.include("fetch <url> failed").and.not.include("secret-key");
    const garbling = replacing(chain.provider, "eth_call", () => 7);
    expect(await rejection(open(mock.address, garbling))).to.include({ code: "HDP-4103" });
    // One digit less than a word has.
    const cutting = replacing(chain.provider, "eth_call", () => WORD.slice(0, -1));
    expect(await rejection(open(mock.address, cutting))).to.include({ code: "HDP-4103" });
  });

  it("stops when aborted", async () => {
    const reason = new Error("stop");
    const stopped = openExecutionStore({
      provider: chain.provider,
      address: mock.address,
      signal: AbortSignal.abort(reason),
    });
    expect(await rejection(stopped)).to.equal(reason);
    const store = await open();
    const read = await rejection(store.readResult(TASK, { signal: AbortSignal.abort(reason) }));
    expect(read).to.equal(reason);
    expect(isHdpError(read)).to.equal(false);
  });
});
