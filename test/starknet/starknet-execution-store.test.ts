import { expect } from "chai";
import { hash, RpcProvider, selector } from "starknet";

import {
  type ExecutionStore,
  NotFinalizedError,
  openStarknetExecutionStore,
  type OpenStarknetStoreOptions,
} from "../../src/entries/store.js";
import { loadStarknet } from "../../src/store/starknet/starknet-js.js";
import { resultStorageAddress } from "../../src/store/starknet/starknet-execution-store.js";
import { failure, hdpFailure } from "../support/failure.js";
import { callOf, type RpcReply, rpcTransport } from "./rpc-double.js";

const ADDRESS = "0x421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e";
const PADDED = "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e";
const TASK = "0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307";
const LOW = 0x96165bd6b7f32e148aee2243e3687307n;
const HIGH = 0xc045b2ad4e6c9efb76f0fb712b208914n;

const NOT_FINALIZED = contractError(
  "0x5441534b5f4e4f545f46494e414c495a4544 ('TASK_NOT_FINALIZED')",
);
const NO_ENTRY_POINT: RpcReply = {
  error: { code: 21, message: "Requested entrypoint does not exist in the contract" },
};
const NO_CONTRACT: RpcReply = { error: { code: 20, message: "Contract not found" } };

function contractError(revertError: unknown): RpcReply {
  return { error: { code: 40, message: "Contract error", data: { revert_error: revertError } } };
}

/** Replies by entry point name; a name that is not listed does not exist. */
function node(replies: Readonly<Record<string, RpcReply>>): ReturnType<typeof rpcTransport> {
  const bySelector = new Map(
    Object.entries(replies).map(([name, reply]) => [selector.getSelector(name), reply]),
  );
  return rpcTransport((request) => bySelector.get(callOf(request).selector) ?? NO_ENTRY_POINT);
}

async function open(
  transport: { readonly baseFetch: typeof fetch },
  more: Partial<OpenStarknetStoreOptions> = {},
): Promise<ExecutionStore> {
  const options = {
    rpcUrl: "http://node.invalid",
    address: ADDRESS,
    baseFetch: transport.baseFetch,
    ...more,
  };
  return await openStarknetExecutionStore(options);
}

