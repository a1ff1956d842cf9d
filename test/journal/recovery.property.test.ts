import { expect } from "chai";
import fc from "fast-check";

import { decodeJournal } from "../../src/journal/journal-lines.js";
import type { Journal } from "../../src/journal/journal.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { type JournalRecord, reduce } from "../../src/journal/journal-record.js";
import { markLost } from "../../src/journal/settle-by-hand.js";
import { submissionOf } from "../../src/journal/find-record.js";
import { hashOf, journalOn, PATH, requestOf, STORE, taskHash } from "./support/fixtures.js";
import { Lifetime, MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { type Answer, outcomeOf, TestService } from "./support/test-service.js";

interface Step {
  readonly action: "submit" | "poll" | "result" | "lose";
  readonly blocks: readonly number[];
  readonly answer: Answer;
  readonly force: boolean;
  readonly target: number;
  readonly phase: "pending" | "finalized" | "failed";
  /** The step at which the process ends; beyond the last one it lives. */
  readonly crashAt: number;
  readonly tornAt: number;
  /** Whether it keeps an index beside the journal, however short that is. */
  readonly indexed: boolean;
  /** What is kept of unsynced bytes when the power fails; undefined: the power stays on. */
  readonly power: number | undefined;
}

/** Uniform from 0 to 1: fast-check's doubles are mostly tiny. */
const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom("submit" as const, "submit" as const, "poll" as const, "result" as const, "lose" as const),
  blocks: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
  answer: fc.constantFrom<Answer>("accept", "accept", "accept", "refuse", "cut-before", "cut-after"),
  force: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  target: fc.nat({ max: 20 }),
  phase: fc.constantFrom("pending" as const, "finalized" as const, "failed" as const),
  // A submission takes some 50 steps: its intent is written around the 25th, it is sent at the 37th, its answer is written around the 42nd.
  crashAt: fc.oneof(
    { weight: 2, arbitrary: fc.constant(1000) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 55 }) },
    { weight: 2, arbitrary: fc.integer({ min: 24, max: 48 }) },
  ),
  tornAt: share,
  indexed: fc.boolean(),
  power: fc.option(share, { nil: undefined }),
});

/** The outside world: a disk and a service that outlive every process, and what the user did. */
class World {
  public readonly disk = new MemoryDisk();
  public readonly service = new TestService();
  /** Journal ids in the order of arrivals at the service. */
  public readonly sent: string[] = [];
  public readonly givenUp = new Set<string>();
  public readonly acknowledged: string[] = [];
  #pid = 0;

  public records(): ReadonlyMap<string, JournalRecord> {
    return reduce(decodeJournal(this.disk.text(PATH)).entries);
  }

  public async run(step: Step): Promise<void> {
    this.#pid += 1;
    const pid = this.#pid;
    const life = new Lifetime(step.crashAt);
    const journal = journalOn({
      fs: memoryFs(this.disk, life, step.tornAt),
      // Every earlier process has ended.
      processes: { self: { pid, host: "here" }, mayBeAlive: (holder) => holder.pid === pid },
      ...(step.indexed ? { indexedFrom: 1 } : {}),
    });
    this.service.life = life;
    this.service.answer = step.answer;
    this.service.onSend = (hashes) => {
      this.#checkSend(hashes, step.force);
    };
    await this.#act(step, journal).catch(() => undefined);
    if (life.isDead && step.power !== undefined) this.disk.losePower(step.power);
  }

