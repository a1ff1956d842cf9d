import { expect } from "chai";
import type { Hex } from "viem";

import {
  visitedElements,
  type BlockProperty,
  type BlockSampled,
  type IncludedTypes,
  type TransactionsInBlock,
} from "../../src/entries/request.js";
import {
  type ChainReader,
  evaluateWith,
  type Sample,
  type SampleOptions,
} from "../../src/entries/local.js";
import { encodeRlp } from "../../src/base/rlp.js";
import { requireLastBlock, takeSamples } from "../../src/compute/samples.js";
import { hdpFailure, rejection } from "../support/failure.js";

const NONE: IncludedTypes = { legacy: false, eip2930: false, eip1559: false, eip4844: false };
const ALL: IncludedTypes = { legacy: true, eip2930: true, eip1559: true, eip4844: true };
const OWNER = `0x${"11".repeat(20)}` as const;
const WORD: Hex = `0x${"22".repeat(32)}`;

const blocks = (
  from: number,
  to: number,
  increment = 1,
  property?: BlockProperty,
): BlockSampled => ({
  type: "BlockSampled",
  chainId: "ETHEREUM_SEPOLIA",
  blockRangeStart: BigInt(from),
  blockRangeEnd: BigInt(to),
  increment: BigInt(increment),
  sampledProperty: property ?? { kind: "header", field: "number" },
});
const transactions = (
  from: number | bigint,
  to: number | bigint,
  change: Partial<TransactionsInBlock> = {},
): TransactionsInBlock => ({
  type: "TransactionsInBlock",
  chainId: "ETHEREUM_SEPOLIA",
  targetBlock: 9n,
  includedTypes: ALL,
  startIndex: BigInt(from),
  endIndex: BigInt(to),
  increment: 1n,
  sampledProperty: { kind: "tx", field: "nonce" },
  ...change,
});

/** A header whose number is that of the block. */
const header = (block: bigint): Hex[] =>
  Array.from({ length: 16 }, (_, at): Hex =>
    at === 8 ? `0x${block.toString(16).padStart(4, "0")}` : "0x",
  );
/** A transaction of a type with a nonce, as far as it is read. */
const transaction = (type: number, nonce: number): Hex => {
  const item: Hex = `0x${nonce.toString(16).padStart(2, "0")}`;
  return type === 0
    ? encodeRlp([item, ...Array.from({ length: 8 }, (): Hex => "0x")])
    : `0x0${type}${encodeRlp(["0x01", item]).slice(2)}`;
};

interface Fake extends ChainReader {
  readonly read: (bigint | number)[];
  inFlight: number;
  most: number;
}

/** A chain whose blocks and transactions of chosen numbers are unproven, fail, or are of chosen types. */
function chain(
  {
    unproven = [],
    fails = [],
    types = [],
  }: Partial<Record<"unproven" | "fails" | "types", readonly number[]>> = {},
  readAhead?: number,
): Fake {
  const answer = async <T>(at: bigint | number, value: T) => {
    fake.read.push(at);
    fake.most = Math.max(fake.most, (fake.inFlight += 1));
    await new Promise((resolve) => setImmediate(resolve));
    fake.inFlight -= 1;
    if (fails.includes(Number(at))) throw new Error(`no ${at}`);
    return { value, proven: !unproven.includes(Number(at)) };
  };
  const fake: Fake = {
    read: [],
    inFlight: 0,
    most: 0,
    readAhead,
    header: (block) => answer(block, header(block)),
    account: (block) =>
      answer(block, { nonce: block, balance: 2n * block, storageRoot: WORD, codeHash: WORD }),
    storage: (block) => answer(block, 3n * block),
    transaction: (_block, index) => answer(index, transaction(types[index] ?? 0, index)),
    receipt: (_block, index) =>
      answer(index, encodeRlp(["0x01", `0x${index.toString(16).padStart(2, "0")}`, "0x", []])),
  };
  return fake;
}

async function samples(
  reader: ChainReader,
  datalake: BlockSampled | TransactionsInBlock,
  options: SampleOptions = {},
): Promise<Sample[]> {
  const taken: Sample[] = [];
  await takeSamples(reader, datalake, options, (sample) => taken.push(sample));
  return taken;
}

