import { expect } from "chai";

import type {
  AwaitOptions,
  SubmissionPart,
  TaskResult,
  TaskStatus,
} from "../../src/entries/request.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import type { LocalSubmissions } from "../../src/submission/local-submissions.js";
import {
  errorOf,
  hashOf,
  moduleRequest,
  readsOf,
  requestOf,
  TestService,
  withWorld,
  type World,
} from "./world.js";

const FINALIZED: TaskStatus = { name: "Finalized", phase: "finalized" };

/** Computes by hand. */
class TestProcessor extends TestService {
  public override readonly name = "local";
  public ending: TaskStatus = FINALIZED;
  public computed: readonly TaskResult[] = [];

  public async wait(): Promise<TaskStatus> {
    return await Promise.resolve(this.ending);
  }

  public async results(): Promise<readonly TaskResult[]> {
    return await Promise.resolve(this.computed);
  }

  public override async status(part: SubmissionPart): Promise<TaskStatus> {
    this.asked.push(part);
    return await Promise.resolve(this.ending);
  }
}

describe("submissions to the local data processor", () => {
  let world: World;
  let processor: TestProcessor;
  let submissions: LocalSubmissions;
  const local = (pid: number): LocalSubmissions => world.local(pid, processor);
  withWorld((made) => {
    world = made;
    processor = new TestProcessor();
    submissions = local(1);
  });

  it("compute every time, and are recorded with the chain and the process", async () => {
    const ids = [
      await submissions.submit(requestOf(1)),
      await submissions.submit(requestOf(1)),
    ].map(({ id }) => id);
    expect(ids).to.deep.equal(["task-1", "task-2"]);
    expect(world.open().byId("task-1")).to.include({
      kind: "tasks",
      state: "accepted",
      forced: false,
      processor: "local",
      sender: "here:1",
      serviceId: "task-1",
      genesis: world.store.chain.genesis,
      destinationChainId: "ETHEREUM_SEPOLIA",
    });
  });

  it("refuses two tasks of a request that have one hash and differ", async () => {
    const tasks = [
      ...moduleRequest(undefined, "0x7").tasks,
      ...moduleRequest(undefined, "0x8").tasks,
    ];
    const error = await errorOf(async () => await submissions.submit({ ...requestOf(), tasks }));
    expect(error).to.include({ code: "HDP-1125", path: "tasks[1].inputs" });
    expect(processor.arrivals).to.deep.equal([]);
  });

  it("read as much of the database after 20 runs of a task as after one", async () => {
    const run = async (): Promise<void> => {
      const submission = await submissions.submit(requestOf(1));
      processor.computed = [world.store.put(hashOf(1), 7n)];
      await (await submissions.finish(submission)).results();
    };
    await run();
    const second = await readsOf(run);
    for (let runs = 2; runs < 20; runs += 1) await run();
    expect(await readsOf(run)).to.deep.equal(second);
  });

  it("end with the results of the store, and what the run knows of them", async () => {
    const submission = await submissions.submit(requestOf(1));
    processor.computed = [{ ...world.store.put(hashOf(1), 7n), gasUsed: 5n }];
    const { status, results } = await submissions.finish(submission);
    expect(status).to.deep.equal(FINALIZED);
    expect(await results()).to.deep.equal([{ ...world.store.put(hashOf(1), 7n), gasUsed: 5n }]);
    expect(world.open().byId("task-1")).to.deep.include({ state: "finalized" });
    expect(world.open().byId("task-1")?.seen).to.include({ name: "Finalized" });
    expect((await (await submissions.finish(submission)).results())[0]).to.include({
      value: 7n,
      gasUsed: 5n,
    });
  });

  it("fail with the reason of the run, where the chain went back, and where the store has another result", async () => {
    const submission = await submissions.submit(requestOf(1));
    processor.ending = { name: "Failed", phase: "failed", detail: "no blocks" };
    const failed = await errorOf(async () => await submissions.finish(submission));
    expect([failed.code, failed.shortMessage.includes("no blocks.")]).to.deep.equal([
      "HDP-4406",
      true,
    ]);
    processor.ending = FINALIZED;
    const reverted =
      "it was finalized, but the chain was reverted to before that, or its node has started anew: submit it again";
    const lost = await errorOf(async () => await submissions.finish(submission));
    expect([lost.code, lost.shortMessage.includes(`${reverted}.`)]).to.deep.equal([
      "HDP-4406",
      true,
    ]);
    expect(await submissions.status(submission)).to.deep.equal({
      name: "Reverted",
      phase: "failed",
      detail: reverted,
    });
    processor.computed = [world.store.put(hashOf(1), 7n)];
    world.store.put(hashOf(1), 8n);
    expect((await errorOf(async () => await submissions.finish(submission))).code).to.equal(
      "HDP-4404",
    );
  });

  it("of another process are known by the store alone", async () => {
    const submission = await local(2).submit(requestOf(1));
    expect(await submissions.status(submission)).to.deep.equal({
      name: "Unknown",
      phase: "pending",
      detail: "in store 0x5FbDB2315678afecb367f032d93F642f64180aa3",
    });
    const unknown = await errorOf(async () => await submissions.finish(submission));
    expect([unknown.code, unknown.shortMessage.includes(hashOf(1))]).to.deep.equal([
      "HDP-4402",
      true,
    ]);
    world.store.put(hashOf(1), 7n);
    expect(await submissions.status(submission)).to.deep.equal(FINALIZED);
    const { results } = await submissions.finish(submission);
    expect((await results()).map(({ value }) => value)).to.deep.equal([7n]);
    expect(processor.asked).to.deep.equal([]);
  });

  it("of a process that was ended are over, and said to be local", async () => {
    const submission = await local(2).submit(requestOf(1));
    expect(world.open().byId("task-1")?.explanation).to.deep.equal({
      summary:
        "Computed by the local data processor of another process; where that was ended, it is over.",
      nextSteps: [
        "See whether it is finished: npx hardhat hdp resume task-1 --network sepolia",
        "Send it again: npx hardhat hdp:submit <file> --network sepolia",
      ],
    });
    world.ended.add(2);
    const detail = "the local data processor ended with its process";
    expect(await submissions.status(submission)).to.deep.equal({
      name: "Ended",
      phase: "failed",
      detail,
    });
    expect((await errorOf(async () => await submissions.finish(submission))).code).to.equal(
      "HDP-4402",
    );
    const record = world.open().byId("task-1");
    expect([record?.state, record?.explanation.summary]).to.deep.equal([
      "failed",
      `Failed (${detail}).`,
    ]);
    world.store.put(hashOf(1), 7n);
    expect(
      (await submissions.status(submission)).phase,
      "its result is there all the same",
    ).to.equal("finalized");
  });

  it("of another process that were finalized on a chain which went back, or whose node started anew, say so", async () => {
    const submission = await local(2).submit(requestOf(1));
    world.store.put(hashOf(1), 7n);
    await (await submissions.finish(submission)).results();
    world.ended.add(2);
    expect(await submissions.status(submission)).to.deep.equal(FINALIZED);
    world.store.words.delete(hashOf(1));
    expect(await submissions.status(submission)).to.deep.equal({
      name: "Reverted",
      phase: "failed",
      detail:
        "it was finalized, but the chain was reverted to before that, or its node has started anew: submit it again",
    });
    expect(world.open().byId("task-1")?.state).to.equal("finalized");
  });

  it("of a process that finalizes and ends while the store is asked did not fail", async () => {
    const submission = await local(2).submit(requestOf(1));
    const { opened } = world.store;
    const statuses = opened.statuses.bind(opened);
    opened.statuses = async (hashes) => {
      const states = await statuses(hashes);
      world.store.put(hashOf(1), 7n);
      world.ended.add(2);
      return states;
    };
    expect((await submissions.status(submission)).phase).to.equal("pending");
    expect(world.open().byId("task-1")?.state).to.equal("accepted");
    expect((await submissions.status(submission)).phase).to.equal("finalized");
  });

  it("lose what a run knew of its results where the chain has neither its transaction nor its anchor any more", async () => {
    const anchor = { kind: "node", number: 5n, hash: `0x${"0a".repeat(32)}` } as const;
    const asked: string[] = [];
    let isHeld = true;
    const run = world.local(1, processor, {
      holds: async ({ hash }) => {
        asked.push(hash);
        return await Promise.resolve(isHeld && hash !== "0x0c");
      },
    });
    const submission = await run.submit(requestOf(1, 2));
    world.store.blocks.set("0x01", 9n);
    processor.computed = [1, 2].map((block) => ({
      ...world.store.put(hashOf(block), 7n),
      gasUsed: 5n,
      anchor,
      transactionHash: "0x01",
      blockNumber: 9n,
    }));
    await run.finish(submission);
    asked.length = 0;
    const gas = async (): Promise<unknown[]> =>
      (await run.results(submission)).map(({ gasUsed }) => gasUsed);
    expect(await gas()).to.deep.equal([5n, 5n]);
    expect(asked, "once for both").to.deep.equal([anchor.hash]);
    isHeld = false;
    expect(await gas(), "the anchor is gone").to.deep.equal([undefined, undefined]);
    isHeld = true;
    world.store.blocks.set("0x01", 10n);
    expect(await gas(), "the transaction is in another block").to.deep.equal([
      undefined,
      undefined,
    ]);
    world.store.blocks.set("0x01", 9n);
    world.store.put(hashOf(2), 8n);
    expect(await gas(), "the result is another one").to.deep.equal([5n, undefined]);
    world.open().recordComputed("task-1", [
      { ...world.store.put(hashOf(1), 7n), store: "0x02", gasUsed: 5n },
      { ...world.store.put(hashOf(2), 7n), gasUsed: 6n, anchor: { ...anchor, hash: "0x0b" } },
    ]);
    asked.length = 0;
    expect(
      await gas(),
      "the store is another one, and nothing is known of its block",
    ).to.deep.equal([undefined, 6n]);
    expect(asked).to.deep.equal(["0x0b"]);
    world.open().recordComputed("task-1", [
      { ...world.store.put(hashOf(1), 7n), gasUsed: 5n, anchor: { ...anchor, hash: "0x0c" } },
      { ...world.store.put(hashOf(2), 7n), gasUsed: 6n, anchor: { ...anchor, hash: "0x0b" } },
    ]);
    expect(await gas(), "each anchor is asked about").to.deep.equal([undefined, 6n]);
    const unaware = await submissions.results(submission);
    expect(
      unaware.map(({ gasUsed }) => gasUsed),
      "nobody can be asked",
    ).to.deep.equal([5n, 6n]);
  });

  it("waits for as long as the caller says, else for the usual time", async () => {
    const waits: unknown[] = [];
    processor.wait = async (_part?: SubmissionPart, options?: AwaitOptions) => {
      waits.push(options?.timeout);
      return await Promise.resolve({ name: "Failed", phase: "failed", detail: "no blocks" });
    };
    const submission = await submissions.submit(requestOf(1));
    await errorOf(async () => await submissions.finish(submission));
    await errorOf(async () => await submissions.finish(submission, { timeout: 5 }));
    expect(waits).to.deep.equal([60_000, 5]);
  });

  it("of which nothing is known here are in the store, or unknown", async () => {
    const error = await errorOf(async () => await submissions.finish(submissions.find(hashOf(3))));
    expect([error.code, error.path, error.shortMessage.includes(hashOf(3))]).to.deep.equal([
      "HDP-4402",
      "id",
      true,
    ]);
    world.store.put(hashOf(3), 7n);
    expect((await submissions.finish(submissions.find(hashOf(3)))).status).to.deep.equal(FINALIZED);
  });

  it("say what to do with a transaction that may still be mined", async () => {
    const submission = await submissions.submit(requestOf(1));
    processor.ending = {
      name: "Failed",
      phase: "failed",
      detail: "HDP-3009: it was sent but not mined",
    };
    const { message } = await errorOf(async () => await submissions.finish(submission));
    expect(message)
      .to.contain("it was sent but not mined.")
      .and.contain("Do not submit it again before that");
    processor.ending = { name: "Failed", phase: "failed", detail: "no blocks." };
    const other = await errorOf(async () => await submissions.finish(submission));
    expect(other.message)
      .to.contain("no blocks.")
      .and.contain("submit it again")
      .and.not.contain("no blocks..");
  });

  it("returns the newer result where another run stored one since, and ends where the chain went back", async () => {
    const submission = await submissions.submit(requestOf(1));
    processor.computed = [world.store.put(hashOf(1), 7n)];
    await submissions.finish(submission);
    world.store.put(hashOf(1), 8n);
    const { results } = await submissions.finish(submission);
    expect((await results()).map(({ value }) => value)).to.deep.equal([8n]);
    world.store.words.clear();
    for (const read of [
      async () => await submissions.finish(submission),
      async () => await submissions.results(submission),
    ])
      expect((await errorOf(read)).message).to.contain("the chain was reverted to before that");
    expect(
      (await errorOf(async () => await submissions.results(submissions.find(hashOf(2))))).code,
    ).to.equal("HDP-3001");
  });

  it("name the task whose stored result is not the computed one", async () => {
    const submission = await submissions.submit(requestOf(1, 2));
    processor.computed = [1, 2].map((block) => world.store.put(hashOf(block), 7n));
    world.store.put(hashOf(2), 8n);
    const { code, message } = await errorOf(async () => await submissions.finish(submission));
    expect(code).to.equal("HDP-4404");
    expect(message).to.contain(hashOf(2)).and.not.contain(hashOf(1));
  });

  it("go on while nothing is stored, and are recorded before they begin", async () => {
    const submission = await submissions.submit(requestOf(1));
    processor.ending = { name: "Sampled", phase: "pending" };
    expect(await submissions.status(submission)).to.deep.equal(processor.ending);
    const arrivals = processor.arrivals.length;
    const full = world.open();
    full.transaction = () => {
      throw new Error("disk full");
    };
    const wrong = await world
      .local(1, processor, { store: full })
      .submit(requestOf(2))
      .catch((error: unknown) => String(error));
    expect([wrong, processor.arrivals.length]).to.deep.equal(["Error: disk full", arrivals]);
  });

  it("in memory are of no chain, as they end with it", async () => {
    const memory = new SubmissionStore({ now: () => 0 });
    const inMemory = world.local(1, processor, { store: memory });
    await inMemory.submit(requestOf(1));
    expect(memory.list()[0]?.genesis).to.equal(undefined);
    memory.close();
  });
});
