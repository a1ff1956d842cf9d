import { expect } from "chai";
import type { Hex } from "viem";

import type {
  ChainIdentifier,
  Anchor,
  DatalakeComputeTask,
  ModuleTask,
  Task,
} from "../../src/entries/request.js";
import type { Eip1193Provider, ChainReader, ReadersOptions } from "../../src/entries/local.js";
import { toWord } from "../../src/base/hex.js";
import { readerOpener } from "../../src/chain/readers.js";
import {
  type ComputedTask,
  computeRequest,
  type ComputeRequestOptions,
  describeProgress,
  refuseModules,
} from "../../src/compute/compute-request.js";
import { hdpFailure, hdpThrown, rejection } from "../support/failure.js";
import { sharedChain } from "../support/simulated-chain.js";

const MODULE: ModuleTask = { type: "Module", programHash: "0x1", inputs: [] };
const HASH: Hex = `0x${"ab".repeat(32)}`;

function numbers(
  from: number,
  to: number,
  chainId: ChainIdentifier = "ETHEREUM_SEPOLIA",
): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId,
      increment: 1n,
      blockRangeStart: BigInt(from),
      blockRangeEnd: BigInt(to),
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

/** A chain whose header numbers are right, proven up to a block, and gone from another on. */
function recordedReader({
  proven = Infinity,
  gone = Infinity,
}: { proven?: number; gone?: number } = {}): ChainReader {
  const unused = () => Promise.reject(new Error("not asked for"));
  return {
    account: unused,
    storage: unused,
    transaction: unused,
    receipt: unused,
    header: async (block) => {
      if (block >= gone) throw new Error(`no block ${block}`);
      const value = Array.from(
        { length: 16 },
        (): Hex => `0x${block.toString(16).padStart(4, "0")}`,
      );
      return { value, proven: block <= proven };
    },
  };
}

/** The same, which rests on something. */
function readerOf({
  anchor,
  ...options
}: { proven?: number; gone?: number; anchor?: Anchor } = {}): ChainReader {
  return { ...recordedReader(options), anchor: () => Promise.resolve(anchor) };
}

const anchorAt = (number: bigint): Anchor => ({ kind: "node", number, hash: HASH });

type Options = Partial<ComputeRequestOptions & ReadersOptions>;

function compute(tasks: Task[], options: Options = {}): Promise<readonly ComputedTask[]> {
  const readersFor = readerOpener({
    providerFor: () => Promise.reject(new Error("no provider is asked for")),
    readerFor: () => readerOf(),
    concurrency: 4,
    ...options,
  });
  const signal = new AbortController().signal;
  return computeRequest(tasks, { readersFor, signal, onProgress: () => undefined, ...options });
}