describe("the elements of a datalake", () => {
  it("of blocks are those from start to end, both included, in steps", async () => {
    for (const [from, to, increment, expected] of [
      [3, 3, 1, [3n]],
      [3, 6, 1, [3n, 4n, 5n, 6n]],
      [3, 7, 2, [3n, 5n, 7n]],
      [3, 8, 2, [3n, 5n, 7n]],
      [3, 5, 7, [3n]],
      [0, 1, 1, [0n, 1n]],
      [4, 3, 1, []],
      [4, 3, 2, []],
    ] as const) {
      const datalake = blocks(from, to, increment);
      expect((await samples(chain(), datalake)).map(({ value }) => value)).to.deep.equal(expected);
      expect(visitedElements(datalake).count, `${from} to ${to}`).to.equal(BigInt(expected.length));
    }
  });

  it("of a block are the indices from start to before the end, in steps", async () => {
    for (const [from, to, increment, expected] of [
      [0, 1, 1, [0]],
      [1, 4, 1, [1, 2, 3]],
      [1, 5, 2, [1, 3]],
      [1, 6, 2, [1, 3, 5]],
      [2, 2, 1, []],
      [2, 2, 2, []],
      [3, 2, 1, []],
    ] as const) {
      const datalake = transactions(from, to, { increment: BigInt(increment) });
      const taken = await samples(chain(), datalake);
      expect(taken).to.deep.equal(
        expected.map((index) => ({ index, value: BigInt(index), proven: true })),
      );
      expect(visitedElements(datalake).count, `${from} to ${to}`).to.equal(BigInt(expected.length));
    }
  });

  it("end at the index that 32 bits hold", async () => {
    const last = 0xffff_ffff;
    expect(
      await samples(
        chain(),
        transactions(last, last + 1, { sampledProperty: { kind: "tx", field: "gas_limit" } }),
      ),
    ).to.have.length(1);
    const error = await hdpFailure(samples(chain(), transactions(last + 1, last + 2)));
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4301",
      "block 9 has no transaction 4294967296: it has fewer than 4294967296.",
    ]);
  });

  it("end at the chain's latest block, which may be the last one", async () => {
    const at = (latest: bigint | undefined): ChainReader => ({
      ...chain(),
      latestBlock: () => Promise.resolve(latest),
    });
    for (const [datalake, last, key] of [
      [blocks(3, 8), 8n, "blockRangeEnd"],
      [transactions(0, 1), 9n, "targetBlock"],
    ] as const) {
      await requireLastBlock(chain(), datalake);
      for (const latest of [undefined, last, last + 1n])
        await requireLastBlock(at(latest), datalake, "tasks[0]");
      for (const [path, place] of [
        ["tasks[0].datalake", `tasks[0].datalake.${key}`],
        [undefined, undefined],
      ] as const) {
        const error = await hdpFailure(requireLastBlock(at(last - 1n), datalake, path));
        expect([error.code, error.path]).to.deep.equal(["HDP-4101", place]);
        expect(error.message).to.contain(
          `block ${last} does not exist, the latest block of the chain is ${last - 1n}`,
        );
      }
    }
  });

  it("samples the included types only, each chosen by itself, and never a later one", async () => {
    const types = [0, 1, 2, 3, 4, 2];
    const of = async (included: IncludedTypes) =>
      (await samples(chain({ types }), transactions(0, 6, { includedTypes: included }))).map(
        (one) => Number(one.value),
      );
    expect(await of(ALL)).to.deep.equal([0, 1, 2, 3, 5]);
    expect(await of({ ...NONE, legacy: true })).to.deep.equal([0]);
    expect(await of({ ...NONE, eip2930: true })).to.deep.equal([1]);
    expect(await of({ ...NONE, eip1559: true })).to.deep.equal([2, 5]);
    expect(await of({ ...NONE, eip4844: true })).to.deep.equal([3]);
    expect(await of(NONE)).to.deep.equal([]);
    // What is visited does not depend on it.
    expect(visitedElements(transactions(0, 6, { includedTypes: NONE })).count).to.equal(6n);
  });
});

