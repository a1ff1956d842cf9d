import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import { markLost } from "../../src/journal/settle-by-hand.js";
import { Journal } from "../../src/journal/journal.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import type { DataProcessor } from "../../src/request/lifecycle.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { errorOf, hashOf, PATH, requestOf, taskHash } from "./support/fixtures.js";
import { outcomeOf, Refusal } from "./support/test-service.js";

let ids = 0;

interface Slow {
  readonly disk: MemoryDisk;
  readonly journal: Journal;
  readonly sent: string[];
  /** Requests of this moment, and the most at a time. */
  readonly under: { way: number; most: number };
  readonly journalOf: (pid: number) => Journal;
  readonly processor: (pid?: number, journal?: Journal) => JournaledDataProcessor;
}

/** A service that takes its time, and a journal whose lock is waited for much shorter. */
function slowService(milliseconds: number, patience = 150, refuses = false): Slow {
  const disk = new MemoryDisk();
  const sent: string[] = [];
  const under = { way: 0, most: 0 };
  const service: DataProcessor = {
    name: "tasks",
    submit: async (request) => {
      const taskHashes = request.tasks.map(taskHash);
      sent.push(...taskHashes);
      const id = `task-${sent.length}`;
      under.way += 1;
      under.most = Math.max(under.most, under.way);
      await sleep(milliseconds);
      under.way -= 1;
      if (refuses) throw new Refusal("no");
      return { id, processor: "tasks", destinationChainId: request.destinationChainId, taskHashes };
    },
    status: async () => await Promise.resolve({ name: "RECEIVED", phase: "pending" }),
  };
  const journalOf = (pid: number): Journal =>
    new Journal({
      ...{ path: PATH, fs: memoryFs(disk), now: Date.now, newId: () => `id-${(ids += 1)}` },
      lock: {
        processes: { self: { pid, host: "here" }, mayBeAlive: (holder) => holder.pid !== 666 },
        sleep: async (time) => {
          await sleep(time);
        },
        patience,
      },
    });
  const processor = (pid = 1, journal = journalOf(pid)): JournaledDataProcessor =>
    new JournaledDataProcessor({
      ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
      endpoint: new URL("https://hdp.example.org"),
    });
  return { disk, journal: journalOf(1), journalOf, sent, processor, under };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

describe("journal: while a request is under way", () => {
  it("lets twenty submissions pass at once, for longer than the lock is waited for", async () => {
    const { processor, sent, journal, disk, under } = slowService(400, 6_000);
    const blocks = Array.from({ length: 20 }, (_, index) => index + 1);
    const submissions = await Promise.all(blocks.map(async (block) => await processor(block).submit(requestOf(block))));
    expect(under.most).to.be.greaterThan(1);
    expect(submissions.map(({ taskHashes }) => taskHashes[0])).to.deep.equal(blocks.map(hashOf));
    expect(sent.length).to.equal(20);
    expect([...(await journal.records()).records.values()].map(({ state }) => state)).to.deep.equal(
      blocks.map(() => "open"),
    );
    expect([...disk.files.keys()]).to.deep.equal([PATH]);
  }).timeout(30_000);

  it("waits for who is sending the same task, and takes its answer", async () => {
    const { processor, sent } = slowService(100, 5_000);
    const same = await Promise.all([1, 2, 3].map(async (pid) => await processor(pid).submit(requestOf(7))));
    expect(sent).to.deep.equal([hashOf(7)]);
    expect(new Set(same.map(({ id }) => id))).to.deep.equal(new Set(["task-1"]));
  });

  it("takes an answer that is recorded after the journal was read and before it is asked who is sending", async () => {
    const { processor, sent, journalOf } = slowService(20, 5_000);
    const first = processor(1).submit(requestOf(7));
    await until(() => sent.length === 1);
    const journal = journalOf(2);
    const beingSent = journal.beingSent.bind(journal);
    journal.beingSent = async (ids) => {
      await first;
      return await beingSent(ids);
    };
    expect((await processor(2, journal).submit(requestOf(7))).id).to.equal("task-1");
    expect(sent).to.deep.equal([hashOf(7)]);
  });

  it("sends the task itself when the other was refused", async () => {
    const { processor, sent } = slowService(50, 5_000, true);
    const ended = await Promise.allSettled([1, 2].map(async (pid) => await processor(pid).submit(requestOf(7))));
    expect(ended.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    expect(sent).to.deep.equal([hashOf(7), hashOf(7)]);
  });

  it("says who is sending for longer than its patience, and sends nothing", async () => {
    const { processor, sent } = slowService(1_000, 100);
    const first = processor(4711).submit(requestOf(7));
    await until(() => sent.length === 1);
    const error = await errorOf(async () => await processor(2).submit(requestOf(7)));
    expect(error.code).to.equal("HDP-5003");
    expect(error.shortMessage).to.match(/^process 4711 on here is sending submission id-\d+ for longer than 0\.1 s\.$/);
    expect((await first).id).to.equal("task-1");
    expect(sent.length).to.equal(1);
  });

  it("asks a person about what a process was sending when it ended", async () => {
    const { processor, journal, disk } = slowService(100);
    await processor().submit(requestOf(1));
    const [intent = ""] = disk.text(PATH).split("\n");
    const bytes = Buffer.from(`${intent}\n`);
    disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
    const [id = ""] = [...(await journal.records()).records.keys()];
    await memoryFs(disk).createExclusive(
      `${PATH}.lock.${id}`,
      JSON.stringify({ token: "t", pid: 666, host: "h" }),
      "t",
    );
    const error = await errorOf(async () => await processor(2).submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5005");
    expect([...disk.files.keys()]).to.deep.equal([PATH]);
  });

  it("gives up nothing that is being sent", async () => {
    const { processor, journal, sent } = slowService(150, 5_000);
    const sending = processor(3).submit(requestOf(7));
    await until(() => sent.length === 1);
    const [id = ""] = [...(await journal.records()).records.keys()];
    const lost = await markLost(journal, id);
    expect([lost.state, lost.serviceId]).to.deep.equal(["lost", "task-1"]);
    expect((await sending).id).to.equal("task-1");
  });
});
