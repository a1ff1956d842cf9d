import { expect } from "chai";
import type { Address, Hex } from "viem";
import { concatHex, keccak256, numberToHex } from "viem/utils";

import type { ConnectedNetwork } from "../../src/plugin/connected-network.js";
import { hashedInCall } from "../../src/plugin/hashed-bytes.js";
import type { TracedCall } from "../../src/plugin/traced-call.js";

const asker: Address = `0x${"a5".repeat(20)}`;
const store: Address = `0x${"57".repeat(20)}`;
const from: Address = `0x${"0f".repeat(20)}`;
const taskHash = keccak256("0x2a");
const code: Hex = `0x${"60".repeat(20_000)}`;

/** Steps that hash a byte of memory. */
const hashing = (byte: Hex): readonly object[] => [
  { op: "MSTORE8", depth: 1, stack: [byte, "0x0"] },
  { op: "KECCAK256", depth: 1, stack: ["0x1", "0x0"] },
];

interface Mined {
  readonly to: Address | null;
  readonly input: Hex;
  readonly gasUsed: number;
  /** The byte that it hashes. */
  readonly byte: Hex;
  readonly calls?: readonly object[];
  /** What the node says of its steps. Default: that the byte is hashed. */
  readonly steps?: readonly object[];
}

/** A node with a transaction in each block, which records what it is asked to trace step by step. */
class TracingNode {
  public readonly stepped: unknown[] = [];
  /** Transactions whose calls it is asked to trace. */
  public readonly called: unknown[] = [];
  readonly #mined: readonly Mined[];
  readonly #isDevelopment: boolean;

  public constructor(mined: readonly Mined[], isDevelopment = true) {
    this.#mined = mined;
    this.#isDevelopment = isDevelopment;
  }

