import { expect } from "chai";
import type { Hex } from "viem";
import { pad, toHex } from "viem/utils";

import {
  chaosFaults,
  FaultQueue,
  cutAfterAcceptance,
  failsAt,
  type Fault,
  httpBurst,
  InjectedFaultError,
  lateFinalization,
  readFaults,
  reorg,
  stuckAt,
  unknownState,
  wrongResult,
} from "../../../src/entries/faults.js";
import { isHdpError, taskHash } from "../../../src/entries/request.js";
import { mulberry32 } from "../../../src/submission/backend/faults/chaos.js";
import {
  FaultyDataProcessor,
  faultyFinalization,
} from "../../../src/submission/backend/faults/faulty.js";
import { hdpThrown } from "../../support/failure.js";
import { errorOf, hashOf, InProcessService, requestOf, type TestService, World } from "../world.js";

interface Setup {
  readonly service: TestService;
  readonly queue: FaultQueue;
  readonly faulty: FaultyDataProcessor;
}

function setUp(...faults: Fault[]): Setup {
  const service = new InProcessService();
  const queue = new FaultQueue(...faults);
  let ids = 0;
  const newId = (): string => `faulty-${(ids += 1)}`;
  return {
    service,
    queue,
    faulty: new FaultyDataProcessor({ processor: service, faults: queue, taskHash, newId }),
  };
}

const wordOf = (value: number): Hex => pad(toHex(value), { size: 32 });

const RECEIVED = { name: "RECEIVED", phase: "pending" };

