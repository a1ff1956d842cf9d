import { expect } from "chai";
import type { Hex } from "viem";

import { Limiter } from "../../src/base/limiter.js";
import { toWord } from "../../src/base/word.js";
import type { ChainReader } from "../../src/chain/chain-reader.js";
import {
  type ComputedTask,
  computeRequest,
  type ComputeRequestOptions,
  describeProgress,
  refuseModules,
} from "../../src/compute/compute-request.js";
import type { ChainIdentifier } from "../../src/request/chains.js";
import type { Anchor } from "../../src/request/lifecycle.js";
import type { DatalakeComputeTask, ModuleTask, Task } from "../../src/request/task.js";
import { hdpThrown, rejection } from "../support/failure.js";

const MODULE: ModuleTask = { type: "Module", programHash: "0x1", inputs: [] };
const HASH: Hex = `0x${"ab".repeat(32)}`;

function numbers(from: number, to: number, chainId: ChainIdentifier = "ETHEREUM_SEPOLIA"): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      ...{ type: "BlockSampled", chainId, increment: 1n },
      ...{ blockRangeStart: BigInt(from), blockRangeEnd: BigInt(to) },
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

/** A chain whose header numbers are right, proven up to a block, and gone from another on. */
function readerOf({
  proven = Infinity,
  gone = Infinity,
  anchor,
}: { proven?: number; gone?: number; anchor?: Anchor } = {}) {
  const unused = () => Promise.reject(new Error("not asked for"));
  const reader: ChainReader = {
    ...{ account: unused, storage: unused, transaction: unused, receipt: unused, transactionCount: unused },
    header: async (block) => {
      if (block >= gone) throw new Error(`no block ${block}`);
      const value = Array.from({ length: 16 }, (): Hex => `0x${block.toString(16).padStart(4, "0")}`);
      return { value, proven: block <= proven };
    },
    anchor: () => Promise.resolve(anchor),
  };
  return reader;
}

const anchorAt = (number: bigint): Anchor => ({ kind: "node", number, hash: HASH });

function compute(tasks: Task[], options: Partial<ComputeRequestOptions> = {}): Promise<readonly ComputedTask[]> {
  return computeRequest(
    { destinationChainId: "ETHEREUM_SEPOLIA", tasks },
    {
      providerFor: () => Promise.reject(new Error("no provider is asked for")),
      readerFor: () => readerOf(),
      limiter: new Limiter(4),
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    },
  );
}

describe("the tasks of a request", () => {
  it("are computed in their order, each with its own samples and proofs", async () => {
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
      [numbers(1, 1), numbers(2, 2, "ETHEREUM_MAINNET"), numbers(3, 3), numbers(4, 4, "OPTIMISM_MAINNET")],
      {
        readerFor: (chain) => {
          asked.push(chain);
          const anchor = anchors[chain];
          return readerOf(anchor === undefined ? {} : { anchor });
        },
      },
    );
    expect(asked).to.deep.equal(["ETHEREUM_SEPOLIA", "ETHEREUM_MAINNET", "OPTIMISM_MAINNET"]);
    expect(computed.map(({ anchor }) => anchor)).to.deep.equal([anchorAt(7n), anchorAt(9n), anchorAt(7n), undefined]);
    expect(computed[3]).not.to.have.property("anchor");
  });

  it("that are modules have the anchor of the one chain that was read, or none", async () => {
    const runModule: ComputeRequestOptions["runModule"] = async (_task, { readerFor }) => {
      await readerFor("ETHEREUM_SEPOLIA");
      return { word: toWord(5n), proven: false, output: [5n] };
    };
    const readerFor = () => readerOf({ anchor: anchorAt(7n) });
    const [alone] = await compute([MODULE], { readerFor, runModule });
    expect(alone).to.deep.equal({ word: toWord(5n), proven: false, output: [5n], anchor: anchorAt(7n) });
    const [beside] = await compute([MODULE, numbers(1, 1, "ETHEREUM_MAINNET")], { readerFor, runModule });
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
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      },
    });
    expect(String(await rejection(work))).to.equal("Error: no block 4");
    expect(stopped?.aborted).to.equal(true);
    expect(String(stopped?.reason)).to.equal("Error: no block 4");
  });

  it("stop with the caller's signal", async () => {
    const signal = AbortSignal.abort(new Error("not wanted any more"));
    expect(String(await rejection(compute([numbers(1, 9)], { signal })))).to.equal("Error: not wanted any more");
  });

  it("tell of every hundredth part of all samples together", async () => {
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
    expect([many.length, many[0], many.at(-1)]).to.deep.equal([112, "4 of 450 sampled", "448 of 450 sampled"]);
    expect(await told(numbers(1, 199))).to.have.length(199);
    expect(await told(numbers(1, 200))).to.have.length(100);
  });
});

describe("what is said of a computation", () => {
  const datalake = { word: HASH, samples: 3, elements: 3n, proven: true };
  const module = (reads: number, rule: "value" | "output-root" = "output-root"): ComputedTask => ({
    ...{ word: HASH, proven: true },
    module: { rule, outputRoot: HASH, generation: "2024-10-24", steps: 1204, reads },
  });

  it("is how much was sampled and run, and whether all of it is proven", () => {
    expect(describeProgress([datalake])).to.equal("3 of 3, all proven");
    expect(describeProgress([datalake, { ...datalake, proven: false }])).to.equal("6 of 6, not all proven");
    expect(describeProgress([{ ...datalake, elements: 4n }])).to.equal(
      "3 of 4 (the others are of excluded types), all proven",
    );
    expect(describeProgress([{ ...datalake, samples: 0 }])).to.equal(
      "0 of 3 (the others are of excluded types), all proven",
    );
    expect(describeProgress([module(4)])).to.equal("1,204 steps, 4 reads, output root, all proven");
    expect(describeProgress([module(1, "value")])).to.equal("1,204 steps, 1 read, raw value, all proven");
    expect(describeProgress([module(2000), datalake])).to.equal(
      "3 of 3, 1,204 steps, 2,000 reads, output root, all proven",
    );
    expect(describeProgress([{ word: HASH, proven: false }])).to.equal("not all proven");
  });

  it("names the first module where there is no runner for it", () => {
    refuseModules({ tasks: [numbers(1, 1)] });
    refuseModules({ tasks: [] });
    for (const [tasks, path] of [
      [[MODULE], "tasks[0]"],
      [[numbers(1, 1), MODULE, MODULE], "tasks[1]"],
    ] as const) {
      const error = hdpThrown(() => refuseModules({ tasks }));
      expect([error.code, error.path]).to.deep.equal(["HDP-4401", path]);
    }
  });

  it("is never a module's word that nothing ran", async () => {
    expect(String(await rejection(compute([MODULE])))).to.contain("without a module runner");
  });
});