  async #act(step: Step, journal: Journal): Promise<void> {
    const { service } = this;
    const endpoint = new URL("https://hdp.example.org");
    const processor = new JournaledDataProcessor({
      ...{ processor: service, journal, network: "sepolia", taskHash, outcomeOf, endpoint },
    });
    if (step.action === "submit") {
      const submission = await processor.submit(requestOf(...step.blocks), { force: step.force });
      this.acknowledged.push(...submission.id.split(",").filter((id) => id !== "finalized"));
      return;
    }
    const records = [...this.records().values()];
    const record = records[step.target % Math.max(records.length, 1)];
    if (record === undefined) return;
    if (step.action === "lose") {
      // The user's wish counts from when it may have reached the disk.
      if (record.state === "intent" || record.state === "unknown" || record.state === "open")
        this.givenUp.add(record.id);
      await markLost(journal, record.id);
      return;
    }
    if (record.serviceId === undefined) return;
    if (step.action === "poll") {
      if (service.states.get(record.serviceId)?.phase === "pending") {
        service.states.set(record.serviceId, { name: step.phase.toUpperCase(), phase: step.phase });
      }
      await processor.status(submissionOf(record));
      return;
    }
    if (service.states.get(record.serviceId)?.phase !== "finalized") return;
    for (const hash of record.taskHashes) {
      await processor.recordResults([
        { submission: submissionOf(record), result: { taskHash: hash, word: hashOf(7), value: 7n, store: STORE } },
      ]);
    }
  }

  /** As a request leaves: its intent must be durable, and without force no live submission may hold its tasks. */
  #checkSend(hashes: readonly string[], force: boolean): void {
    const durable = [...reduce(decodeJournal(this.disk.durableText(PATH)).entries).values()];
    const intent = durable.at(-1);
    expect(intent?.state).to.equal("intent");
    expect(intent?.taskHashes).to.deep.equal(hashes);
    expect(this.sent).to.not.include(intent?.id);
    this.sent.push(intent?.id ?? "");
    if (force) return;
    for (const [index, arrival] of this.service.arrivals.entries()) {
      if (!arrival.hashes.some((hash) => hashes.includes(hash))) continue;
      const id = this.sent[index] ?? "";
      const hasFailed = this.service.states.get(arrival.id ?? "")?.phase === "failed";
      expect(arrival.answer === "refuse" || hasFailed || this.givenUp.has(id), "sent twice").to.equal(true);
    }
  }

  /** Compares what the journal says with what happened. */
  public check(): void {
    const records = this.records();
    for (const [index, arrival] of this.service.arrivals.entries()) {
      const record = records.get(this.sent[index] ?? "");
      expect(record, "a sent submission is missing").to.not.equal(undefined);
      if (record === undefined) continue;
      if (arrival.id === undefined) expect(record.serviceId).to.equal(undefined);
      else expect([undefined, arrival.id]).to.include(record.serviceId);
      const allowed = ["intent", "unknown"];
      if (arrival.answer === "refuse") allowed.push("refused");
      if (this.givenUp.has(record.id)) allowed.push("lost");
      if (record.serviceId !== undefined) {
        allowed.push("open", this.service.states.get(record.serviceId)?.phase ?? "");
        expect(record.state).to.not.be.oneOf(["intent", "unknown"]);
      }
      expect(allowed).to.include(record.state);
    }
    for (const record of records.values()) {
      if (this.sent.includes(record.id)) continue;
      expect(record.state).to.be.oneOf(["intent", "unknown", "lost"]);
      expect(record.serviceId).to.equal(undefined);
    }
    // A process that ends leaves nothing behind that stops the next one.
    for (const { kind } of decodeJournal(this.disk.text(PATH)).damage) expect(kind).to.equal("torn");
    const known = [...records.values()].map((record) => record.serviceId);
    for (const id of this.acknowledged) expect(known).to.include(id);
  }
}

describe("journal: recovery (property)", () => {
  it("tells the truth, loses nothing and sends nothing twice, wherever processes end", async () => {
    let sent = 0;
    let damaged = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const world = new World();
        for (const each of steps) {
          await world.run(each);
          world.check();
        }
        sent += world.sent.length;
        damaged += decodeJournal(world.disk.text(PATH)).damage.length;
      }),
      { numRuns: 900 },
    );
    // The runs must have exercised what they are about.
    expect(sent).to.be.greaterThan(500);
    expect(damaged).to.be.greaterThan(50);
  }).timeout(120_000);
});
