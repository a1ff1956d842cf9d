import { readFileSync } from "node:fs";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import {
  type Eip1193Provider,
  ProvenChainReader,
  runModule,
  type ModuleRead,
} from "../../../src/entries/local.js";
import { ethCallAnswer, ethCallInputs, expectedReads } from "../../../src/compute/proven-call.js";
import { DistantNode } from "../../support/distant-node.js";
import { ethCallClass } from "../../support/eth-call-class.js";
import { type Call, type PreparedCalls, preparedCalls } from "./differential.js";

/** Every how-manieth call is made; 1 for all 200, which take minutes. */
const EVERY = Number(process.env["HDP_ETH_CALL_EVERY"] ?? 30);

describe("eth_call in a module", function () {
  this.timeout(1_200_000);
  let provider: Eip1193Provider;
  let reader: ProvenChainReader;
  let block: bigint;
  let calls: PreparedCalls;
  const json: unknown = JSON.parse(readFileSync(ethCallClass(), "utf8"));

  before(async () => {
    const hre = await createHardhatRuntimeEnvironment({});
    ({ provider } = await hre.network.create());
    calls = await preparedCalls(provider);
    reader = new ProvenChainReader(provider, { prove: "require" });
    block = BigInt(String(await provider.request({ method: "eth_blockNumber", params: [] })));
  });

  /** `true 0x…`, `false 0x…`, or the panic of the module. */
  async function proven(call: Call): Promise<string> {
    const run = await runModule(json, {
      inputs: ethCallInputs({ chainId: 31337n, block, ...call }),
      leadingFelts: 8,
      generation: "head",
      reader: () => reader,
    });
    if (run.status === "panicked") return run.message;
    expect(run.proven).to.equal(true);
    const { success, data } = ethCallAnswer(run);
    return `${String(success)} ${data}`;
  }

  async function byNode({ from, to, data }: Call): Promise<string> {
    try {
      const params = [{ from, to, data, gas: "0xe00000" }, "latest"];
      return `true ${String(await provider.request({ method: "eth_call", params }))}`;
    } catch (error) {
      const inner: unknown =
        typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
      const data: unknown =
        typeof inner === "object" && inner !== null && "data" in inner ? inner.data : inner;
      return `false ${String(data)}`;
    }
  }

  it("answers as the node does: tokens, proxies, libraries, reverts, deep calls", async () => {
    expect(calls.equal).to.have.length.of.at.least(200);
    expect(new Set(calls.equal.map(({ to, data, from }) => to + data + from))).to.have.property(
      "size",
      calls.equal.length,
    );
    const differing: string[] = [];
    for (const call of calls.equal.filter((_, index) => index % EVERY === 0)) {
      const [ours, theirs] = [await proven(call).catch(String), await byNode(call)];
      if (ours !== theirs)
        differing.push(`${call.name}: ${ours.slice(0, 200)}, by the node ${theirs.slice(0, 200)}`);
    }
    expect(differing).to.deep.equal([]);
  });

  /** Runs a call over a node that answers in batches. Returns its reads, and the round trips that they took. */
  async function farAway(call: Call, expected?: readonly ModuleRead[]) {
    const node = new DistantNode(provider, { milliseconds: 50 });
    const far = new ProvenChainReader(node, { prove: "require" });
    const run = await runModule(json, {
      inputs: ethCallInputs({ chainId: 31337n, block, ...call }),
      leadingFelts: 8,
      generation: "head",
      reader: () => far,
      expected,
    });
    return { run, trips: node.trips };
  }

  it("takes at most four round trips by an access list, and eight without one for a token's balance, a pool's price and a feed's", async () => {
    const most = {
      "Coin.balanceOf(": 8,
      "Badge.balanceOf(": 8,
      "Box by beacon": 12,
      "Vault.convert": 8,
      "Pool.slot0(": 8,
      "Feed.latestRoundData(": 8,
    };
    for (const [start, trips] of Object.entries(most)) {
      const call = calls.equal.find(({ name }) => name.startsWith(start));
      if (call === undefined) throw new Error(`there is no call ${start}`);
      const alone = await farAway(call);
      expect(ethCallAnswer(alone.run), start).to.include({ success: true });
      expect(alone.trips, start).to.be.at.most(trips);
      const slots = alone.run.reads.filter((read) => read.kind === "storage");
      const accessList = slots.map(({ address, slot }) => ({ address, storageKeys: [slot] }));
      const place = { chainId: 31337n, block, ...call };
      const listed = await farAway(call, expectedReads(place, { accessList }));
      expect(listed.trips, start).to.be.at.most(4);
      expect(listed.run).to.deep.equal(alone.run);
    }
  });

  it("expects the sender and the target where a node has no access list", () => {
    const call = { chainId: 1n, block: 2n, from: "0xAA", to: "0xbb", data: "0x" } as const;
    const places = (answer: unknown): unknown =>
      expectedReads(call, answer).map((read) => ("slot" in read ? read.slot : read.kind));
    const alone = [
      ...new Array<string>(6).fill("header"),
      ...[1, 2].flatMap(() => ["account", "account", "account", "bytecode"]),
    ];
    for (const answer of [undefined, null, {}, { accessList: [{ address: 1 }] }, "0x"])
      expect(places(answer)).to.deep.equal(alone);
    const slot = `0x${"AB".repeat(32)}`;
    const accessList = [{ address: `0x${"Cc".repeat(20)}`, storageKeys: [slot] }];
    expect(places({ accessList, gasUsed: "0x1" })).to.deep.equal([
      ...alone,
      "account",
      "account",
      "account",
      "bytecode",
      slot.toLowerCase(),
    ]);
  });

  it("differs where docs/proven-calls.md says so, in the way it says", async () => {
    for (const call of calls.differing) {
      const answer = await proven(call).catch(String);
      if (typeof call.ours === "string") expect(answer, call.name).to.equal(call.ours);
      else expect(answer, call.name).to.match(call.ours);
      expect(answer, call.name).not.to.equal(await byNode(call));
    }
  });
});
