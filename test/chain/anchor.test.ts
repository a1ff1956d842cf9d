import { setTimeout as pause } from "node:timers/promises";

import { expect } from "chai";
import type { Hex } from "viem";

import type { Anchor, DatalakeComputeTask } from "../../src/entries/request.js";
import {
  type Eip1193Provider,
  ProvenChainReader,
  type ProvenChainReaderOptions,
  type Evaluation,
  evaluate,
  evaluateWith,
} from "../../src/entries/local.js";
import { keccak256 } from "../../src/base/keccak.js";
import { rlpBytes } from "../../src/base/rlp.js";
import { headerItems } from "../../src/chain/blocks.js";
import { hdpFailure } from "../support/failure.js";

type Block = Readonly<Record<string, unknown>> & { readonly hash: Hex; readonly parentHash: Hex };

const word = (byte: string): Hex => `0x${byte.repeat(32)}`;

/** A block with the hash that its header has. */
function block(number: number, parentHash: Hex, extraData: Hex = "0x"): Block {
  const fields = {
    parentHash,
    sha3Uncles: word("22"),
    miner: `0x${"33".repeat(20)}`,
    stateRoot: word("44"),
    transactionsRoot: word("55"),
    receiptsRoot: word("66"),
    logsBloom: `0x${"00".repeat(256)}`,
    difficulty: "0x0",
    number: `0x${number.toString(16)}`,
    gasLimit: "0x1c9c380",
    gasUsed: "0x0",
    timestamp: `0x${(1_000 + number).toString(16)}`,
    extraData,
    mixHash: word("77"),
    nonce: "0x0000000000000000",
  } as const;
  return { ...fields, hash: keccak256(rlpBytes(headerItems({ what: "block", fields }))) };
}

/** Blocks 0 to `length` − 1, each the child of the one before; from `fork` on they are other ones. */
function chainOf(length: number, fork = length, mark: Hex = "0xff"): Block[] {
  const blocks: Block[] = [];
  for (let number = 0; number < length; number += 1) {
    blocks.push(block(number, blocks.at(-1)?.hash ?? word("00"), number < fork ? "0x" : mark));
  }
  return blocks;
}

interface Node extends Eip1193Provider {
  blocks: readonly (Block | undefined)[];
  /** Called before the answer to each call, with how many there were before. */
  before?: (calls: number) => void;
  calls: number;
}

function node(blocks: readonly (Block | undefined)[]): Node {
  const made: Node = {
    blocks,
    calls: 0,
    request: ({ method, params = [] }) => {
      made.before?.(made.calls);
      made.calls += 1;
      if (method === "eth_blockNumber")
        return Promise.resolve(`0x${(made.blocks.length - 1).toString(16)}`);
      const [which] = params;
      if (method === "eth_getBlockByHash")
        return Promise.resolve(made.blocks.find((one) => one?.hash === which) ?? null);
      if (method !== "eth_getBlockByNumber") throw new Error(`${method} is not expected`);
      return Promise.resolve(
        made.blocks[which === "latest" ? made.blocks.length - 1 : Number(which)] ?? null,
      );
    },
  };
  return made;
}

function task(from: number, to: number, increment = 1): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: BigInt(from),
      blockRangeEnd: BigInt(to),
      increment: BigInt(increment),
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

/** A task's value with what it rests on. */
async function anchored(
  work: DatalakeComputeTask,
  { provider, ...options }: ProvenChainReaderOptions & { readonly provider: Eip1193Provider },
): Promise<Evaluation & { readonly anchor: Anchor | undefined }> {
  const reader = new ProvenChainReader(provider, options);
  return { ...(await evaluateWith(reader, work, options)), anchor: await reader.anchor() };
}

const chain = chainOf(12);
const head = chain[11];
if (head === undefined) throw new Error("the chain has a head");

