import { expect } from "chai";
import type { Address, Hex } from "viem";

import { type Eip1193Provider, ProvenChainReader } from "../../src/entries/local.js";
import { expectHdpError, rejection } from "../support/failure.js";
import { ALICE, BOB, sharedChain } from "../support/simulated-chain.js";

const slot = (at: number): Hex => `0x${at.toString(16).padStart(64, "0")}`;

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The chain, with what is asked of it, and its proofs changed. */
async function watched(
  change: (proof: Record<string, unknown>) => unknown = (proof) => proof,
): Promise<{ readonly provider: Eip1193Provider; readonly proofs: () => readonly unknown[] }> {
  const chain = await sharedChain();
  const calls: Call[] = [];
  const request = async (call: Call): Promise<unknown> => {
    calls.push(call);
    const answer = await chain.request(call);
    return call.method === "eth_getProof"
      ? change(structuredClone(answer) as Record<string, unknown>)
      : answer;
  };
  return {
    provider: { request },
    proofs: () =>
      calls.filter(({ method }) => method === "eth_getProof").map(({ params }) => params),
  };
}

describe("the proofs of a block's accounts", () => {
  it("asks for the proofs of one account together", async () => {
    const { provider, proofs } = await watched();
    const reader = new ProvenChainReader(provider, { prove: "require" });
    const read = await Promise.all([
      reader.storage(7n, BOB, slot(1)),
      reader.storage(7n, BOB, slot(2)),
      reader.account(7n, BOB),
      reader.storage(7n, BOB, slot(1)),
      reader.storage(8n, BOB, slot(1)),
      reader.account(7n, ALICE),
    ]);
    expect(read.every(({ proven }) => proven)).to.equal(true);
    expect(proofs()).to.deep.equal([
      [BOB, [slot(1), slot(2)], "0x7"],
      [BOB, [slot(1)], "0x8"],
      [ALICE, [], "0x7"],
    ]);
    // What comes later goes by itself.
    await reader.storage(7n, BOB, slot(3));
    expect(proofs().slice(3)).to.deep.equal([[BOB, [slot(3)], "0x7"]]);
  });

  it("asks for them together in one turn of the event loop, and in the next ones", async () => {
    const { provider, proofs } = await watched();
    const reader = new ProvenChainReader(provider, { prove: "require" });
    for (let round = 1; round <= 3; round += 1) {
      const [one, other] = [slot(2 * round), slot(2 * round + 1)];
      const first = reader.storage(7n, BOB, one);
      for (let step = 0; step < 20; step += 1) await Promise.resolve();
      await Promise.all([first, reader.storage(7n, BOB, other)]);
      expect(proofs()).to.have.length(round);
      expect(proofs().at(-1)).to.deep.equal([BOB, [one, other], "0x7"]);
    }
  });

  it("asks for slots with their account, also where the account comes after a hundred slots", async () => {
    const { provider, proofs } = await watched();
    const reader = new ProvenChainReader(provider, { prove: "require" });
    const slots = Array.from({ length: 100 }, (_, at) => slot(at));
    const words = slots.map(async (one) => await reader.storage(7n, BOB, one));
    expect(await reader.account(7n, BOB)).to.include({ proven: true });
    await Promise.all(words);
    expect(proofs()).to.deep.equal([[BOB, slots, "0x7"]]);
  });

  it("asks for a hundred slots at most at a time", async () => {
    const { provider, proofs } = await watched();
    const reader = new ProvenChainReader(provider, { prove: "require" });
    const slots = Array.from({ length: 250 }, (_, at) => slot(at));
    const words = await Promise.all(slots.map(async (one) => await reader.storage(7n, BOB, one)));
    expect(words.map(({ value }) => value)).to.deep.equal(
      slots.map((_, at) => (at === 1 ? 42n : 0n)),
    );
    expect(words.every(({ proven }) => proven)).to.equal(true);
    const asked = proofs() as readonly (readonly [Address, readonly Hex[], Hex])[];
    expect(asked.map(([, of]) => of.length)).to.deep.equal([100, 100, 50]);
    expect(asked.flatMap(([, of]) => of)).to.deep.equal(slots);
  });

  it("holds each proof to its block, also where another block's were right", async () => {
    let lie = false;
    const { provider } = await watched((proof) =>
      lie ? { ...proof, balance: "0x1", accountProof: ["0x80"] } : proof,
    );
    const reader = new ProvenChainReader(provider, { prove: "require" });
    expect(await reader.account(7n, BOB)).to.include({ proven: true });
    lie = true;
    await expectHdpError(reader.account(8n, BOB), "HDP-4202", /field "balance"/);
    await expectHdpError(
      new ProvenChainReader(provider, { prove: "require" }).account(8n, BOB),
      "HDP-4202",
      /accountProof of/,
    );
  });

  it("fail each of those who asked, and are asked for again", async () => {
    let busy = true;
    const { provider, proofs } = await watched((proof) => {
      if (busy) throw new Error("not now");
      return proof;
    });
    const reader = new ProvenChainReader(provider, { prove: "require" });
    const reads = [reader.storage(7n, BOB, slot(1)), reader.storage(7n, BOB, slot(2))];
    const errors = await Promise.all(reads.map(async (read) => String(await rejection(read))));
    expect(errors.every((error) => error.includes("not now"))).to.equal(true);
    busy = false;
    expect(await reader.storage(7n, BOB, slot(2))).to.deep.equal({
      value: 0n,
      proven: true,
      empty: "code",
    });
    expect(proofs()).to.have.length(2);
  });

  it("that a node does not make leave the values, unless they are required", async () => {
    const { provider } = await watched(() => {
      throw Object.assign(new Error("the method eth_getProof does not exist"), { code: -32601 });
    });
    const reader = new ProvenChainReader(provider);
    expect(await reader.storage(7n, BOB, slot(1))).to.deep.equal({ value: 42n, proven: false });
    await expectHdpError(
      new ProvenChainReader(provider, { prove: "require" }).storage(7n, BOB, slot(1)),
      "HDP-4204",
      /cannot be proven/,
    );
  });
});