describe("the samples of a datalake", () => {
  const properties: readonly (readonly [BlockProperty, bigint])[] = [
    [{ kind: "header", field: "number" }, 5n],
    [{ kind: "account", address: OWNER, field: "nonce" }, 5n],
    [{ kind: "account", address: OWNER, field: "balance" }, 10n],
    [{ kind: "storage", address: OWNER, slot: WORD }, 15n],
  ];
  for (const [property, value] of properties) {
    it(`of ${property.kind} say whether each is proven`, async () => {
      const taken = await samples(chain({ unproven: [5] }), blocks(4, 6, 1, property));
      expect(taken.map(({ proven }) => proven)).to.deep.equal([true, false, true]);
      expect(taken[1]).to.deep.equal({ block: 5n, value, proven: false });
    });
  }

  it("of transactions and receipts do too", async () => {
    for (const property of [
      { kind: "tx", field: "nonce" },
      { kind: "tx_receipt", field: "cumulative_gas_used" },
    ] as const) {
      const taken = await samples(
        chain({ unproven: [2] }),
        transactions(1, 4, { sampledProperty: property }),
      );
      expect(taken).to.deep.equal([
        { index: 1, value: 1n, proven: true },
        { index: 2, value: 2n, proven: false },
        { index: 3, value: 3n, proven: true },
      ]);
    }
  });

  it("of a receipt from before Byzantium are refused by its place", async () => {
    const receipt = encodeRlp([WORD, "0x05", "0x", []]);
    const old = { ...chain(), receipt: () => Promise.resolve({ value: receipt, proven: true }) };
    const error = await hdpFailure(
      samples(
        old,
        transactions(3, 4, { sampledProperty: { kind: "tx_receipt", field: "success" } }),
      ),
    );
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4304",
      "receipt 3 of block 9 has a state root in place of success: its block is from before the Byzantium fork.",
    ]);
    const typed = { ...chain({ types: [0, 0, 0, 4] }) };
    const of = { ...ALL, legacy: true };
    const price = transactions(1, 2, {
      includedTypes: of,
      sampledProperty: { kind: "tx", field: "max_fee_per_gas" },
    });
    expect((await hdpFailure(samples(typed, price))).shortMessage).to.match(
      /^transaction 1 of block 9 has type 0/,
    );
  });

  it("make a task proven where every one is, and unproven where any one is not", async () => {
    const evaluated = (unproven: readonly number[]) =>
      evaluateWith(chain({ unproven }), {
        type: "DatalakeCompute",
        datalake: blocks(1, 3),
        compute: { aggregateFnId: "sum" },
      });
    expect(await evaluated([])).to.deep.equal({ value: 6n, samples: 3, proven: true });
    expect(await evaluated([4])).to.deep.equal({ value: 6n, samples: 3, proven: true });
    for (const one of [[1], [2], [3], [1, 2, 3]]) {
      expect(await evaluated(one)).to.deep.equal({ value: 6n, samples: 3, proven: false });
    }
  });

  it("reports samples with what they aggregate to", async () => {
    const seen: unknown[] = [];
    const task = {
      type: "DatalakeCompute",
      datalake: blocks(1, 5, 2),
      compute: { aggregateFnId: "max" },
    } as const;
    await evaluateWith(chain(), task, {
      onSample: (sample, aggregate) => seen.push([sample.value, aggregate.result()]),
    });
    expect(seen).to.deep.equal([
      [1n, 1n],
      [3n, 3n],
      [5n, 5n],
    ]);
  });

  it("reads ahead as many samples as may be, at least one and whole ones", async () => {
    for (const [concurrency, readAhead, most] of [
      [1, undefined, 1],
      [3, undefined, 3],
      [3, 2, 3],
      [3, 5, 5],
      [0, undefined, 1],
      [2.9, undefined, 2],
      [undefined, undefined, 16],
      [30, undefined, 20],
    ] as const) {
      const reader = chain({}, readAhead);
      expect(await samples(reader, blocks(1, 20), { concurrency })).to.have.length(20);
      expect(reader.most, `${concurrency} and ${readAhead}`).to.equal(most);
      expect(reader.read).to.deep.equal(Array.from({ length: 20 }, (_, at) => BigInt(at + 1)));
    }
  });

  it("come up to the one that fails, whatever was read ahead", async () => {
    const seen: bigint[] = [];
    const error = await rejection(
      evaluateWith(chain({ fails: [3, 5] }), sum(1, 9), {
        concurrency: 4,
        onSample: ({ value }) => seen.push(value),
      }),
    );
    expect(seen).to.deep.equal([1n, 2n]);
    expect(String(error)).to.equal("Error: no 3");
  });

  it("end with the signal: nothing is read after it", async () => {
    const reader = chain();
    const before = AbortSignal.abort(new Error("not wanted"));
    expect(String(await rejection(samples(reader, blocks(1, 9), { signal: before })))).to.equal(
      "Error: not wanted",
    );
    expect(reader.read).to.deep.equal([]);
    const stopping = new AbortController();
    const seen: bigint[] = [];
    const error = await rejection(
      evaluateWith(reader, sum(1, 9), {
        concurrency: 2,
        signal: stopping.signal,
        onSample: ({ value }) => {
          seen.push(value);
          if (value === 3n) stopping.abort(new Error("enough"));
        },
      }),
    );
    expect(String(error)).to.equal("Error: enough");
    expect(seen).to.deep.equal([1n, 2n, 3n]);
    expect(reader.read).to.deep.equal([1n, 2n, 3n, 4n]);
  });
});

