import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { expect } from "chai";

import {
  type SubmissionPart,
  type TaskStatus,
  taskHash,
  type DatalakeComputeTask,
  type ModuleTask,
  type TaskRequest,
  type TaskWord,
} from "../../src/entries/request.js";
import {
  type Eip1193Provider,
  type ResultSink,
  LocalDataProcessor,
  type LocalDataProcessorOptions,
} from "../../src/entries/local.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  openExecutionStore,
} from "../../src/entries/store.js";
import { failure } from "../support/failure.js";
import { simulatedChain } from "../support/simulated-chain.js";

const MODULE: ModuleTask = { type: "Module", programHash: "0x1", inputs: [] };

function numbers(from: bigint, to: bigint): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: from,
      blockRangeEnd: to,
      increment: 1n,
      sampledProperty: { kind: "header", field: "number" },
    },
    compute: { aggregateFnId: "sum" },
  };
}

function request(...tasks: TaskRequest["tasks"]): TaskRequest {
  return { destinationChainId: "ETHEREUM_SEPOLIA", tasks };
}

/** Takes results and stores nothing; counts calls and those that overlap. */
class RecordingSink implements ResultSink {
  readonly calls: (readonly TaskWord[])[] = [];
  overlapping = 0;
  #busy = false;

  /** @param pause of each call, in milliseconds: results that are computed meanwhile are finalized together */
  public constructor(readonly pause = 0) {}