  public get network(): ConnectedNetwork {
    const provider = { request: async (request: object) => await this.#answer(request as never) };
    const isDevelopment = async (): Promise<boolean> => await Promise.resolve(this.#isDevelopment);
    return { provider, isDevelopment } as unknown as ConnectedNetwork;
  }

  async #answer({
    method,
    params,
  }: {
    method: string;
    params: readonly unknown[];
  }): Promise<unknown> {
    await Promise.resolve();
    const [first, second] = params;
    if (method === "eth_blockNumber") return numberToHex(this.#mined.length - 1);
    if (method === "eth_getBlockByNumber") {
      const at = Number(first);
      const { to, input, gasUsed = 0 } = this.#mined[at] ?? {};
      return {
        gasUsed: numberToHex(gasUsed),
        transactions: [{ hash: numberToHex(at, { size: 32 }), from, to, input, value: "0x0" }],
      };
    }
    if (method === "hardhat_metadata") throw new Error("no such method");
    const one = this.#mined[Number(first)];
    if (method === "debug_traceTransaction" && "tracer" in (second as object)) {
      this.called.push(first);
      return {
        type: one?.to === null ? "CREATE" : "CALL",
        from,
        to: one?.to ?? asker,
        input: one?.input,
        value: "0x0",
        // Without what a transaction costs itself, as anvil has it.
        gas: "0x5764",
        gasUsed: numberToHex(one?.gasUsed ?? 0),
        output: one?.to === null ? code : "0x",
        calls: one?.calls,
      };
    }
    if (method === "eth_getTransactionByHash") return { blockNumber: "0x1" };
    this.stepped.push(first);
    const steps = one?.steps ?? hashing(one?.byte ?? "0x1");
    return { structLogs: steps };
  }
}

const call = (gasUsed: number): TracedCall => ({
  method: "debug_traceCall",
  params: ["the call", "latest"],
  frame: { type: "CALL", from, to: asker, input: "0x", gasUsed: numberToHex(gasUsed) },
});

const mined = (byte: Hex, gasUsed = 50_000): Mined => ({ to: asker, input: "0x", gasUsed, byte });
const hashOf = (at: number): Hex => numberToHex(at, { size: 32 });

async function foundIn(node: TracingNode, gasUsed = 50_000): Promise<Hex | undefined> {
  const read = { taskHash, store, asker };
  const isOver = (): boolean => false;
  return (await hashedInCall(node.network, read, { traced: call(gasUsed), isOver }))?.bytes(
    taskHash,
  );
}

describe("plugin: what is traced of a failed call", () => {
  it("traces no steps of much gas: a loop of a million gas takes seconds and gigabytes", async () => {
    const node = new TracingNode([mined("0x2a", 1_000_000), mined("0x07", 200_000)]);
    expect(await foundIn(node, 1_000_000)).to.equal(undefined);
    expect(node.stepped).to.deep.equal([hashOf(1)]);
  });

  it("traces not even the calls of transactions of more: a loop of 16 million gas takes a second", async () => {
    const node = new TracingNode([mined("0x2a"), mined("0x07", 1_100_000)]);
    expect(await foundIn(node)).to.equal("0x2a");
    expect(node.called).to.deep.equal([hashOf(0)]);
  });

  it("calls nothing again that has steps: without the transaction's gas a loop takes that of a block", async () => {
    const node = new TracingNode([
      { ...mined("0x07"), steps: [{ op: "STOP", depth: 1, stack: [] }] },
    ]);
    await foundIn(node);
    expect(node.stepped).to.deep.equal(["the call", hashOf(0)]);
    // As anvil has it.
    const keeping = new TracingNode([mined("0x07"), { ...mined("0x07"), steps: [] }]);
    await foundIn(keeping);
    const again = { from, to: asker, gas: "0x186a0", data: "0x", value: "0x0" };
    expect(keeping.stepped).to.deep.equal(["the call", hashOf(1), again, hashOf(0)]);
  });

  it("counts no gas of deployed code, and none of what is sent", async () => {
    const creation = { to: null, input: code, gasUsed: 4_453_000, byte: "0x2a" } as const;
    expect(await foundIn(new TracingNode([creation]))).to.equal("0x2a");
    const factory = { type: "CREATE2", output: `0x${"60".repeat(4_000)}`, calls: [] };
    const made = { ...mined("0x2a", 950_000), calls: [factory] };
    expect(await foundIn(new TracingNode([made]))).to.equal("0x2a");
    expect(await foundIn(new TracingNode([{ ...creation, gasUsed: 6_000_000 }]))).to.equal(
      undefined,
    );
  });

  it("traces transactions until one hashed what was asked for, the latest first", async () => {
    const node = new TracingNode([mined("0x2a"), mined("0x2a"), mined("0x07")]);
    expect(await foundIn(node)).to.equal("0x2a");
    expect(node.stepped).to.deep.equal(["the call", hashOf(2), hashOf(1)]);
  });

  it("traces no more transactions when the time is over", async () => {
    const node = new TracingNode([mined("0x2a")]);
    const read = { taskHash, store, asker };
    const traced = call(50_000);
    const found = await hashedInCall(node.network, read, { traced, isOver: () => true });
    expect(found?.bytes(taskHash)).to.equal(undefined);
    expect(found?.bytes(keccak256("0x01"))).to.equal("0x01");
    expect(node.stepped).to.deep.equal(["the call"]);
  });

  it("traces no transactions of a live chain, and none where one of them was sent the hash", async () => {
    const live = new TracingNode([mined("0x2a")], false);
    expect(await foundIn(live)).to.equal(undefined);
    expect(live.stepped).to.deep.equal(["the call"]);
    const sent = new TracingNode([
      mined("0x2a"),
      { ...mined("0x07"), input: concatHex(["0x12345678", taskHash]) },
    ]);
    expect(await foundIn(sent)).to.equal(undefined);
    expect(sent.stepped).to.deep.equal(["the call"]);
  });
});