/** A chain whose headers come when they are let through, in the order of the blocks or not. */
function gated(fails: readonly bigint[] = []) {
  const [asked, open] = [[] as bigint[], new Map<bigint, () => void>()];
  const reader: ChainReader = {
    ...chain(),
    header: async (block) => {
      asked.push(block);
      await new Promise<void>((resolve) => open.set(block, resolve));
      if (fails.includes(block)) throw new Error(`no ${block}`);
      return { value: header(block), proven: true };
    },
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const answer = async (...blocks: readonly bigint[]): Promise<void> => {
    for (const block of blocks) open.get(block)?.();
    await turns();
  };
  return { reader, asked, answer };
}

const sum = (from: number, to: number) =>
  ({
    type: "DatalakeCompute",
    datalake: blocks(from, to),
    compute: { aggregateFnId: "sum" },
  }) as const;

const take = async (reader: ChainReader, onValue: (value: bigint) => void) =>
  await evaluateWith(reader, sum(1, 9), {
    concurrency: 3,
    onSample: ({ value }) => onValue(value),
  });

describe("reading ahead of a task", () => {
  it("goes on with each that came, not with whole batches, and not past a slow one", async () => {
    const { reader, asked, answer } = gated();
    const taken: bigint[] = [];
    const work = take(reader, (value) => taken.push(value));
    await answer();
    expect([asked, taken]).to.deep.equal([[1n, 2n, 3n], []]);
    await answer(1n);
    expect([asked, taken]).to.deep.equal([[1n, 2n, 3n, 4n], [1n]]);
    await answer(3n, 4n);
    expect([asked, taken]).to.deep.equal([[1n, 2n, 3n, 4n], [1n]]);
    await answer(2n);
    expect([asked, taken]).to.deep.equal([
      [1n, 2n, 3n, 4n, 5n, 6n, 7n],
      [1n, 2n, 3n, 4n],
    ]);
    await answer(5n, 6n, 7n);
    await answer(8n, 9n);
    await work;
    expect([asked.at(-1), taken.at(-1)]).to.deep.equal([9n, 9n]);
  });

  it("begins nothing more once one failed, and says so in its turn", async () => {
    const { reader, asked, answer } = gated([2n]);
    const taken: bigint[] = [];
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => void unhandled.push(reason);
    process.prependListener("unhandledRejection", listener);
    try {
      const work = rejection(take(reader, (value) => taken.push(value)));
      await answer();
      await answer(2n);
      await answer(1n);
      expect(String(await work)).to.equal("Error: no 2");
      await answer(3n);
      expect([asked, taken, unhandled]).to.deep.equal([[1n, 2n, 3n], [1n], []]);
    } finally {
      process.removeListener("unhandledRejection", listener);
    }
  });

  it("begins nothing more once the taker had enough", async () => {
    const { reader, asked, answer } = gated();
    const work = rejection(
      take(reader, () => {
        throw new Error("enough");
      }),
    );
    await answer();
    await answer(1n);
    expect(String(await work)).to.equal("Error: enough");
    await answer(2n, 3n);
    expect(asked).to.deep.equal([1n, 2n, 3n]);
  });
});