describe("what proofs rest on", () => {
  it("names the node's head as the anchor", async () => {
    const result = await anchored(task(2, 9), { provider: node(chain), prove: "require" });
    expect(result).to.deep.equal({
      value: 44n,
      samples: 8,
      proven: true,
      anchor: { kind: "node", number: 11n, hash: head.hash },
    });
  });

  it("names no anchor where nothing is checked", async () => {
    const provider = node(chain);
    const result = await anchored(task(2, 9), { provider, prove: "never" });
    expect(result).to.deep.equal({ value: 44n, samples: 8, proven: false, anchor: undefined });
    expect(provider.calls).to.equal(8);
    expect(await new ProvenChainReader(provider).anchor()).to.equal(undefined);
  });

  it("rejects five invented blocks in a range, wherever they stand", async () => {
    for (let first = 1; first <= 7; first += 1) {
      const blocks = chain.map((real, number) =>
        number >= first && number < first + 5 ? block(number, word("ee"), "0xaa") : real,
      );
      const error = await hdpFailure(
        evaluate(task(0, 11), { provider: node(blocks), prove: "require" }),
      );
      expect([error.code, first]).to.deep.equal(["HDP-4209", first]);
      expect(error.message).to.contain("parentHash");
    }
  });

  it("rejects an invented block right below the head, of which nothing but the head is read", async () => {
    const [invented] = chainOf(11, 10).slice(10);
    const blocks = chain.map((one, number) => (number === 10 ? invented : one));
    const error = await hdpFailure(anchored(task(10, 10), { provider: node(blocks) }));
    expect(error.code).to.equal("HDP-4209");
  });

  it("rejects invented blocks that are linked to each other, where the range goes on", async () => {
    const invented = chainOf(12, 3, "0xaa");
    const blocks = chain.map((real, number) =>
      number >= 3 && number < 8 ? invented[number] : real,
    );
    const error = await hdpFailure(
      evaluate(task(0, 9), { provider: node(blocks), prove: "require" }),
    );
    expect(error.message).to.contain("block 8 does not follow the block below it");
  });

  it("rejects a run during which the chain was reorganised or reverted, at every height", async () => {
    const during = 6;
    for (let fork = 1; fork <= 11; fork += 1) {
      for (const after of [chainOf(12, fork, "0xbb"), chainOf(fork), chainOf(20, fork, "0xbb")]) {
        const provider = node(chain);
        provider.before = (calls) => {
          if (calls === during) provider.blocks = after;
        };
        const options = { provider, prove: "require", concurrency: 1 } as const;
        const error = await hdpFailure(evaluate(task(0, 11, 2), options));
        // The block that is read next is gone or no neighbour of one that was read, or the head is another in the end.
        expect(error.code, `fork ${fork}, ${after.length} blocks`).to.be.oneOf([
          "HDP-4205",
          "HDP-4101",
          "HDP-4209",
        ]);
        if (error.code === "HDP-4209") expect(error.message).to.contain("parentHash");
      }
    }
  });

  it("accepts a run during which the chain only grew", async () => {
    const provider = node(chain);
    provider.before = (calls) => {
      if (calls === 4) provider.blocks = chainOf(30);
    };
    const { anchor } = await anchored(task(0, 8), { provider, prove: "require", concurrency: 1 });
    expect(anchor).to.deep.equal({ kind: "node", number: 11n, hash: head.hash });
  });

  it("takes no answer for no block, whether a provider says null or undefined", async () => {
    const provider = node(chain);
    const silent: Eip1193Provider = {
      request: async (call) => (await provider.request(call)) ?? undefined,
    };
    const reader = new ProvenChainReader(silent, { prove: "require" });
    expect((await hdpFailure(reader.header(12n))).code).to.equal("HDP-4101");
    await reader.header(3n);
    provider.blocks = chainOf(5);
    expect((await hdpFailure(reader.anchor())).message).to.contain("does not exist any more");
    const unknown = new ProvenChainReader(silent, { prove: "require", checkpoint: word("99") });
    await unknown.header(3n);
    expect((await hdpFailure(unknown.anchor())).message).to.contain(
      "the node does not know this block",
    );
  });

  it("rejects a head that doesn't hash to what the node says", async () => {
    const provider = node([...chain.slice(0, 11), { ...block(11, word("ee")), hash: head.hash }]);
    const reader = new ProvenChainReader(provider, { prove: "require" });
    expect((await reader.header(3n)).proven).to.equal(true);
    expect((await hdpFailure(reader.anchor())).message).to.contain(
      'block 11 does not match its field "hash"',
    );
  });

  it("leaves no rejection of a head unhandled, which would end the process", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    const provider = node([...chain.slice(0, 11), { ...block(11, word("ee")), hash: head.hash }]);
    const reader = new ProvenChainReader(provider, { prove: "require" });
    await reader.header(3n);
    process.prependListener("unhandledRejection", note);
    try {
      await hdpFailure(reader.anchor());
      await pause(0);
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).to.deep.equal([]);
  });

  it("names the block that was replaced, and by what", async () => {
    const provider = node(chain);
    const reader = new ProvenChainReader(provider, { prove: "require" });
    await reader.header(3n);
    const other = chainOf(12, 9, "0xcc");
    provider.blocks = other;
    const error = await hdpFailure(reader.anchor());
    expect(error.code).to.equal("HDP-4205");
    expect(error.message).to.contain(
      `block 11 was ${head.hash} and is ${other[11]?.hash ?? ""} now`,
    );
    provider.blocks = chainOf(5);
    expect((await hdpFailure(reader.anchor())).message).to.contain("does not exist any more");
  });

  describe("with a second node", () => {
    const over = (
      blocks: readonly (Block | undefined)[],
      second: Node,
      [from, to, increment]: readonly [number, number, number],
    ): ReturnType<typeof anchored> =>
      anchored(task(from, to, increment), { provider: node(blocks), prove: "require", second });

    it("rests on the head where both nodes have it", async () => {
      const { anchor, proven } = await over(chain, node(chain), [0, 9, 3]);
      expect([anchor, proven]).to.deep.equal([
        { kind: "nodes", number: 11n, hash: head.hash },
        true,
      ]);
    });

    it("rests on the last block that was read where the second node is behind", async () => {
      const { anchor } = await over(chain, node(chain.slice(0, 11)), [0, 9, 3]);
      expect(anchor).to.deep.equal({ kind: "nodes", number: 9n, hash: chain[9]?.hash });
    });

    it("rejects an invented block that no neighbour gives away, and another head", async () => {
      for (const wrong of [0, 4, 8, 11]) {
        const blocks = chain.map((real, number) =>
          number === wrong ? block(number, word("ee"), "0xaa") : real,
        );
        const error = await hdpFailure(over(blocks, node(chain), [0, 8, 4]));
        expect([error.code, wrong]).to.deep.equal(["HDP-4207", wrong]);
        expect(error.message).to.contain(
          `block ${wrong} is ${blocks[wrong]?.hash ?? ""}, but the second node has`,
        );
      }
    });

    it("rejects a block that the second node does not have", async () => {
      const error = await hdpFailure(over(chain, node(chain.slice(0, 5)), [0, 8, 4]));
      expect(error.code).to.equal("HDP-4207");
      expect(error.message)
        .to.contain("block 8 is")
        .and.contain("the second node has no such block");
    });

    it("rejects a run where neither node has the last block that was asked for", async () => {
      const second = node(chain.slice(0, 11));
      const reader = new ProvenChainReader(node(chain), { prove: "require", second });
      await reader.header(9n);
      expect((await hdpFailure(reader.header(12n))).code).to.equal("HDP-4101");
      const error = await hdpFailure(reader.anchor());
      expect(error.code).to.equal("HDP-4207");
      expect(error.message).to.contain(
        `block 11 is ${head.hash}, but the second node has no such block`,
      );
    });

    it("asks both for headers alone, and takes no answer of either for no block", async () => {
      const calls: unknown[] = [];
      const recorded = (
        which: string,
        blocks: readonly (Block | undefined)[],
      ): Eip1193Provider => ({
        request: async (call) => {
          calls.push([which, call.method, ...(call.params ?? [])]);
          return (await node(blocks).request(call)) ?? undefined;
        },
      });
      const second = recorded("second", chain.slice(0, 11));
      const reader = new ProvenChainReader(recorded("first", chain), { prove: "require", second });
      await reader.header(3n);
      expect(calls).to.deep.equal([
        ["first", "eth_getBlockByNumber", "latest", false],
        ["first", "eth_getBlockByNumber", "0x3", false],
        ["second", "eth_getBlockByNumber", "0x3", false],
      ]);
      expect((await hdpFailure(reader.header(12n))).code).to.equal("HDP-4101");
      expect(calls.at(-1)).to.deep.equal(["first", "eth_blockNumber"]);
      expect((await hdpFailure(reader.header(11n))).code).to.equal("HDP-4207");
    });

    it("waits for the second node no longer than for the first", async () => {
      const silent: Node = {
        ...node(chain),
        request: async () => await new Promise<never>(() => undefined),
      };
      const reader = new ProvenChainReader(node(chain), {
        prove: "require",
        second: silent,
        timeout: 60,
      });
      const error = await hdpFailure(reader.header(3n));
      expect(error.code).to.equal("HDP-4103");
      expect(error.message).to.contain("no answer to eth_getBlockByNumber within 0.06 s");
    });

    it("stops waiting for the second node after an abort", async () => {
      const silent: Eip1193Provider = {
        request: async () => await new Promise<never>(() => undefined),
      };
      const controller = new AbortController();
      const aborted = new ProvenChainReader(node(chain), {
        second: silent,
        signal: controller.signal,
      });
      const reading = aborted.header(3n).catch((error: unknown) => error);
      setTimeout(() => {
        controller.abort(new Error("enough"));
      }, 5);
      expect(await reading).to.have.property("message", "enough");
    });

    it("asks no second node where nothing is checked", async () => {
      const second = node(chain);
      await anchored(task(0, 3), { provider: node(chain), prove: "never", second });
      expect(second.calls).to.equal(0);
    });
  });

  it("looks at the anchor before it reads the range", async () => {
    for (const prove of ["require", "never"] as const) {
      const provider = node(chain);
      const error = await hdpFailure(evaluate(task(0, 12), { provider, prove }));
      expect(error.code).to.equal("HDP-4101");
      expect(error.message).to.contain(
        "block 12 does not exist, the latest block of the chain is 11",
      );
      expect(provider.calls).to.equal(1);
    }
  });

  describe("with a checkpoint", () => {
    const checkpoint = chain[9]?.hash ?? "0x";
    const over = (
      blocks: readonly (Block | undefined)[],
      from: number,
      to: number,
      increment = 1,
    ): ReturnType<typeof anchored> =>
      anchored(task(from, to, increment), { provider: node(blocks), prove: "require", checkpoint });

    it("rests on the checkpoint, to which everything is linked", async () => {
      for (const [from, to, increment] of [
        [0, 9, 1],
        [9, 9, 1],
        [2, 4, 1],
        [0, 8, 4],
      ] as const) {
        const { anchor, proven } = await over(chain, from, to, increment);
        expect([anchor, proven]).to.deep.equal([
          { kind: "checkpoint", number: 9n, hash: checkpoint },
          true,
        ]);
      }
    });

    it("rejects invented blocks, linked or not, up to the head", async () => {
      for (let fork = 1; fork <= 8; fork += 1) {
        const invented = chainOf(12, fork, "0xaa");
        const mixed = chain.map((real, number) =>
          number >= fork && number !== 9 ? invented[number] : real,
        );
        const error = await hdpFailure(over(mixed, 0, 8, 4));
        expect([error.code, fork]).to.deep.equal(["HDP-4209", fork]);
      }
    });

    it("rejects invented blocks that only the headers in between give away", async () => {
      for (let fork = 1; fork <= 4; fork += 1) {
        const invented = chainOf(12, fork, "0xaa");
        const mixed = chain.map((real, number) =>
          number >= fork && number <= 4 ? invented[number] : real,
        );
        const error = await hdpFailure(over(mixed, 0, 4, 4));
        expect(error.code, String(fork)).to.equal("HDP-4209");
        expect(error.message).to.contain("block 5 does not follow the block below it");
      }
    });

    it("reads every header between the checkpoint and the lowest block that was read once, without bodies", async () => {
      for (const [blocks, walked] of [
        [
          [4n, 6n, 2n],
          [3, 5, 7, 8],
        ],
        [
          [2n, 4n],
          [3, 5, 6, 7, 8],
        ],
        [[8n], []],
        [[9n], []],
        [[7n], [8]],
      ] as const) {
        const provider = node(chain);
        const asked: unknown[] = [];
        const reader = new ProvenChainReader(
          {
            request: (call) => (
              asked.push([call.method, ...(call.params ?? [])]),
              provider.request(call)
            ),
          },
          { prove: "require", checkpoint },
        );
        for (const number of blocks) await reader.header(number);
        asked.length = 0;
        expect(await reader.anchor()).to.deep.equal({
          kind: "checkpoint",
          number: 9n,
          hash: checkpoint,
        });
        expect(asked).to.deep.equal([
          ["eth_getBlockByNumber", "0xb", false],
          ["eth_getBlockByHash", checkpoint, false],
          ...walked.map((number) => ["eth_getBlockByNumber", `0x${number}`, false]),
        ]);
      }
    });

    it("links to the checkpoint over more headers than it reads at once", async () => {
      const long = chainOf(1_203);
      const last = long[1_202]?.hash ?? "0x";
      const linked = (blocks: readonly (Block | undefined)[]) =>
        anchored(task(0, 0), { provider: node(blocks), prove: "require", checkpoint: last });
      expect((await linked(long)).anchor).to.deep.equal({
        kind: "checkpoint",
        number: 1_202n,
        hash: last,
      });
      for (const at of [1, 499, 500, 501, 502, 1_000, 1_001, 1_201]) {
        const error = await hdpFailure(
          linked(long.map((one, number) => (number === at ? undefined : one))),
        );
        expect([error.code, error.message.includes(`block ${at} does not exist`)]).to.deep.equal([
          "HDP-4101",
          true,
        ]);
      }
    });

    it("accepts a checkpoint 20,000 headers away, and none further", async () => {
      const far = async (number: number) => {
        const last = block(number, word("11"));
        const blocks = Object.assign(new Array<Block | undefined>(number + 1), {
          0: chain[0],
          [number]: last,
        });
        return await hdpFailure(
          anchored(task(0, 0), { provider: node(blocks), prove: "require", checkpoint: last.hash }),
        );
      };
      expect((await far(20_001)).message).to.match(/block \d+ does not exist/);
      const error = await far(20_002);
      expect(error.code).to.equal("HDP-4206");
      expect(error.message).to.contain(
        "20001 headers lie between the blocks that were read and block 20002",
      );
    });

    it("must have the hash that it is known by", async () => {
      const provider = node(chain);
      const lying: Eip1193Provider = {
        request: (call) =>
          call.method === "eth_getBlockByHash"
            ? Promise.resolve({ ...block(9, word("11")), hash: checkpoint })
            : provider.request(call),
      };
      const reader = new ProvenChainReader(lying, { prove: "require", checkpoint });
      await reader.header(2n);
      expect((await hdpFailure(reader.anchor())).message).to.contain(
        'block 9 does not match its field "hash"',
      );
    });

    it("refuses a checkpoint that the node does not know", async () => {
      const error = await hdpFailure(over(chainOf(12, 4, "0xaa"), 0, 8));
      expect(error.code).to.equal("HDP-4206");
      expect(error.message).to.contain("the node does not know this block");
    });

    it("refuses a checkpoint for which the node gives another block", async () => {
      const provider = node(chain);
      const lying: Eip1193Provider = {
        request: (call) =>
          call.method === "eth_getBlockByHash" ? Promise.resolve(chain[8]) : provider.request(call),
      };
      const error = await hdpFailure(
        evaluate(task(0, 8), { provider: lying, prove: "require", checkpoint }),
      );
      expect(error.message).to.contain("another block");
    });

    it("binds what was read first, however much follows: a node that lies once cannot tell the truth later", async () => {
      const many = chainOf(32_800);
      const last = many[32_799]?.hash ?? "0x";
      const honest = node(many);
      const lie = block(0, word("00"), "0xaa");
      let asked = 0;
      const provider: Eip1193Provider = {
        request: (call) =>
          call.params?.[0] === "0x0" && (asked += 1) === 1
            ? Promise.resolve(lie)
            : honest.request(call),
      };
      const reader = new ProvenChainReader(provider, { prove: "require", checkpoint: last });
      expect((await reader.header(0n)).value).to.include("0xaa");
      // Not its neighbour, which would give it away.
      const others = Array.from({ length: 32_797 }, (_, number) => BigInt(number + 2));
      await Promise.all(others.map((number) => reader.header(number)));
      const error = await hdpFailure(reader.anchor());
      expect(error.code).to.equal("HDP-4209");
      expect(error.message).to.contain("block 1 does not follow the block below it");
    });

    it("refuses a checkpoint where a later block was read", async () => {
      const reader = new ProvenChainReader(node(chain), { prove: "require", checkpoint });
      for (const number of [10n, 3n]) await reader.header(number);
      expect((await hdpFailure(reader.anchor())).message).to.contain(
        "it is block 9, and block 10 was read",
      );
      const error = await hdpFailure(over(chain, 0, 10));
      expect(error.code).to.equal("HDP-4206");
      expect(error.message).to.contain("it is block 9, and block 10 was read");
    });
  });
});