describe("an execution store on Starknet", () => {
  it("returns the result of a finalized task from low and high", async () => {
    const transport = node({ getDataProcessorFinalizedTaskResult: { result: ["0x7", "0x1"] } });
    const store = await open(transport);
    expect(store).to.include({ kind: "satellite", address: PADDED });
    expect(await store.readResult(TASK)).to.deep.equal({
      taskHash: TASK,
      word: "0x0000000000000000000000000000000100000000000000000000000000000007",
      value: 2n ** 128n + 7n,
      store: PADDED,
    });
    const calls = transport.sent.map(callOf);
    expect(calls.map(({ calldata }) => calldata)).to.deep.equal([
      [0n, 0n],
      [LOW, HIGH],
    ]);
    expect(calls.map(({ address }) => BigInt(address))).to.deep.equal([
      BigInt(ADDRESS),
      BigInt(ADDRESS),
    ]);
  });

  it("tries the entry points in the documented order", async () => {
    const transport = node({
      getFinalizedTaskResult: NOT_FINALIZED,
      getTaskStatus: { result: ["0x1"] },
    });
    const store = await open(transport);
    expect(transport.sent.map((request) => callOf(request).selector)).to.deep.equal([
      selector.getSelector("getDataProcessorFinalizedTaskResult"),
      selector.getSelector("getFinalizedTaskResult"),
    ]);
    expect(store.kind).to.equal("execution-store");
    expect(await store.status(TASK)).to.equal("scheduled");
  });

  it("calls only the entry point that is asked for", async () => {
    const transport = node({ getFinalizedTaskResult: { result: ["0x1", "0x0"] } });
    const store = await open(transport, { entrypoint: "getFinalizedTaskResult" });
    expect(transport.sent).to.have.length(1);
    expect((await store.readResult(TASK)).value).to.equal(1n);
    const other = node({ read_result: { result: ["0x2", "0x0"] } });
    expect(
      (await (await open(other, { entrypoint: "read_result" })).readResult(TASK)).value,
    ).to.equal(2n);
    expect((await hdpFailure(open(other))).code).to.equal("HDP-3003");
  });

  it("takes a provider of starknet.js", async () => {
    const transport = node({ getDataProcessorFinalizedTaskResult: { result: ["0x3", "0x0"] } });
    const provider = new RpcProvider({
      nodeUrl: "http://node.invalid",
      baseFetch: transport.baseFetch,
    });
    const store = await openStarknetExecutionStore({ provider, address: ADDRESS });
    expect((await store.readResult(TASK)).value).to.equal(3n);
  });

  const panics: Readonly<Record<string, RpcReply>> = {
    "as text": NOT_FINALIZED,
    "as a bare felt": contractError(
      "Execution failed. Failure reason: 0x5441534b5f4e4f545f46494e414c495a4544.",
    ),
    "as nested objects": contractError({
      contract_address: ADDRESS,
      error: { contract_address: ADDRESS, error: ["0x5441534B5F4E4F545F46494E414C495A4544"] },
    }),
  };
  for (const [form, reply] of Object.entries(panics)) {
    it(`rejects for a task that is not finalized when the panic comes ${form}`, async () => {
      for (const [index, status] of (["none", "scheduled", "finalized"] as const).entries()) {
        const transport = node({
          getDataProcessorFinalizedTaskResult: reply,
          getDataProcessorTaskStatus: { result: [`0x${index}`] },
        });
        const error = await hdpFailure((await open(transport)).readResult(TASK));
        expect(error).to.be.instanceOf(NotFinalizedError);
        expect(error).to.include({ code: "HDP-3001", status, taskHash: TASK, store: PADDED });
      }
    });
  }

  it("derives the status from the result where the store has no status function", async () => {
    const finalized = await open(
      node({ getDataProcessorFinalizedTaskResult: { result: ["0x1", "0x0"] } }),
    );
    expect(await finalized.status(TASK)).to.equal("finalized");
    const pending = await open(node({ getDataProcessorFinalizedTaskResult: NOT_FINALIZED }));
    expect(await pending.status(TASK)).to.equal("none");
    expect(await hdpFailure(pending.readResult(TASK))).to.include({
      code: "HDP-3001",
      status: "none",
    });
  });

  it("rejects an address without a contract", async () => {
    const error = await hdpFailure(open(rpcTransport(() => NO_CONTRACT)));
    expect(error.code).to.equal("HDP-3002");
    expect(error.shortMessage).to.equal(`there is no contract at ${PADDED} on this network.`);
    const text = contractError(`Requested contract address ${ADDRESS} is not deployed.`);
    expect((await hdpFailure(open(rpcTransport(() => text)))).code).to.equal("HDP-3002");
  });

  it("rejects a contract that is not an execution store and names the tried entry points", async () => {
    const error = await hdpFailure(open(node({})));
    expect(error.code).to.equal("HDP-3003");
    expect(error.shortMessage).to.equal(
      `the contract at ${PADDED} is not an execution store: it does not answer getDataProcessorFinalizedTaskResult` +
        " or getFinalizedTaskResult as one does.",
    );
    const texts = ["0x454e545259504f494e545f4e4f545f464f554e44 ('ENTRYPOINT_NOT_FOUND')"];
    texts.push("Entry point EntryPointSelector(0x24) not found in contract.");
    for (const text of texts) {
      expect((await hdpFailure(open(rpcTransport(() => contractError(text))))).code).to.equal(
        "HDP-3003",
      );
    }
  });

  it("refuses answers that are neither a u256 nor a status", async () => {
    for (const result of [["0x1"], ["0x1", "0x0", "0x0"], [`0x1${"0".repeat(32)}`, "0x0"]]) {
      const store = await open(node({ getDataProcessorFinalizedTaskResult: { result } }));
      expect((await hdpFailure(store.readResult(TASK))).code).to.equal("HDP-3003");
    }
    for (const result of [["0x3"], [], ["0x0", "0x0"]]) {
      const replies = {
        getDataProcessorFinalizedTaskResult: NOT_FINALIZED,
        getDataProcessorTaskStatus: { result },
      };
      expect((await hdpFailure((await open(node(replies))).status(TASK))).code).to.equal(
        "HDP-3003",
      );
    }
  });

  it("quotes another panic", async () => {
    const error = await hdpFailure(
      open(rpcTransport(() => contractError("0x506175736564 ('Paused')"))),
    );
    expect(error.code).to.equal("HDP-3007");
    expect(error.shortMessage).to.equal(`the execution store ${PADDED} reverted the call: Paused.`);
  });

  it("quotes a node that refuses or is unreachable, without its address", async () => {
    const busy = await hdpFailure(
      open(rpcTransport(() => ({ error: { code: -32005, message: "Too many requests" } }))),
    );
    expect(busy.code).to.equal("HDP-4103");
    expect(busy.message).to.contain("Too many requests");
    const unreachable = await hdpFailure(
      open(
        rpcTransport(() =>
          Promise.reject(new Error("connect to http://node.invalid/SECRET failed")),
        ),
      ),
    );
    expect(unreachable.code).to.equal("HDP-4103");
    expect(unreachable.message).to.contain("<url>").and.not.contain("SECRET");
  });

  it("refuses malformed addresses and task hashes before sending anything", async () => {
    const transport = node({ getDataProcessorFinalizedTaskResult: NOT_FINALIZED });
    for (const address of [
      "",
      "0x",
      "0x0",
      "421cd9",
      `0x${"f".repeat(64)}`,
      `0x${"1".repeat(65)}`,
    ]) {
      expect((await hdpFailure(open(transport, { address }))).code, address).to.equal("HDP-1110");
    }
    expect(transport.sent).to.have.length(0);
    expect((await hdpFailure((await open(transport)).readResult("0x12"))).code).to.equal(
      "HDP-3011",
    );
  });

  it("needs a node and starknet.js", async () => {
    expect((await hdpFailure(openStarknetExecutionStore({ address: ADDRESS }))).code).to.equal(
      "HDP-2004",
    );
    const missing = await hdpFailure(
      loadStarknet(() => Promise.reject(new Error("Cannot find package 'starknet'"))),
    );
    expect(missing.code).to.equal("HDP-8001");
    expect(missing.message).to.contain("npm install --save-dev starknet@10");
  });

  it("stops when the signal aborts, also during a call", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    const transport = node({ getDataProcessorFinalizedTaskResult: NOT_FINALIZED });
    expect(await failure(open(transport, { signal: aborted }))).to.equal("enough");
    const store = await open(transport);
    const controller = new AbortController();
    const silent = rpcTransport(() => {
      controller.abort(new Error("enough"));
      return new Promise<never>(() => undefined);
    });
    expect(await failure(open(silent, { signal: controller.signal }))).to.equal("enough");
    expect(await failure(store.status(TASK, { signal: aborted }))).to.equal("enough");
  });

  describe("read from its storage", () => {
    const base = resultStorageAddress(TASK, hash);

    it("uses the address that starknet.js computes for an entry of a map", () => {
      const inner = hash.computePedersenHash(
        selector.getSelector("cachedTasksResult"),
        `0x${LOW.toString(16)}`,
      );
      const entry = BigInt(hash.computePedersenHash(inner, `0x${HIGH.toString(16)}`));
      expect(base).to.equal(entry % (2n ** 251n - 256n));
    });

    function storage(felts: Readonly<Record<number, string>>): ReturnType<typeof rpcTransport> {
      return rpcTransport(({ method, params }) => {
        if (method !== "starknet_getStorageAt") return NO_ENTRY_POINT;
        return { result: felts[Number(BigInt(String(params["key"])) - base)] ?? "0x0" };
      });
    }

    it("returns the status and result of the three felts", async () => {
      const store = await open(storage({ 0: "0x2", 1: "0x21", 2: "0x1" }), { readStorage: true });
      expect(await store.status(TASK)).to.equal("finalized");
      expect((await store.readResult(TASK)).value).to.equal(2n ** 128n + 0x21n);
      expect(store).to.include({ kind: "satellite", address: PADDED });
    });

    it("rejects for a task that is not finalized", async () => {
      const store = await open(storage({ 0: "0x1" }), { readStorage: true });
      expect(await hdpFailure(store.readResult(TASK))).to.include({
        code: "HDP-3001",
        status: "scheduled",
      });
    });

    it("refuses felts that no store writes", async () => {
      const badStatus = await open(storage({ 0: "0x5" }), { readStorage: true });
      expect((await hdpFailure(badStatus.status(TASK))).code).to.equal("HDP-3003");
      const badResult = await open(storage({ 0: "0x2", 1: `0x1${"0".repeat(32)}` }), {
        readStorage: true,
      });
      expect((await hdpFailure(badResult.readResult(TASK))).code).to.equal("HDP-3003");
    });

    it("reports a node that refuses", async () => {
      const transport = rpcTransport(({ method }) =>
        method === "starknet_call"
          ? NO_ENTRY_POINT
          : { error: { code: -32601, message: "Method not found" } },
      );
      const store = await open(transport, { readStorage: true });
      expect((await hdpFailure(store.status(TASK))).code).to.equal("HDP-4103");
    });
  });
});