describe("the tasks of a request", () => {
  it("computes tasks in their order, each with its own samples and proofs", async () => {
    const computed = await compute([numbers(1, 3), numbers(5, 6), numbers(4, 4)], {
      readerFor: () => readerOf({ proven: 5 }),
    });
    expect(computed).to.deep.equal([
      { word: toWord(6n), samples: 3, elements: 3n, proven: true },
      { word: toWord(11n), samples: 2, elements: 2n, proven: false },
      { word: toWord(4n), samples: 1, elements: 1n, proven: true },
    ]);
  });

  it("share one reader a chain, and each has its chain's anchor", async () => {
    const asked: ChainIdentifier[] = [];
    const anchors: Partial<Record<ChainIdentifier, Anchor>> = {
      ETHEREUM_SEPOLIA: anchorAt(7n),
      ETHEREUM_MAINNET: anchorAt(9n),
    };
    const computed = await compute(
      [
        numbers(1, 1),
        numbers(2, 2, "ETHEREUM_MAINNET"),
        numbers(3, 3),
        numbers(4, 4, "OPTIMISM_MAINNET"),
      ],
      {
        readerFor: (chain) => {
          asked.push(chain);
          const anchor = anchors[chain];
          return readerOf(anchor === undefined ? {} : { anchor });
        },
      },
    );
    expect(asked).to.deep.equal(["ETHEREUM_SEPOLIA", "ETHEREUM_MAINNET", "OPTIMISM_MAINNET"]);
    expect(computed.map(({ anchor }) => anchor)).to.deep.equal([
      anchorAt(7n),
      anchorAt(9n),
      anchorAt(7n),
      undefined,
    ]);
    expect(computed[3]).not.to.have.property("anchor");
  });

  it("computes no task where a program is not known, or a range ends after the head", async () => {
    const read: bigint[] = [];
    const reader: ChainReader = {
      ...readerOf(),
      header: async (block) => {
        read.push(block);
        return await readerOf().header(block);
      },
      latestBlock: () => Promise.resolve(9n),
    };
    const runModule = Object.assign(async () => ({ word: toWord(5n), proven: true }), {
      requireProgram: (task: ModuleTask) =>
        task.programHash === "0x1"
          ? Promise.resolve()
          : Promise.reject(new Error(`no ${task.programHash}`)),
    });
    const options = { readerFor: () => reader, runModule };
    const late = await hdpFailure(compute([numbers(1, 9), MODULE, numbers(8, 10)], options));
    expect([late.code, late.path]).to.deep.equal(["HDP-4101", "tasks[2].datalake.blockRangeEnd"]);
    const unknown = compute([numbers(1, 9), { ...MODULE, programHash: "0x2" }], options);
    expect(String(await rejection(unknown))).to.equal("Error: no 0x2");
    expect(read).to.deep.equal([]);
    expect(await compute([MODULE, numbers(9, 9)], options)).to.deep.equal([
      { word: toWord(5n), proven: true },
      { word: toWord(9n), samples: 1, elements: 1n, proven: true },
    ]);
    expect(read).to.deep.equal([9n]);
  });

  it("that are modules have what they returned and how they ran, where the runner reports it", async () => {
    const result = {
      rule: "value",
      outputRoot: HASH,
      generation: "2024-10-24",
      steps: 9,
      reads: 0,
      blocks: [],
    } as const;
    const word = toWord(5n);
    for (const [outcome, computed] of [
      [
        { word, proven: true },
        { word, proven: true },
      ],
      [
        { word, proven: false, output: [] },
        { word, proven: false, output: [] },
      ],
      [
        { word, proven: true, module: result },
        { word, proven: true, module: result },
      ],
    ] as const) {
      expect(await compute([MODULE], { runModule: () => Promise.resolve(outcome) })).to.deep.equal([
        computed,
      ]);
    }
  });

  it("that are modules have no anchor where they read recorded data of another chain too", async () => {
    const runModule: ComputeRequestOptions["runModule"] = async (_task, { readerFor }) => {
      await readerFor("ETHEREUM_SEPOLIA");
      await readerFor("ETHEREUM_MAINNET");
      return { word: toWord(5n), proven: true };
    };
    const recorded = recordedReader();
    for (const other of [recorded, readerOf(), readerOf({ anchor: anchorAt(9n) })]) {
      const readerFor = (chain: ChainIdentifier) =>
        chain === "ETHEREUM_SEPOLIA" ? readerOf({ anchor: anchorAt(7n) }) : other;
      expect(await compute([MODULE], { readerFor, runModule })).to.deep.equal([
        { word: toWord(5n), proven: true },
      ]);
    }
    expect((await compute([numbers(1, 1)], { readerFor: () => recorded }))[0]).not.to.have.property(
      "anchor",
    );
  });

  it("that are modules have the anchor of the one chain that was read, or none", async () => {
    const runModule: ComputeRequestOptions["runModule"] = async (_task, { readerFor }) => {
      await readerFor("ETHEREUM_SEPOLIA");
      return { word: toWord(5n), proven: false, output: [5n] };
    };
    const readerFor = () => readerOf({ anchor: anchorAt(7n) });
    const [alone] = await compute([MODULE], { readerFor, runModule });
    expect(alone).to.deep.equal({
      word: toWord(5n),
      proven: false,
      output: [5n],
      anchor: anchorAt(7n),
    });
    const [beside] = await compute([MODULE, numbers(1, 1, "ETHEREUM_MAINNET")], {
      readerFor,
      runModule,
    });
    expect(beside).to.deep.equal({ word: toWord(5n), proven: false, output: [5n] });
    const [nothing] = await compute([MODULE], { readerFor: () => readerOf(), runModule });
    expect(nothing).to.deep.equal({ word: toWord(5n), proven: false, output: [5n] });
  });

  it("stop with the first that fails: the others' signal is aborted", async () => {
    let stopped: AbortSignal | undefined;
    const work = compute([MODULE, numbers(1, 9)], {
      readerFor: () => readerOf({ gone: 4 }),
      runModule: (_task, { signal }) => {
        stopped = signal;
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    });
    expect(String(await rejection(work))).to.equal("Error: no block 4");
    expect(stopped?.aborted).to.equal(true);
    expect(String(stopped?.reason)).to.equal("Error: no block 4");
  });

  it("stop with the caller's signal", async () => {
    const signal = AbortSignal.abort(new Error("not wanted any more"));
    expect(String(await rejection(compute([numbers(1, 9)], { signal })))).to.equal(
      "Error: not wanted any more",
    );
  });

  it("report every hundredth part of all samples together", async () => {
    const told = async (...tasks: Task[]): Promise<string[]> => {
      const lines: string[] = [];
      await compute(tasks, { onProgress: (line) => lines.push(line) });
      return lines;
    };
    expect(await told(numbers(1, 2), numbers(1, 1))).to.deep.equal([
      "1 of 3 sampled",
      "2 of 3 sampled",
      "3 of 3 sampled",
    ]);
    const many = await told(numbers(1, 300), numbers(1, 150));
    expect([many.length, many[0], many.at(-1)]).to.deep.equal([
      112,
      "4 of 450 sampled",
      "448 of 450 sampled",
    ]);
    expect(await told(numbers(1, 199))).to.have.length(199);
    expect(await told(numbers(1, 200))).to.have.length(100);
  });
});

describe("the tasks of a request over a node", () => {
  let simulated: Eip1193Provider;
  before(async () => {
    simulated = await sharedChain();
  });

  /** The simulated chain, which counts calls and keeps each under way for a turn. */
  function counting() {
    const node = {
      calls: [] as string[],
      inFlight: 0,
      most: 0,
      request: async (args: Parameters<Eip1193Provider["request"]>[0]) => {
        node.calls.push([args.method, ...(args.params ?? [])].join(" "));
        node.most = Math.max(node.most, (node.inFlight += 1));
        await new Promise((resolve) => setImmediate(resolve));
        node.inFlight -= 1;
        return await simulated.request(args);
      },
    };
    return node;
  }
  const over = (provider: Eip1193Provider, options: Options = {}) => ({
    providerFor: () => provider,
    readerFor: undefined,
    ...options,
  });
  const sum = { word: toWord(10n), samples: 4, elements: 4n, proven: true };
  const anchorOf = async (kind: Anchor["kind"], block: string) => {
    const { number, hash } = (await simulated.request({
      method: "eth_getBlockByNumber",
      params: [block, false],
    })) as { number: Hex; hash: Hex };
    return { kind, number: BigInt(number), hash };
  };

  it("proves tasks up to the head, whether there is no other reader or none for the chain", async () => {
    const anchor = await anchorOf("node", "latest");
    for (const readerFor of [undefined, () => undefined, () => Promise.resolve(undefined)]) {
      const computed = await compute([numbers(1, 4)], over(counting(), { readerFor }));
      expect(computed).to.deep.equal([{ ...sum, anchor }]);
    }
    const asked = counting();
    const others = await compute([numbers(1, 4)], over(asked, { readerFor: () => readerOf() }));
    expect([others, asked.calls]).to.deep.equal([[sum], []]);
  });

  it("proves tasks up to the chain's checkpoint, or to what a second node has too", async () => {
    const checkpoint = await anchorOf("checkpoint", "0x6");
    const checkpointFor = (chain: ChainIdentifier) =>
      chain === "ETHEREUM_SEPOLIA" ? checkpoint.hash : undefined;
    expect(await compute([numbers(1, 4)], over(counting(), { checkpointFor }))).to.deep.equal([
      { ...sum, anchor: checkpoint },
    ]);
    const second = counting();
    const secondFor = async (chain: ChainIdentifier) =>
      chain === "ETHEREUM_SEPOLIA" ? second : undefined;
    expect(await compute([numbers(1, 4)], over(counting(), { secondFor }))).to.deep.equal([
      { ...sum, anchor: await anchorOf("nodes", "latest") },
    ]);
    expect(second.calls).to.include("eth_getBlockByNumber 0x4 false");
    const elsewhere = await compute(
      [numbers(1, 4, "ETHEREUM_MAINNET")],
      over(counting(), { checkpointFor, secondFor }),
    );
    expect(elsewhere).to.deep.equal([{ ...sum, anchor: await anchorOf("node", "latest") }]);
  });

  it("computes tasks unproven, resting on nothing, where proofs are not wanted", async () => {
    expect(await compute([numbers(1, 4)], over(counting(), { prove: "never" }))).to.deep.equal([
      { ...sum, proven: false },
    ]);
  });

  it("sends at most `concurrency` calls to a node at a time, over all tasks together", async () => {
    for (const width of [1, 3]) {
      const node = counting();
      await compute([numbers(1, 4), numbers(5, 8)], over(node, { concurrency: width }));
      expect(node.most).to.equal(width);
    }
  });

  it("end with the caller's signal, though the node gives no answer", async () => {
    const stopping = new AbortController();
    const silent: Eip1193Provider = {
      request: () => {
        setImmediate(() => stopping.abort(new Error("not wanted any more")));
        return new Promise(() => undefined);
      },
    };
    const work = compute([numbers(1, 4)], over(silent, { signal: stopping.signal }));
    expect(String(await rejection(work))).to.equal("Error: not wanted any more");
  });
});

describe("what is said of a computation", () => {
  const datalake = { word: HASH, samples: 3, elements: 3n, proven: true };
  const module = (reads: number, rule: "value" | "output-root" = "output-root"): ComputedTask => ({
    word: HASH,
    proven: true,
    module: { rule, outputRoot: HASH, generation: "2024-10-24", steps: 1204, reads, blocks: [] },
  });

  it("says how much was sampled and run, and whether all of it is proven", () => {
    expect(describeProgress([datalake])).to.equal("3 of 3, all proven");
    expect(describeProgress([datalake, { ...datalake, proven: false }])).to.equal(
      "6 of 6, not all proven",
    );
    expect(describeProgress([{ ...datalake, elements: 4n }])).to.equal(
      "3 of 4 (the others are of excluded types), all proven",
    );
    expect(describeProgress([{ ...datalake, samples: 0 }])).to.equal(
      "0 of 3 (the others are of excluded types), all proven",
    );
    expect(describeProgress([module(4)])).to.equal("1,204 steps, 4 reads, output root, all proven");
    expect(describeProgress([module(1, "value")])).to.equal(
      "1,204 steps, 1 read, raw value, all proven",
    );
    expect(describeProgress([module(2000), datalake])).to.equal(
      "3 of 3, 1,204 steps, 2,000 reads, output root, all proven",
    );
    expect(describeProgress([{ word: HASH, proven: false }])).to.equal("not all proven");
  });

  it("names the first module where there is no runner for it", () => {
    refuseModules([numbers(1, 1)]);
    refuseModules([]);
    for (const [tasks, path] of [
      [[MODULE], "tasks[0]"],
      [[numbers(1, 1), MODULE, MODULE], "tasks[1]"],
    ] as const) {
      const error = hdpThrown(() => refuseModules(tasks));
      expect([error.code, error.path]).to.deep.equal(["HDP-4401", path]);
    }
  });

  it("never takes a module's word that nothing ran", async () => {
    expect(String(await rejection(compute([MODULE])))).to.contain("without a module runner");
  });
});
