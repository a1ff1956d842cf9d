import { expect } from "chai";
import fc from "fast-check";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Hex } from "viem";

import type { Eip1193Provider } from "../../src/base/rpc.js";
import { HeaderCache, type KnownHeader, LinkedHeaders } from "../../src/chain/header-cache.js";
import { ProvenChainReader, type ProvenChainReaderOptions } from "../../src/chain/proven-chain-reader.js";
import { hdpFailure } from "../support/failure.js";
import { fewAccounts } from "../support/few-accounts.js";

/** A simulated chain whose blocks differ from all that were ever mined under their numbers. */
class Chain implements Eip1193Provider {
  /** Called before each call. */
  public before: ((calls: number) => Promise<unknown>) | undefined;
  public calls: string[] = [];
  #mined = 0;
  readonly #provider: Eip1193Provider;

  private constructor(provider: Eip1193Provider) {
    this.#provider = provider;
  }

  public static async create(): Promise<Chain> {
    const hre = await createHardhatRuntimeEnvironment({ networks: fewAccounts() });
    return new Chain((await hre.network.create()).provider);
  }

  public async request({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> {
    await this.before?.(this.calls.length);
    this.calls.push([method, ...(params ?? [])].join(" "));
    return await this.direct(method, ...(params ?? []));
  }

  public async direct(method: string, ...params: unknown[]): Promise<unknown> {
    return await this.#provider.request({ method, params });
  }

  public async mine(blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) {
      this.#mined += 1;
      await this.direct("hardhat_setCoinbase", `0x${this.#mined.toString(16).padStart(40, "0")}`);
      await this.direct("hardhat_mine", "0x1");
    }
  }

  public async height(): Promise<number> {
    return Number(await this.direct("eth_blockNumber"));
  }

  public async snapshot(): Promise<unknown> {
    return await this.direct("evm_snapshot");
  }

  public async revert(snapshot: unknown): Promise<void> {
    expect(await this.direct("evm_revert", snapshot)).to.equal(true);
  }

  /** What the chain has now, read with nothing remembered. */
  public async items(blocks: readonly number[]): Promise<unknown[]> {
    const reader = new ProvenChainReader({
      request: async ({ method, params }) => await this.direct(method, ...listOf(params)),
    });
    return await Promise.all(blocks.map(async (block) => (await reader.header(BigInt(block))).value));
  }
}

function listOf(params: unknown): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}

const upTo = (last: number, step = 1): number[] =>
  Array.from({ length: Math.floor(last / step) + 1 }, (_, position) => position * step);

/** One run over the blocks, all at once, with what it rests on. */
async function run(
  provider: Eip1193Provider,
  blocks: readonly number[],
  options: ProvenChainReaderOptions,
): Promise<{ readonly items: readonly (readonly Hex[])[]; readonly anchor: unknown }> {
  const reader = new ProvenChainReader(provider, { prove: "require", ...options });
  const read = await Promise.all(blocks.map(async (block) => await reader.header(BigInt(block))));
  expect(read.every(({ proven }) => proven)).to.equal(options.prove !== "never");
  return { items: read.map(({ value }) => value), anchor: await reader.anchor() };
}

/** Numbers that `eth_getBlockByNumber` was asked for. */
const asked = (calls: readonly string[]): string[] =>
  calls.filter((call) => call.startsWith("eth_getBlockByNumber")).map((call) => call.split(" ")[1] ?? "");

