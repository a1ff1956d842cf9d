import { expect } from "chai";

import { HdpError } from "../../src/entries/request.js";
import type { Eip1193Provider } from "../../src/entries/local.js";
import { callProvider, NoAnswerError, providerSentence } from "../../src/base/rpc.js";
import { RpcClient } from "../../src/chain/node-rpc.js";
import { ethCall } from "../../src/store/node-requests.js";
import { transact } from "../../src/store/transact.js";

const silent: Eip1193Provider = { request: async () => await new Promise(() => undefined) };
const failing = (message: string): Eip1193Provider => ({
  request: async () => await Promise.reject(new Error(message)),
});
const ACCOUNT = `0x${"1".repeat(40)}` as const;

async function failure(action: Promise<unknown>): Promise<unknown> {
  return await action.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

describe("a call to a node", () => {
  it("shows the beginning of a long message, and no address that is cut", () => {
    const words = `${"x".repeat(400)} https://node.example/${"k".repeat(10_000)}`;
    expect(providerSentence(new Error(words))).to.equal(`${"x".repeat(400)} <url>`);
    expect(providerSentence(new Error("word ".repeat(10_000_000)))).to.have.length(500);
    const across = `${"y".repeat(4_090)} https://node.example/key`;
    expect(providerSentence(new Error(across))).to.equal(`${"y".repeat(499)}…`);
  });

  it("ends a call to a silent node after its timeout", async () => {
    const error = await failure(callProvider(silent, "eth_chainId", [], { timeout: 20 }));
    expect(error).to.be.instanceOf(NoAnswerError);
    expect(String(error)).to.equal("Error: no answer to eth_chainId within 0.02 s");
  });

  it("ends a call to a silent node with its signal", async () => {
    const controller = new AbortController();
    const calling = failure(callProvider(silent, "eth_chainId", [], { signal: controller.signal }));
    controller.abort(new RangeError("enough"));
    expect(await calling).to.be.instanceOf(RangeError);
    expect(
      await failure(callProvider(silent, "eth_chainId", [], { signal: controller.signal })),
    ).to.be.instanceOf(RangeError);
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const warnings: unknown[] = [];
    const note = (warning: Error): void => {
      warnings.push(warning.message);
    };
    process.on("warning", note);
    const provider: Eip1193Provider = { request: async () => await Promise.resolve("0x1") };
    const calls = Array.from(
      { length: 50 },
      async () => await callProvider(provider, "eth_chainId", [], { signal }),
    );
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set(["0x1"]));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).to.deep.equal([]);
  });

  it("ends all waiting reads of a client with its signal, and begins no more", async () => {
    const controller = new AbortController();
    const client = new RpcClient(silent, { signal: controller.signal });
    const calls = [1, 2, 3].map(
      async (block) => await failure(client.call("eth_getBlockByNumber", [block])),
    );
    controller.abort(new RangeError("enough"));
    for (const error of await Promise.all(calls)) expect(error).to.be.instanceOf(RangeError);
    expect(await failure(client.call("eth_chainId", []))).to.be.instanceOf(RangeError);
  });

  it("gives undefined and null as the node gave them", async () => {
    const provider: Eip1193Provider = {
      request: async ({ method }) => await Promise.resolve(method === "a" ? null : undefined),
    };
    expect(await callProvider(provider, "a", [])).to.equal(null);
    expect(await callProvider(provider, "b", [])).to.equal(undefined);
  });

  it("names the call that had no answer, and frees its place for the next", async () => {
    const client = new RpcClient(silent, { timeout: 10 });
    for (let call = 0; call < 20; call += 1) {
      const error = await failure(client.call("eth_getProof", ["0x1"]));
      expect(error).to.be.instanceOf(HdpError);
      expect((error as HdpError).code).to.equal("HDP-4103");
      expect((error as HdpError).shortMessage).to.equal(
        'the node failed to answer eth_getProof("0x1"): no answer to eth_getProof within 0.01 s.',
      );
    }
  }).timeout(5_000);

  it("quotes the node on one line, without addresses and control characters", async () => {
    const client = new RpcClient(
      failing("no \u001b]0;title\u0007\u202eblock at http://user:key@node/x\nsecond line"),
    );
    expect(((await failure(client.call("eth_call", []))) as HdpError).shortMessage).to.equal(
      "the node failed to answer eth_call(): no ]0;title block at <url>.",
    );
    const error = (await failure(ethCall(failing("\u001b[2Jgone"), ACCOUNT, "0x"))) as HdpError;
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4103",
      "the node failed to answer eth_call: [2Jgone.",
    ]);
  });

  it("says that a transaction without an answer may have been sent", async () => {
    const controller = new AbortController();
    const sending = transact(silent, { from: ACCOUNT, data: "0x" }, { signal: controller.signal });
    controller.abort(new RangeError("enough"));
    expect(await failure(sending)).to.be.instanceOf(RangeError);
    const lost: Eip1193Provider = {
      request: async ({ method }) => await Promise.reject(new NoAnswerError(method, 120_000)),
    };
    const error = (await failure(transact(lost, { from: ACCOUNT, data: "0x" }))) as HdpError;
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4103",
      "the node failed to answer eth_sendTransaction: no answer to eth_sendTransaction within 120 s.",
    ]);
    expect(error.hints).to.deep.equal([
      "The transaction may have been sent: look at the account's transactions before sending it again.",
    ]);
  });
});
