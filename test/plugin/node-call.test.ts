import { expect } from "chai";
import type { Hex } from "viem";

import type { Eip1193Provider } from "../../src/entries/local.js";
import { type CallOutcome, likelyCause, nodeAnswer } from "../../src/plugin/node-call.js";

const to: Hex = `0x${"22".repeat(20)}`;
const call = { chainId: 1n, block: 5n, from: `0x${"11".repeat(20)}`, to, data: "0xaabb" } as const;
const ours: CallOutcome = { success: true, data: "0x01" };
const theirs: CallOutcome = { success: true, data: "0x02" };

/** A node with these answers by method; it throws what is an error, and has no other methods. */
function node(
  answers: Readonly<Record<string, unknown>>,
): Eip1193Provider & { readonly asked: readonly unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    request: async ({ method, params }) => {
      asked.push([method, params]);
      const answer = answers[method] ?? new Error(`the method ${method} does not exist`);
      if (answer instanceof Error) throw answer;
      return await Promise.resolve(answer);
    },
  };
}

const PLAIN = { eth_getCode: "0x6000", eth_chainId: "0x1" };

describe("a node's own answer to a call", () => {
  it("asks at the block, from the caller, and returns data, a revert's data, or why there is none", async () => {
    const answering = node({ eth_call: "0xAB" });
    expect(await nodeAnswer(answering, call)).to.deep.equal({ success: true, data: "0xab" });
    const { from, data } = call;
    expect(answering.asked).to.deep.equal([["eth_call", [{ from, to, data }, "0x5"]]]);
    const reverting = node({
      eth_call: Object.assign(new Error("execution reverted"), { code: 3, data: "0xcd" }),
    });
    expect(await nodeAnswer(reverting, call)).to.deep.equal({ success: false, data: "0xcd" });
    const pruned = node({ eth_call: new Error("missing trie node https://node.example/key") });
    expect(await nodeAnswer(pruned, call)).to.deep.equal({ failure: "missing trie node <url>" });
    const odd = await nodeAnswer(node({ eth_call: 5 }), call);
    expect("failure" in odd && odd.failure).to.include("HDP-4102");
  });

  it("reads traces with stacks of hex, short or padded and without prefix", async () => {
    for (const stack of [
      ["0x1", "0x47"],
      ["1".padStart(64, "0"), "47".padStart(64, "0")],
    ]) {
      const traced = node({ ...PLAIN, debug_traceCall: { structLogs: [{ op: "MSTORE", stack }] } });
      expect(await likelyCause(traced, call, { ours, theirs })).to.match(
        /^MSTORE at an offset that is no multiple of 16/,
      );
      const asked = { from: call.from, to, data: "0xaabb", gas: "0x7a120" };
      const options = { disableStorage: true, disableMemory: true };
      expect(traced.asked[0]).to.deep.equal(["debug_traceCall", [asked, "0x5", options]]);
    }
  });

  it("names several causes, and none for what is the same in both", async () => {
    const step = (op: string, ...stack: readonly string[]): object => ({
      op,
      stack: stack.toReversed(),
    });
    const harmless = [
      step("MSTORE", "0x40"),
      step("JUMPI", "0x7", "0x0"),
      step("SHA3", "0x100000000", "0x1"),
      step("STATICCALL", "0xffff", "0x4"),
      step("BALANCE", "0x5"),
      step("EXTCODEHASH", "0x0"),
      step("CALLDATALOAD", "0x4"),
      step("MCOPY", "0x0", "0x20", "0x0"),
      step("CHAINID"),
      step("STOP"),
      {},
    ];
    const cause = async (structLogs: unknown, outcomes = { ours, theirs }): Promise<string> =>
      await likelyCause(node({ ...PLAIN, debug_traceCall: { structLogs } }), call, outcomes);
    expect(await cause(harmless)).to.equal("a difference that is not listed");
    expect(
      await cause([
        ...harmless,
        step("BLOCKHASH", "0x1"),
        step("CALL", "0xffff", "0xb"),
        step("BLOCKHASH", "0x2"),
      ]),
    ).to.equal("BLOCKHASH, which the module does not answer; a precompile that the module lacks");
    const named: CallOutcome = { success: false, data: "0x6f7574206f6620676173" };
    expect(await cause(harmless, { ours: named, theirs })).to.equal(
      "an end of all gas, named in the data",
    );
    expect(await cause("none", { ours: { success: false, data: "0x08c379a0" }, theirs })).to.match(
      /^a difference/,
    );
  });

  it("names the precompile that a call made where the module panicked, beside what its panic means", async () => {
    const traced = (to: string) =>
      node({
        ...PLAIN,
        debug_traceCall: { structLogs: [{ op: "STATICCALL", stack: [to, "0xffff"] }] },
      });
    const cause = async (to: string, failure: string): Promise<string> =>
      await likelyCause(traced(to), call, { ours: { failure }, theirs });
    expect(await cause("0x8", "this precompile isn't implemented yet")).to.equal(
      "a precompile that the module lacks",
    );
    expect(await cause("0x8", "Account: code hash mismatch")).to.match(
      /^a precompile that the module lacks; or an account that does not exist .* on anvil a precompile is such an account, since it has no balance$/,
    );
    expect(await cause("0x4", "SAR")).to.equal("the module cannot compute this call");
    expect(await cause("0x4", "mul Overflow")).to.equal("SAR by 256");
  });

  it("recognizes accounts delegated by EIP-7702, also of nodes that trace nothing", async () => {
    const delegated = node({ ...PLAIN, eth_getCode: `0xef0100${"33".repeat(20)}` });
    expect(await likelyCause(delegated, call, { ours, theirs })).to.match(
      /^an account delegated by EIP-7702/,
    );
  });

  it("names what a module panics for, without asking where the text says it, and says where the node is at fault", async () => {
    const silent = node({});
    const panicked = (failure: string): Promise<string> =>
      likelyCause(silent, call, { ours: { failure }, theirs });
    expect(await panicked("u256_sub Overflow")).to.match(
      /^the caller cannot afford 50,000,000 gas/,
    );
    expect(silent.asked).to.deep.equal([]);
    expect(await panicked("something else")).to.equal("the module cannot compute this call");
    const pruned = { failure: "missing trie node" };
    expect(await likelyCause(node(PLAIN), call, { ours, theirs: pruned })).to.match(
      /^the node lacks the state/,
    );
  });
});