describe("headers kept from run to run", () => {
  it("cost a run the head, one header and the head again", async () => {
    const chain = await Chain.create();
    await chain.mine(40);
    const headers = new HeaderCache();
    const first = await run(chain, upTo(30), { headers });
    expect(chain.calls.filter((call) => !call.endsWith(" false"))).to.deep.equal([]);
    await chain.mine(3);
    chain.calls = [];
    expect((await run(chain, upTo(30), { headers })).items).to.deep.equal(first.items);
    const whole = ["latest", "0x1e", "0x2b"].map((block) => `eth_getBlockByNumber ${block} false`);
    expect(chain.calls).to.deep.equal(whole);
    // Linked to the head itself: nothing is left to be read.
    await run(chain, upTo(43), { headers });
    chain.calls = [];
    expect((await run(chain, upTo(30), { headers })).items).to.deep.equal(first.items);
    expect(asked(chain.calls)).to.deep.equal(["latest", "0x2b"]);
  });

  it("are not used above a gap that no read header closes", async () => {
    const chain = await Chain.create();
    await chain.mine(20);
    const headers = new HeaderCache();
    await run(chain, [2, 3, 4, 8, 9, 12, 14], { headers });
    chain.calls = [];
    const blocks = upTo(16);
    expect((await run(chain, blocks, { headers })).items).to.deep.equal(await chain.items(blocks));
    expect(new Set(asked(chain.calls))).to.deep.equal(
      new Set([
        "latest",
        "0x14",
        ...[0, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16].map((n) => `0x${n.toString(16)}`),
      ]),
    );
  });

  for (const bucket of [1024n, 4n, 1n]) {
    it(`are the new chain's after a revert to every height, ${bucket} to a header that is read`, async () => {
      const chain = await Chain.create();
      const snapshots: unknown[] = [];
      for (let height = 0; height < 14; height += 1) {
        snapshots.push(await chain.snapshot());
        await chain.mine(1);
      }
      const headers = new HeaderCache(undefined, bucket);
      // From the top down, as a revert forgets the snapshots after its own.
      for (const [height, snapshot] of [...snapshots.entries()].reverse()) {
        const before = await chain.items(upTo(height));
        await run(chain, upTo(await chain.height()), { headers });
        await chain.revert(snapshot);
        expect((await run(chain, upTo(height), { headers })).items).to.deep.equal(before);
        for (const more of [1, 3, 14 - height]) {
          await chain.mine(more);
          const last = await chain.height();
          for (const blocks of [[last], upTo(last, 3), upTo(last).reverse(), upTo(last)]) {
            const { items, anchor } = await run(chain, blocks, { headers });
            expect(items, `reverted to ${height}`).to.deep.equal(await chain.items(blocks));
            const head = await chain.direct("eth_getBlockByNumber", "latest", false);
            expect(anchor).to.deep.include({ kind: "node", number: BigInt(last) });
            expect(head).to.include({ hash: (anchor as { readonly hash: Hex }).hash });
          }
        }
      }
    });
  }

  it("are the chain's whatever was mined, reverted and read before, in whatever order", async function () {
    this.timeout(120_000);
    const step = fc.oneof(
      fc.record({ kind: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ kind: fc.constant("snapshot" as const) }),
      fc.record({ kind: fc.constant("revert" as const), which: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant("read" as const), blocks: fc.array(fc.nat({ max: 30 }), { maxLength: 12 }) }),
      fc.record({ kind: fc.constant("read all" as const) }),
    );
    const chain = await Chain.create();
    const start = await chain.snapshot();
    let whole = start;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 16 }),
        fc.constantFrom(1024n, 3n, 8n),
        fc.constantFrom(undefined, 6_000),
        async (steps, bucket, maxBytes) => {
          await chain.revert(whole);
          whole = await chain.snapshot();
          const headers = new HeaderCache(maxBytes, bucket);
          const snapshots: unknown[] = [];
          for (const one of steps) {
            if (one.kind === "mine") await chain.mine(one.blocks);
            if (one.kind === "snapshot") snapshots.push(await chain.snapshot());
            if (one.kind === "revert" && snapshots.length > 0) {
              const [snapshot] = snapshots.splice(one.which % snapshots.length);
              await chain.revert(snapshot);
            }
            if (one.kind !== "read" && one.kind !== "read all") continue;
            const last = await chain.height();
            const blocks = one.kind === "read" ? one.blocks.filter((block) => block <= last) : upTo(last);
            expect((await run(chain, blocks, { headers })).items).to.deep.equal(await chain.items(blocks));
            expect(headers.bytes).to.be.at.most(maxBytes ?? Infinity);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("do not hide that the chain was reverted during the run, at any height or call", async () => {
    const chain = await Chain.create();
    const snapshots: unknown[] = [];
    for (let height = 0; height < 10; height += 1) {
      snapshots.push(await chain.snapshot());
      await chain.mine(1);
    }
    const headers = new HeaderCache();
    for (const [height, id] of [...snapshots.entries()].reverse()) {
      let snapshot = id;
      for (const during of [0, 1, 2]) {
        for (const more of [0, 1, 12 - height]) {
          const blocks = upTo(height);
          // Others than those that the revert leaves: the head is new, and what is read below it is not linked to it.
          await chain.mine(2);
          await run(chain, blocks, { headers });
          await chain.mine(2);
          const from = chain.calls.length;
          chain.before = async (calls) => {
            if (calls !== from + during) return;
            chain.before = undefined;
            await chain.revert(snapshot);
            snapshot = await chain.snapshot();
            await chain.mine(more);
          };
          const running = run(chain, blocks, { headers });
          if (during === 0) {
            expect((await running).items).to.deep.equal(await chain.items(blocks));
          } else {
            const { code, message } = await hdpFailure(running);
            expect(code, `${height} ${during} ${more}: ${message}`).to.equal("HDP-4205");
          }
          expect(chain.before).to.equal(undefined);
        }
      }
    }
  });

  it("are read instead where the header they hang from is not right", async () => {
    const chain = await Chain.create();
    await chain.mine(12);
    const headers = new HeaderCache();
    const before = await run(chain, upTo(9), { headers });
    const lying: Eip1193Provider = {
      request: async ({ method, params }) => {
        const answer = await chain.direct(method, ...listOf(params));
        const [block] = listOf(params);
        return block === "0x9" ? { ...(answer as object), gasUsed: "0x1" } : answer;
      },
    };
    expect((await run(lying, upTo(8), { headers })).items).to.deep.equal(before.items.slice(0, 9));
    expect((await hdpFailure(run(lying, upTo(9), { headers }))).message)
      .to.contain("block 9")
      .and.to.contain("hash");
  });

  it("are read instead where the node does not tell its head", async () => {
    const chain = await Chain.create();
    await chain.mine(9);
    const headers = new HeaderCache();
    const before = await run(chain, upTo(6), { headers });
    const headless: Eip1193Provider = {
      request: async ({ method, params }) => {
        if (listOf(params)[0] === "latest") throw new Error("it is behind");
        return await chain.direct(method, ...listOf(params));
      },
    };
    const reader = new ProvenChainReader(headless, { headers });
    for (const number of upTo(6)) {
      expect((await reader.header(BigInt(number))).value).to.deep.equal(before.items[number]);
    }
    expect((await hdpFailure(reader.anchor())).message).to.contain("it is behind");
  });

  it("link up to a checkpoint as those that are read", async () => {
    const chain = await Chain.create();
    await chain.mine(8);
    const snapshot = await chain.snapshot();
    await chain.mine(4);
    const block = async (number: number): Promise<Hex> =>
      ((await chain.direct("eth_getBlockByNumber", `0x${number.toString(16)}`, false)) as { readonly hash: Hex }).hash;
    const headers = new HeaderCache();
    const checkpoint = await block(10);
    for (const blocks of [upTo(6), upTo(6), upTo(10)]) {
      const { anchor } = await run(chain, blocks, { headers, checkpoint });
      expect(anchor).to.deep.equal({ kind: "checkpoint", number: 10n, hash: checkpoint });
    }
    // Those between the last one and the checkpoint are read, and no other again.
    chain.calls = [];
    await run(chain, upTo(7), { headers, checkpoint });
    expect(asked(chain.calls)).to.deep.equal(["latest", "0xa", "0xc", "0x8", "0x9"]);
    await run(chain, upTo(11), { headers });
    expect((await hdpFailure(run(chain, [11], { headers, checkpoint }))).code).to.equal("HDP-4206");
    await chain.revert(snapshot);
    await chain.mine(5);
    expect((await hdpFailure(run(chain, upTo(6), { headers, checkpoint }))).code).to.equal("HDP-4206");
  });

  it("do not keep the second node from being asked for every block", async () => {
    const [chain, second] = [await Chain.create(), await Chain.create()];
    await chain.mine(8);
    const headers = new HeaderCache();
    await run(chain, upTo(6), { headers });
    const same = new ProvenChainReader(chain, { prove: "require", headers, second: chain });
    chain.calls = [];
    for (const number of upTo(6)) await same.header(BigInt(number));
    expect(asked(chain.calls)).to.have.length(1 + 2 * 7);
    const snapshot = await second.snapshot();
    await second.mine(1);
    await second.revert(snapshot);
    await second.mine(8);
    expect((await hdpFailure(run(chain, [5], { headers, second }))).code).to.equal("HDP-4207");
  });

  it("are not used, nor kept, where nothing is checked", async () => {
    const chain = await Chain.create();
    await chain.mine(8);
    const headers = new HeaderCache();
    await run(chain, upTo(6), { headers, prove: "never" });
    expect(headers.bytes).to.equal(0);
    await run(chain, upTo(6), { headers });
    chain.calls = [];
    await run(chain, upTo(6), { headers, prove: "never" });
    expect(asked(chain.calls)).to.have.length(7);
  });

  it("take no more bytes than they may: the oldest make room", async () => {
    const chain = await Chain.create();
    await chain.mine(60);
    const headers = new HeaderCache(40_000);
    await run(chain, upTo(55), { headers });
    expect(headers.bytes).to.be.within(30_000, 40_000);
    expect([headers.get(0n), headers.get(55n)?.number]).to.deep.equal([undefined, 55n]);
    for (const number of upTo(60)) {
      const known = headers.get(BigInt(number));
      if (known !== undefined) headers.drop(known);
    }
    expect(headers.bytes).to.equal(0);
  });

  it("make room in the order in which they came, however often some were dropped or replaced", () => {
    const headers = new HeaderCache(400 * 20);
    const header = (number: number, hash: Hex): KnownHeader => ({
      number: BigInt(number),
      hash,
      parent: "0x",
      items: [],
    });
    for (let round = 0; round < 5_000; round += 1) {
      const last = header(round % 30, `0x${round.toString(16)}`);
      headers.put(last);
      headers.put(header(round % 30, `0x${(round + 1).toString(16)}`));
      if (round % 3 === 0) headers.drop(headers.get(BigInt(round % 30)) ?? last);
      expect(headers.bytes).to.be.at.most(400 * 20);
    }
    for (let number = 100; number < 140; number += 1) headers.put(header(number, "0x1"));
    const kept = upTo(140).filter((number) => headers.get(BigInt(number)) !== undefined);
    expect(kept).to.deep.equal(upTo(139).slice(140 - kept.length));
    expect(headers.bytes / kept.length).to.equal(300);
    expect(kept.length).to.equal(24);
  });

  it("fill what they may to the last byte, and drop no other than the one that is named", () => {
    const header = (number: bigint, hash: Hex): KnownHeader => ({ number, hash, parent: "0x", items: [] });
    const headers = new HeaderCache(3 * 300);
    const kept = (): boolean[] => [1n, 2n, 3n, 4n].map((number) => headers.get(number) !== undefined);
    const first = header(1n, "0x01");
    for (const one of [first, header(2n, "0x02"), header(3n, "0x03")]) headers.put(one);
    expect([headers.bytes, kept()]).to.deep.equal([900, [true, true, true, false]]);
    // The same once more is the one that is there.
    headers.put(header(1n, "0x01"));
    expect(headers.get(1n)).to.equal(first);
    const other = header(1n, "0x11");
    headers.put(other);
    headers.drop(first);
    headers.drop(header(9n, "0x09"));
    expect([headers.get(1n), headers.bytes]).to.deep.equal([other, 900]);
    headers.put(header(4n, "0x04"));
    expect([headers.bytes, kept()]).to.deep.equal([600, [true, false, false, true]]);
  });

  it("count as new where they come again, and with their items' lengths", () => {
    const header = (number: bigint, items: readonly Hex[] = []): KnownHeader => ({
      ...{ number, hash: `0x${number.toString(16)}`, parent: "0x", items },
    });
    const headers = new HeaderCache(3 * 300);
    const first = header(1n);
    for (const one of [first, header(2n), header(3n)]) headers.put(one);
    headers.drop(first);
    expect(headers.bytes).to.equal(600);
    for (const one of [header(1n), header(4n)]) headers.put(one);
    const kept = [1n, 2n, 3n, 4n].filter((number) => headers.get(number) !== undefined);
    expect(kept).to.deep.equal([1n, 4n]);
    // A header takes 300 bytes, and an item 24 beside its characters.
    const other = new HeaderCache();
    other.put(header(1n, ["0x01", "0x", "0x020304"]));
    expect(other.bytes).to.equal(300 + 3 * 24 + 4 + 2 + 8);
  });

  describe("that a run looks for", () => {
    const hash = (number: number, fork = 0): Hex => `0x${fork.toString(16)}${number.toString(16).padStart(4, "0")}`;
    const header = (number: number, fork = 0, parentFork = fork): KnownHeader => ({
      ...{ number: BigInt(number), hash: hash(number, fork), parent: hash(number - 1, parentFork) },
      items: [hash(number, fork)],
    });

    /** A cache of some headers, in buckets of 16, and a run over a node that has a chain of its own. */
    function setting(known: readonly KnownHeader[], node: (number: number) => KnownHeader | undefined) {
      const headers = new HeaderCache(undefined, 16n);
      for (const one of known) headers.put(one);
      const told = new Map<bigint, Hex>();
      const reads: number[] = [];
      const linked = new LinkedHeaders(headers, { hashOf: (number) => told.get(number) }, async (number) => {
        reads.push(Number(number));
        await Promise.resolve();
        const now = node(Number(number));
        if (now === undefined) throw new Error("not right");
        told.set(number, now.hash);
        headers.put(now);
      });
      const take = async (number: number, head = 40): Promise<Hex | undefined> =>
        (await linked.header(BigInt(number), BigInt(head)))?.hash;
      const kept = (): number[] => upTo(47).filter((number) => headers.get(BigInt(number)) !== undefined);
      return { headers, linked, take, kept, reads, told };
    }
    const same = upTo(47).map((number) => header(number));

    it("hang from the last of their bucket, or from the head, which is read once for all of them", async () => {
      const { linked, take, reads } = setting(same, (number) => header(number));
      const found = await Promise.all([3, 14, 15, 0, 16, 17].map(async (number) => await take(number)));
      expect(found).to.deep.equal([3, 14, 15, 0, 16, 17].map((number) => hash(number)));
      expect([0, 40, 47, 48].map((number) => linked.has(BigInt(number)))).to.deep.equal([true, true, true, false]);
      expect(reads).to.deep.equal([15, 31]);
      expect([await take(5), await take(30), reads]).to.deep.equal([hash(5), hash(30), [15, 31]]);
      expect(await take(33, 40)).to.equal(hash(33));
      expect(reads).to.deep.equal([15, 31, 40]);
    });

    it("are looked through once, in whatever order they are asked for", async () => {
      class Counted extends HeaderCache {
        public looks = 0;
        public override get(number: bigint): KnownHeader | undefined {
          this.looks += 1;
          return super.get(number);
        }
      }
      const count = 500;
      const up = Array.from({ length: count }, (_, number) => number);
      // The last of all, asked for before any other, looks as if it stood alone.
      const orders = [up, [...up.slice(0, -1)].reverse(), up.map((number) => (number * 7) % count)];
      for (const order of orders) {
        const headers = new Counted();
        for (const number of up) headers.put(header(number));
        const told = new Map<bigint, Hex>();
        const linked = new LinkedHeaders(headers, { hashOf: (number) => told.get(number) }, async (number) => {
          await Promise.resolve();
          told.set(number, hash(Number(number)));
        });
        const found = await Promise.all(
          order.map(async (number) => (await linked.header(BigInt(number), 10_000n))?.number),
        );
        expect(found).to.deep.equal(order.map(BigInt));
        expect([...told.keys()]).to.deep.equal([BigInt(count - 1)]);
        // Once for who asks, once on the way up and once on the way down.
        expect(headers.looks).to.be.lessThan(3 * count + 10);
      }
    });

    it("are left to be read where they stand alone, unless the run has read them", async () => {
      const { take, reads, told } = setting([header(3), header(20), header(21, 1)], (number) => header(number));
      expect([await take(3), await take(20), await take(4)]).to.deep.equal([undefined, undefined, undefined]);
      expect([await take(15, 15), reads]).to.deep.equal([undefined, []]);
      told.set(3n, hash(3));
      expect([await take(3), reads]).to.deep.equal([hash(3), []]);
    });

    it("are held on to when the cache gives them up, the latest 4,096", async () => {
      const most = 4_096;
      const { headers, linked, take, reads } = setting(upTo(most + 31).map((number) => header(number)), (number) => header(number)); // prettier-ignore
      for (let number = 0; number < most; number += 16) expect(await take(number, 9_999)).to.equal(hash(number));
      expect([reads.length, await take(0), reads.length]).to.deep.equal([most / 16, hash(0), most / 16]);
      expect(await take(most, 9_999)).to.equal(hash(most));
      expect(reads.length).to.equal(most / 16 + 1);
      // Those that came first made room; what they hung from was read, and is not again.
      expect([await take(0), reads.length]).to.deep.equal([hash(0), most / 16 + 1]);
      for (const one of upTo(most + 31).map((number) => headers.get(BigInt(number)))) {
        if (one !== undefined) headers.drop(one);
      }
      expect([await take(most, 9_999), await take(5, 9_999), await take(31, 9_999)]).to.deep.equal([
        hash(most),
        hash(5),
        undefined,
      ]);
      expect([most, 5, 31].map((number) => linked.has(BigInt(number)))).to.deep.equal([true, true, false]);
    });

    it("are not the chain's where the run has read another top, whatever other runs put there", async () => {
      const forked = setting(same, (number) => header(number));
      forked.told.set(31n, hash(31, 1));
      expect([await forked.take(20), forked.reads]).to.deep.equal([undefined, []]);
      expect(forked.kept()).to.deep.equal([...upTo(15), ...upTo(47).slice(32)]);
      const replaced = setting(same, (number) => header(number));
      const taken = replaced.take(20);
      // The run's own header comes after it, and leaves it there.
      replaced.headers.put(header(31, 1));
      expect(await taken).to.equal(hash(20));
      const raced = setting(same, (number) => {
        queueMicrotask(() => {
          raced.headers.put(header(31, 1));
        });
        return header(number);
      });
      expect(await Promise.all([raced.take(20), raced.take(31)])).to.deep.equal([hash(20), hash(31)]);
    });

    it("hang later from another top than the one that they hung from before", async () => {
      const { headers, take, reads, told } = setting(same, (number) => header(number, 1));
      expect([await take(20), reads]).to.deep.equal([undefined, [31]]);
      for (let number = 20; number <= 25; number += 1) headers.put(header(number, 1));
      told.set(25n, hash(25, 1));
      expect([await take(20), reads]).to.deep.equal([hash(20, 1), [31]]);
    });

    it("are forgotten with all that hang from one that is another now, and from none that cannot be read", async () => {
      const forked = setting(same, (number) => header(number, 1));
      expect([await forked.take(20), forked.reads]).to.deep.equal([undefined, [31]]);
      expect(forked.kept()).to.deep.equal([...upTo(15), ...upTo(47).slice(31)]);
      const unread = setting(same, () => undefined);
      expect([await unread.take(20), unread.reads]).to.deep.equal([undefined, [31]]);
      expect(unread.kept()).to.deep.equal([...upTo(15), ...upTo(47).slice(32)]);
      // Only the upper part was mined anew: what it hangs from is the chain's.
      const mixed = setting(
        upTo(31).map((number) => header(number, number > 24 ? 1 : 0, number > 25 ? 1 : 0)),
        (number) => header(number),
      );
      expect([await mixed.take(18), mixed.reads]).to.deep.equal([undefined, [31]]);
    });
  });

  it("are one node's: each provider has its own", async () => {
    const [one, other] = [await Chain.create(), await Chain.create()];
    expect(HeaderCache.of(one)).to.equal(HeaderCache.of(one)).and.not.to.equal(HeaderCache.of(other));
  });
});