describe("faults of a data processor", () => {
  it("passes calls to the data processor inside when no fault waits", async () => {
    const { service, faulty } = setUp();
    expect(faulty.name).to.equal("tasks");
    const submission = await faulty.submit(requestOf(1));
    expect(submission.id).to.equal("task-1");
    expect(await faulty.status(submission)).to.deep.equal(RECEIVED);
    expect(service.asked.map(({ id }) => id)).to.deep.equal(["task-1"]);
  });

  it("stays in a state for one submission, and computes nothing for it", async () => {
    const { service, faulty } = setUp(stuckAt("Sampled"));
    const submission = await faulty.submit(requestOf(1, 2));
    expect(submission).to.deep.equal({
      id: "faulty-1",
      processor: "tasks",
      destinationChainId: "ETHEREUM_SEPOLIA",
      taskHashes: [hashOf(1), hashOf(2)],
    });
    for (let poll = 0; poll < 5; poll += 1) {
      expect(await faulty.status(submission)).to.deep.equal({ name: "Sampled", phase: "pending" });
    }
    expect(service.arrivals).to.deep.equal([]);
    expect((await faulty.submit(requestOf(3))).id).to.equal("task-1");
  });

  it("fails with the words given", async () => {
    const { service, faulty } = setUp(failsAt("Proving", "no such block"));
    expect(await faulty.status(await faulty.submit(requestOf(1)))).to.deep.equal({
      name: "Proving",
      phase: "failed",
      detail: "no such block",
    });
    expect(service.arrivals).to.deep.equal([]);
  });

  it("reports an unknown state, then goes on", async () => {
    const { faulty } = setUp(unknownState("QUUX", 2));
    const submission = await faulty.submit(requestOf(1));
    expect(await faulty.status(submission)).to.deep.equal({ name: "QUUX", phase: "pending" });
    expect(await faulty.status(submission)).to.deep.equal({ name: "QUUX", phase: "pending" });
    expect(await faulty.status(submission)).to.deep.equal(RECEIVED);
  });

  it("answers a burst of statuses, to submissions and polls alike, that goes no further", async () => {
    const { service, queue, faulty } = setUp(httpBurst(503, 2), httpBurst(429, 1));
    const first = await errorOf(async () => await faulty.submit(requestOf(1)));
    expect(first.code).to.equal("HDP-4901");
    expect(first.shortMessage).to.equal(
      "a test injected this fault: the data processor answered 503.",
    );
    expect(first).to.include({ status: 503 });
    expect(queue.waiting).to.deep.equal([httpBurst(503, 1), httpBurst(429, 1)]);
    await errorOf(async () => await faulty.submit(requestOf(1)));
    expect(await errorOf(async () => await faulty.submit(requestOf(1)))).to.include({
      status: 429,
    });
    expect(service.arrivals).to.deep.equal([]);
    const submission = await faulty.submit(requestOf(1));
    queue.inject(httpBurst(500, 1));
    expect(await errorOf(async () => await faulty.status(submission))).to.include({ status: 500 });
    expect(await faulty.status(submission)).to.deep.equal(RECEIVED);
  });

  it("cuts the connection after acceptance", async () => {
    const { service, faulty } = setUp(cutAfterAcceptance());
    const error = await errorOf(async () => await faulty.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-4901");
    expect(error).to.include({ status: undefined });
    expect(service.arrivals.map(({ id }) => id)).to.deep.equal(["task-1"]);
  });

  it("begins late, once", async () => {
    const { service, faulty } = setUp(lateFinalization(2));
    const submission = await faulty.submit(requestOf(1));
    for (let poll = 0; poll < 2; poll += 1) {
      expect(await faulty.status(submission)).to.deep.equal({ name: "Received", phase: "pending" });
    }
    expect(service.arrivals).to.deep.equal([]);
    expect(await faulty.status(submission)).to.deep.equal(RECEIVED);
    await faulty.status(submission);
    expect(service.arrivals.map(({ hashes }) => hashes)).to.deep.equal([[hashOf(1)]]);
  });

  it("stores a wrong word and drops blocks, each once", async () => {
    const happened: string[] = [];
    const stored = {
      store: "0x01",
      transactionHash: "0x02",
      blockNumber: 3n,
      gasUsed: 4n,
    } as const;
    const queue = new FaultQueue(wrongResult(wordOf(666)), reorg(2));
    const sink = faultyFinalization(
      {
        finalize: async (results, destination) => {
          happened.push(`${destination} ${results.map(({ word }) => Number(word)).join()}`);
          return await Promise.resolve(stored);
        },
      },
      queue,
      async (destination) => {
        happened.push(`${destination} fork`);
        return await Promise.resolve(async (depth: number) => {
          happened.push(`-${depth}`);
          await Promise.resolve();
        });
      },
    );
    const results = [1, 2].map((block) => ({ taskHash: hashOf(block), word: wordOf(7) }));
    for (let time = 0; time < 3; time += 1) {
      expect(await sink.finalize(results, "ETHEREUM_SEPOLIA")).to.equal(stored);
    }
    expect(happened).to.deep.equal([
      "ETHEREUM_SEPOLIA 666,7",
      "ETHEREUM_SEPOLIA fork",
      "ETHEREUM_SEPOLIA 7,7",
      "-2",
      "ETHEREUM_SEPOLIA 7,7",
    ]);
  });

  it("clears faults", async () => {
    const { queue, faulty } = setUp(stuckAt("Sampled"), reorg(1));
    queue.clear();
    expect((await faulty.submit(requestOf(1))).id).to.equal("task-1");
    expect(queue.takeForFinalization()).to.equal(undefined);
  });
});

describe("chaos", () => {
  it("repeats with its seed", () => {
    expect(chaosFaults({ seed: 1, count: 50 })).to.deep.equal(chaosFaults({ seed: 1, count: 50 }));
    expect(chaosFaults({ seed: 1, count: 50 })).to.not.deep.equal(
      chaosFaults({ seed: 2, count: 50 }),
    );
  });

  it("draws the numbers of mulberry32", () => {
    const random = mulberry32(1);
    expect([random(), random(), random()].map((number) => number * 2 ** 32)).to.deep.equal([
      2693262067, 11749833, 2265367787,
    ]);
  });

  it("makes faults of every kind, or of those asked for", () => {
    expect(new Set(chaosFaults({ seed: 3, count: 400 }).map(({ kind }) => kind)).size).to.equal(8);
    const some = chaosFaults({ seed: 3, count: 20, kinds: ["stuck-at"], states: ["A"] });
    expect(some).to.deep.equal(Array(20).fill(stuckAt("A")));
    expect(chaosFaults({ seed: 3, count: 20, kinds: [] })).to.deep.equal([]);
  });

  it("loses nothing and sends nothing twice over 150 seeded faults", async () => {
    const { service, queue, faulty } = setUp();
    const world = await World.create();
    const kinds = [
      "stuck-at",
      "fails-at",
      "unknown-state",
      "http-burst",
      "cut-after-acceptance",
      "late-finalization",
    ];
    const faults = chaosFaults({ seed: 42, count: 300 }).filter(({ kind }) => kinds.includes(kind));
    const submissions = world.process(1, {
      processor: faulty,
      outcomeOf: (error) =>
        error instanceof InjectedFaultError && error.status === 429 ? "refused" : "unknown",
    });
    const store = world.open();
    for (const [index, fault] of [...faults.slice(0, 150)].entries()) {
      queue.clear();
      queue.inject(fault);
      const block = index + 1;
      const submit = async (): Promise<unknown> =>
        await submissions.submit(requestOf(block)).catch((error: unknown) => error);
      const first = await submit();
      const second = await submit();
      const state = store.withHashes([hashOf(block)]).at(-1)?.state;
      const arrivals = service.arrivals.filter(({ hashes }) => hashes.includes(hashOf(block)));
      expect(arrivals.length, JSON.stringify(fault)).to.be.lessThan(2);
      if (fault.kind === "cut-after-acceptance") {
        expect(state).to.equal("unknown");
        expect(arrivals.length).to.equal(1);
        expect([first, second].map((error) => isHdpError(error) && error.code)).to.deep.equal([
          "HDP-5008",
          "HDP-5005",
        ]);
      } else if (fault.kind === "http-burst") {
        expect(arrivals.length).to.equal(state === "accepted" ? 1 : 0);
        expect(state).to.be.oneOf(fault.status === 429 ? ["accepted", "refused"] : ["unknown"]);
      } else {
        expect(second, JSON.stringify(fault)).to.deep.equal(first);
        await submissions.status(submissions.find(hashOf(block)));
        const now = store.withHashes([hashOf(block)]).at(-1)?.state;
        expect(now).to.equal(fault.kind === "fails-at" ? "failed" : "accepted");
      }
    }
    await world.remove();
  });
});

describe("faults as they are written", () => {
  const WORD = `0x${"00".repeat(31)}63` as const;

  it("parses faults to those of the functions, in order", () => {
    const text = [
      "stuck-at:CachedMmrRoot",
      "fails-at:Computed: no such block: 7",
      "unknown-state:RECONSIDERING:2",
      "http-burst:503:3",
      "cut-after-acceptance",
      `wrong-result:${WORD}`,
      " late-finalization:30 ",
      "reorg:2",
    ];
    expect(readFaults(text.join(","), "--fault")).to.deep.equal([
      stuckAt("CachedMmrRoot"),
      failsAt("Computed", "no such block: 7"),
      unknownState("RECONSIDERING", 2),
      httpBurst(503, 3),
      cutAfterAcceptance(),
      wrongResult(WORD),
      lateFinalization(30),
      reorg(2),
    ]);
    expect(readFaults("http-burst:429:1,reorg:999999", "--fault")).to.deep.equal([
      httpBurst(429, 1),
      reorg(999_999),
    ]);
  });

  it("refuses a fault with all that is allowed, and what was meant", () => {
    for (const [text, message] of [
      ["", '"" is not a fault.'],
      ["quux", '"quux" is not a fault.'],
      ["reorg:1,", '"" is not a fault.'],
      ["toString:1", '"toString:1" is not a fault.'],
      ["stuckat:Sampled", '"stuckat:Sampled" is not a fault. Did you mean "stuck-at:<state>"?'],
      ["stuck-at", '"stuck-at" is not a fault. Did you mean "stuck-at:<state>"?'],
      ["stuck-at:", '"stuck-at:" is not a fault. Did you mean "stuck-at:<state>"?'],
      ["stuck-at:a b", '"stuck-at:a b" is not a fault. Did you mean "stuck-at:<state>"?'],
      [
        `stuck-at:${"a".repeat(101)}`,
        `"stuck-at:${"a".repeat(91)}" is not a fault. Did you mean "stuck-at:<state>"?`,
      ],
      [
        "stuck-at:Sampled:1",
        '"stuck-at:Sampled:1" is not a fault. Did you mean "stuck-at:<state>"?',
      ],
      [
        "fails-at:Sampled",
        '"fails-at:Sampled" is not a fault. Did you mean "fails-at:<state>:<words>"?',
      ],
      [
        "fails-at:Sampled: ",
        '"fails-at:Sampled:" is not a fault. Did you mean "fails-at:<state>:<words>"?',
      ],
      [
        "unknown-state:QUUX",
        '"unknown-state:QUUX" is not a fault. Did you mean "unknown-state:<name>:<polls>"?',
      ],
      [
        "unknown-state:QUUX:0",
        '"unknown-state:QUUX:0" is not a fault. Did you mean "unknown-state:<name>:<polls>"?',
      ],
      [
        "http-burst:404:1",
        '"http-burst:404:1" is not a fault. Did you mean "http-burst:<429|500|502|503|504>:<calls>"?',
      ],
      [
        "http-burst:503",
        '"http-burst:503" is not a fault. Did you mean "http-burst:<429|500|502|503|504>:<calls>"?',
      ],
      [
        "http-burst:503:1:1",
        '"http-burst:503:1:1" is not a fault. Did you mean "http-burst:<429|500|502|503|504>:<calls>"?',
      ],
      [
        "cut-after-acceptance:1",
        '"cut-after-acceptance:1" is not a fault. Did you mean "cut-after-acceptance"?',
      ],
      [
        "wrong-result:0x63",
        '"wrong-result:0x63" is not a fault. Did you mean "wrong-result:<0x and 64 digits>"?',
      ],
      [
        "late-finalization:-1",
        '"late-finalization:-1" is not a fault. Did you mean "late-finalization:<polls>"?',
      ],
      [
        "late-finalization:1.5",
        '"late-finalization:1.5" is not a fault. Did you mean "late-finalization:<polls>"?',
      ],
      ["reorg:1000000", '"reorg:1000000" is not a fault. Did you mean "reorg:<depth>"?'],
      ["reorg:1:1", '"reorg:1:1" is not a fault. Did you mean "reorg:<depth>"?'],
    ] as const) {
      const error = hdpThrown(() => readFaults(text, "--fault"));
      expect([error.code, error.path, error.shortMessage]).to.deep.equal([
        "HDP-6003",
        "--fault",
        message,
      ]);
      expect(error.hints).to.deep.equal([
        "Allowed: stuck-at:<state>, fails-at:<state>:<words>, unknown-state:<name>:<polls>, " +
          "http-burst:<429|500|502|503|504>:<calls>, cut-after-acceptance, wrong-result:<0x and 64 digits>, " +
          "late-finalization:<polls>, reorg:<depth>.",
      ]);
    }
  });
});