describe("a reader of proven blocks", () => {
  const long = chainOf(2_065);
  const distinct = (count: number): bigint[] =>
    Array.from({ length: count }, (_, number) => BigInt(number));

  it("reads ahead as many values as its bound, or as the provider says", () => {
    const readAhead = (provider: Eip1193Provider, concurrency?: number): number =>
      new ProvenChainReader(provider, { concurrency }).readAhead;
    expect([readAhead(node(chain)), readAhead(node(chain), 5)]).to.deep.equal([16, 5]);
    expect(readAhead(Object.assign(node(chain), { readAhead: 60 }), 5)).to.equal(60);
  });

  it("leaves no trace of what was read ahead, and finds it there", async () => {
    const provider = node(long);
    const second = node(long.map((one, number) => (number === 4 ? undefined : one)));
    const checkpoint = long[8]?.hash ?? "0x";
    const reader = new ProvenChainReader(provider, { prove: "require", checkpoint, second });
    const ahead = [4n, 5n, 9n, 9_000n].map(async (block) => await reader.ahead.header(block));
    const settled = await Promise.allSettled(ahead);
    expect(settled.map(({ status }) => status)).to.deep.equal([
      "rejected",
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    const before = provider.calls;
    const { value, proven } = await reader.header(5n);
    expect([provider.calls - before, proven, value[8]]).to.deep.equal([0, true, "0x05"]);
    expect(await reader.anchor()).to.deep.equal({
      kind: "checkpoint",
      number: 8n,
      hash: checkpoint,
    });
  });

  it("keeps the last 2,048 headers that it read, or twice as many as it reads ahead", async () => {
    for (const [concurrency, kept] of [
      [16, 2_048],
      [1_030, 2_060],
    ] as const) {
      const provider = node(long);
      const reader = new ProvenChainReader(provider, { concurrency });
      const callsFor = async (block: bigint): Promise<number> => {
        const before = provider.calls;
        await reader.header(block);
        return provider.calls - before;
      };
      for (const block of distinct(kept)) await reader.header(block);
      expect([
        await callsFor(0n),
        await callsFor(BigInt(kept)),
        await callsFor(0n),
        await callsFor(1n),
      ]).to.deep.equal([0, 1, 0, 1]);
    }
  });
});

describe("reads that a node cannot answer", () => {
  const ADDRESS = `0x${"ab".repeat(20)}` as const;

  /** A node of the chain that fails for proofs with a message. */
  function stateless(message: string) {
    const inner = node(chain);
    const provider: Eip1193Provider = {
      request: async (call) => {
        if (call.method === "eth_getProof")
          throw Object.assign(new Error(message), { code: -32_000 });
        return await inner.request(call);
      },
    };
    return provider;
  }
  const MISSING = "missing trie node";

  it("names the head that a block without state is behind of, up to the head itself", async () => {
    for (const [number, behind] of [
      [3n, "8 blocks behind its head 11"],
      [11n, "0 blocks behind its head 11"],
    ] as const) {
      const reader = new ProvenChainReader(stateless(MISSING), { prove: "require" });
      const error = await hdpFailure(reader.account(number, ADDRESS));
      expect(error.code).to.equal("HDP-4208");
      expect(error.message).to.contain(`no state of block ${number}, ${behind},`);
      expect(error.cause).to.be.an("error").with.property("message").that.contains(MISSING);
    }
  });

  it("names no head where the node tells none", async () => {
    const latestFails: Eip1193Provider = {
      request: async (call) => {
        const [which] = call.params ?? [];
        if (call.method === "eth_blockNumber" || which === "latest") throw new Error("busy");
        return await stateless(MISSING).request(call);
      },
    };
    const error = await hdpFailure(
      new ProvenChainReader(latestFails, { prove: "require" }).account(3n, ADDRESS),
    );
    expect(error.code).to.equal("HDP-4208");
    expect(error.message).to.contain("no state of block 3 or no proofs of it");
  });

  it("takes a node that does not have the method for one that cannot prove, not for one without state", async () => {
    const provider = stateless("the method eth_getProof does not exist/is not available");
    const error = await hdpFailure(
      new ProvenChainReader(provider, { prove: "require" }).account(3n, ADDRESS),
    );
    expect(error.code).to.equal("HDP-4204");
  });

  it("says which of two nodes sent a block without a hash", async () => {
    const second: Eip1193Provider = { request: () => Promise.resolve("no block") };
    const error = await hdpFailure(
      anchored(task(2, 9), { provider: node(chain), second, prove: "require" }),
    );
    expect(error.message).to.contain("of the second node");
    const first = node(chain);
    first.before = (calls) => {
      if (calls === 9) first.blocks = Array.from({ length: 12 }, () => "no block" as never);
    };
    const own = await hdpFailure(anchored(task(2, 9), { provider: first, prove: "require" }));
    expect(own.message).to.contain("block 11").and.not.contain("second");
  });

  it("adds the network to the anchor, where it is known", async () => {
    const source = { chain: "ETHEREUM_SEPOLIA", network: "sepolia", chainId: 11155111n } as const;
    const { anchor } = await anchored(task(2, 9), { provider: node(chain), source });
    expect(anchor).to.deep.equal({ kind: "node", number: 11n, hash: head.hash, source });
  });

  it("links blocks to a near checkpoint, however high both are", async () => {
    const from = 15_000;
    const blocks: (Block | undefined)[] = Array.from({ length: from }, () => undefined);
    for (let number = from; number < from + 12; number += 1)
      blocks.push(block(number, blocks.at(-1)?.hash ?? word("01")));
    const checkpoint = blocks.at(-1)?.hash;
    const { anchor } = await anchored(task(from + 2, from + 9), {
      provider: node(blocks),
      checkpoint,
    });
    expect(anchor).to.deep.equal({ kind: "checkpoint", number: 15_011n, hash: checkpoint });
  });
});