  public async finalize(results: readonly TaskWord[]) {
    if (this.#busy) this.overlapping += 1;
    this.#busy = true;
    this.calls.push(results);
    await new Promise((resolve) => setTimeout(resolve, this.pause));
    this.#busy = false;
    return { store: "0x01", transactionHash: "0x02", blockNumber: 3n, gasUsed: 71204n } as const;
  }
}

describe("LocalDataProcessor", () => {
  let provider: Eip1193Provider;
  before(async () => {
    provider = await simulatedChain();
  });

  function create(
    sink: ResultSink,
    options: Partial<LocalDataProcessorOptions> = {},
  ): LocalDataProcessor {
    return new LocalDataProcessor({
      providerFor: () => provider,
      sink,
      prove: "require",
      ...options,
    });
  }

  it("computes, finalizes all tasks in one transaction of the store, and reads back", async () => {
    const { address } = await deployExecutionStoreMock({ provider });
    const processor = create({
      finalize: async (results) => ({
        store: address,
        ...(await finalizeTasks({ provider, store: address, results })),
      }),
    });
    const tasks = [numbers(0n, 8n), numbers(2n, 3n)];
    const submission = await processor.submit(request(...tasks));
    expect(submission.taskHashes).to.deep.equal(tasks.map((task) => taskHash(task)));
    const seen: TaskStatus[] = [];
    const last = await processor.wait(submission, { onStatus: (status) => seen.push(status) });
    expect(seen[0]).to.deep.equal({ name: "Received", phase: "pending" });
    expect(seen.at(-2)).to.deep.equal({
      name: "Sampled",
      phase: "pending",
      detail: "11 of 11, all proven",
    });
    expect(last.name).to.equal("Finalized");
    expect(last.detail).to.match(/^block 10, \d{2,3},\d{3} gas$/);
    const results = await processor.results(submission);
    expect(results.map(({ value, samples, proven }) => [value, samples, proven])).to.deep.equal([
      [36n, 9, true],
      [5n, 2, true],
    ]);
    expect(new Set(results.map(({ transactionHash }) => transactionHash)).size).to.equal(1);
    const store = await openExecutionStore({ provider, address });
    for (const { taskHash: hash, word } of results)
      expect((await store.readResult(hash)).word).to.equal(word);
  });

  it("answers a status at once and the last one later", async () => {
    const processor = create(new RecordingSink(), { newId: () => "one" });
    const submission = await processor.submit(request(numbers(0n, 8n)));
    expect(submission).to.include({
      id: "one",
      processor: "local",
      destinationChainId: "ETHEREUM_SEPOLIA",
    });
    expect((await processor.status(submission)).phase).to.equal("pending");
    await processor.results(submission);
    expect(await processor.status(submission)).to.deep.equal({
      name: "Finalized",
      phase: "finalized",
      detail: "block 3, 71,204 gas",
    });
    expect((await processor.wait(submission)).name).to.equal("Finalized");
  });

  it("fails with the message and finalizes nothing, not even the request's good tasks", async () => {
    const sink = new RecordingSink();
    const processor = create(sink);
    const submission = await processor.submit(request(numbers(0n, 8n), numbers(8n, 99n)));
    const status = await processor.wait(submission);
    expect(status).to.include({ name: "Failed", phase: "failed" });
    expect(status.detail).to.contain(
      "HDP-4101 in tasks[1].datalake.blockRangeEnd: block 99 does not exist",
    );
    expect(await failure(processor.results(submission))).to.contain("HDP-4101");
    expect(sink.calls).to.deep.equal([]);
  });

  it("passes a sink's failure on to every request it carried", async () => {
    const processor = create({ finalize: () => Promise.reject(new Error("no operator")) });
    const submissions = await Promise.all(
      [numbers(0n, 1n), numbers(0n, 2n)].map((task) => processor.submit(request(task))),
    );
    for (const submission of submissions) {
      expect(await processor.wait(submission)).to.deep.equal({
        name: "Failed",
        phase: "failed",
        detail: "no operator",
      });
    }
  });

  it("carries many requests in few calls, one at a time, each right", async () => {
    const sink = new RecordingSink(50);
    const processor = create(sink);
    const submissions = await Promise.all(
      Array.from({ length: 300 }, (_, position) =>
        processor.submit(request(numbers(BigInt(position % 9), 8n))),
      ),
    );
    expect(new Set(submissions.map(({ id }) => id)).size).to.equal(300);
    const results = await Promise.all(
      submissions.map((submission) => processor.results(submission)),
    );
    results.forEach(([result], position) => {
      const from = position % 9;
      expect(result?.value).to.equal(BigInt(36 - (from * (from - 1)) / 2));
      expect(result?.samples).to.equal(9 - from);
    });
    expect(sink.overlapping).to.equal(0);
    expect(sink.calls.length).to.be.lessThan(150);
  });

  it("keeps destinations apart, also when they wait together", async () => {
    const calls: [number, string][] = [];
    const sink = new RecordingSink();
    const processor = create({
      finalize: (results, destination) => {
        calls.push([results.length, destination]);
        return sink.finalize(results);
      },
    });
    const tasks = Array.from({ length: 6 }, (_, position) => numbers(BigInt(position), 8n));
    const submissions = await Promise.all(
      tasks.map((task, position) =>
        processor.submit({
          destinationChainId: position % 2 === 0 ? "ETHEREUM_SEPOLIA" : "ETHEREUM_MAINNET",
          tasks: [task],
        }),
      ),
    );
    await Promise.all(submissions.map((submission) => processor.results(submission)));
    for (const chain of ["ETHEREUM_SEPOLIA", "ETHEREUM_MAINNET"]) {
      const words = calls
        .filter(([, destination]) => destination === chain)
        .reduce((sum, [length]) => sum + length, 0);
      expect(words).to.equal(3);
    }
  });

  it("refuses modules without a runner and runs them with one", async () => {
    const sink = new RecordingSink();
    expect(await failure(create(sink).submit(request(numbers(0n, 1n), MODULE)))).to.contain(
      "HDP-4401 in tasks[1]",
    );
    const processor = create(sink, {
      runModule: async (task, { readerFor }) => {
        const reader = await readerFor("ETHEREUM_SEPOLIA");
        const { value, proven } = await reader.header(3n);
        return {
          word: `0x${(value[8] ?? "0x").slice(2).padStart(64, "0")}`,
          proven: proven && task === MODULE,
        };
      },
    });
    const submission = await processor.submit(request(MODULE));
    const seen: string[] = [];
    await processor.wait(submission, {
      onStatus: ({ name, detail }) => seen.push(`${name} ${detail ?? ""}`),
    });
    expect(seen).to.deep.equal([
      "Received ",
      "Computed all proven",
      "Finalized block 3, 71,204 gas",
    ]);
    const [result] = await processor.results(submission);
    expect(result).to.include({ value: 3n, proven: true });
    expect(result).to.not.have.property("samples");
  });

  it("does not know submissions of another process", async () => {
    const stranger: SubmissionPart = {
      id: "elsewhere",
      processor: "local",
      destinationChainId: "ETHEREUM_SEPOLIA",
      taskHashes: [],
    };
    expect(await failure(create(new RecordingSink()).status(stranger))).to.contain(
      "HDP-4402: the local data processor does not know submission elsewhere",
    );
  });

  it("stops waiting on abort, and the work goes on", async () => {
    const processor = create(new RecordingSink());
    const submission = await processor.submit(request(numbers(0n, 8n)));
    const aborting = new AbortController();
    const waiting = processor.wait(submission, { signal: aborting.signal });
    aborting.abort(new Error("enough"));
    expect(await failure(waiting)).to.equal("enough");
    expect((await processor.wait(submission)).name).to.equal("Finalized");
    expect(
      await failure(processor.submit(request(numbers(0n, 8n)), { signal: aborting.signal })),
    ).to.equal("enough");
  });

  it("hands an error of a listener to the one who waits", async () => {
    const processor = create(new RecordingSink());
    const submission = await processor.submit(request(numbers(0n, 8n)));
    const onStatus = ({ name }: TaskStatus): void => {
      if (name === "Sampled") throw new Error("cannot draw");
    };
    expect(await failure(processor.wait(submission, { onStatus }))).to.equal("cannot draw");
    expect((await processor.wait(submission)).name).to.equal("Finalized");
  });

  it("gives up unfinished work when closed", async () => {
    const sink = new RecordingSink();
    const processor = create(sink);
    const submission = await processor.submit(request(numbers(0n, 8n)));
    processor.close();
    expect((await processor.wait(submission)).detail).to.contain("HDP-4403");
    expect(sink.calls).to.deep.equal([]);
  });

  it("forgets the inputs of a submission that failed", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const runModule = async (): Promise<never> => {
      await Promise.resolve();
      throw new Error("the program panicked");
    };
    const processor = create(new RecordingSink(), { runModule });
    const failed = async (): Promise<readonly [SubmissionPart, WeakRef<object>]> => {
      const inputs: ModuleTask["inputs"] = [{ visibility: "public", value: "0x1" }];
      const submission = await processor.submit(request({ ...MODULE, inputs }));
      await processor.wait(submission);
      return [submission, new WeakRef(inputs)];
    };
    const [submission, inputs] = await failed();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(inputs.deref()).to.equal(undefined);
    expect((await processor.status(submission)).detail).to.contain("the program panicked");
  });
});
