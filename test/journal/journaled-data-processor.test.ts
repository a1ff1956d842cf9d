import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { encodeEntry } from "../../src/journal/entry.js";
import type { SubmissionPlan } from "../../src/journal/idempotency.js";
import { describePlan } from "../../src/journal/idempotency.js";
import type { Journal } from "../../src/journal/journal.js";
import type { JournalFs } from "../../src/journal/journal-fs.js";
import { nodeJournalFs } from "../../src/journal/journal-fs.js";
import type { JournaledOptions } from "../../src/journal/journaled-data-processor.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import type { JournalRecord } from "../../src/journal/record.js";
import { markLost, recordAccepted } from "../../src/journal/resolve.js";
import type { TaskResult, TaskStatus } from "../../src/request/lifecycle.js";
import { errorOf, hashOf, journalOn, PATH, requestOf, STORE, taskHash } from "./support/fixtures.js";
import { MemoryDisk, memoryFs } from "./support/memory-disk.js";
import { outcomeOf, Refusal, TestService } from "./support/test-service.js";

interface Setup {
  readonly disk: MemoryDisk;
  readonly journal: Journal;
  readonly service: TestService;
  readonly processor: JournaledDataProcessor;
  readonly records: () => Promise<JournalRecord[]>;
}

function setUp(options: Partial<JournaledOptions> = {}, change: (fs: JournalFs) => JournalFs = (fs) => fs): Setup {
  const disk = new MemoryDisk();
  const journal = journalOn({ fs: change(memoryFs(disk)) });
  const service = new TestService();
  const processor = new JournaledDataProcessor({
    ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
    endpoint: new URL("https://user:pw@hdp.example.org/v1?apiKey=s3cret"),
    ...options,
  });
  return { disk, journal, service, processor, records: async () => [...(await journal.records()).records.values()] };
}

const NOTHING = async (): Promise<void> => {
  await Promise.resolve();
};

const resultOf = (block: number, value = 7): TaskResult => ({
  ...{ taskHash: hashOf(block), word: hashOf(value), value: BigInt(value), store: STORE },
});

/** A file system that fails to write from the n-th line on. */
function failingFrom(line: number, short = false): (fs: JournalFs) => JournalFs {
  let lines = 0;
  return (fs) => ({
    ...fs,
    openAppend: async (path) => {
      const handle = await fs.openAppend(path);
      const write = async (bytes: Uint8Array): Promise<number> => {
        lines += 1;
        if (lines < line) return await handle.write(bytes);
        if (short) return await handle.write(bytes.subarray(0, 5));
        throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      };
      return { ...handle, write };
    },
  });
}

describe("journal: submitting", () => {
  it("records intent and acceptance without secrets", async () => {
    const { disk, processor, records } = setUp();
    expect(await processor.submit(requestOf(1, 2))).to.deep.equal({
      ...{ id: "task-1", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA" },
      taskHashes: [hashOf(1), hashOf(2)],
    });
    const [record] = await records();
    expect(record?.state).to.equal("open");
    expect(record?.endpointHost).to.equal("hdp.example.org");
    expect(record?.request).to.deep.equal(requestOf(1, 2));
    expect(disk.text(PATH)).to.not.match(/s3cret|pw@|user/);
  });

  it("returns an open submission instead of sending again", async () => {
    const { service, processor } = setUp();
    const first = await processor.submit(requestOf(1));
    expect(await processor.submit(requestOf(1))).to.deep.equal(first);
    expect(service.arrivals.length).to.equal(1);
  });

  it("sends again by force, and says so in the record", async () => {
    const { service, processor, records } = setUp();
    await processor.submit(requestOf(1));
    expect((await processor.submit(requestOf(1), { force: true })).id).to.equal("task-2");
    expect(service.arrivals.length).to.equal(2);
    expect((await records()).map((record) => record.forced)).to.deep.equal([false, true]);
  });

  it("sends only what a batch is missing, and answers for all of it in order", async () => {
    const { service, processor } = setUp({
      finalizedInStore: async (hashes) =>
        await Promise.resolve(new Map(hashes.filter((h) => h === hashOf(9)).map((h) => [h, resultOf(9)]))),
    });
    await processor.submit(requestOf(1));
    const plans: SubmissionPlan[] = [];
    const submission = await processor.submit(requestOf(9, 1, 3, 3), { onPlan: (plan) => plans.push(plan) });
    expect(submission.id).to.equal("task-2,task-1");
    expect(submission.taskHashes).to.deep.equal([9, 1, 3, 3].map(hashOf));
    expect(service.arrivals[1]?.hashes).to.deep.equal([hashOf(3)]);
    expect(plans.map(describePlan)[0]?.[0]).to.equal("1 of 3 tasks to send.");
    service.states.set("task-2", { name: "DONE", phase: "finalized" });
    expect(await processor.status(submission)).to.deep.equal({
      ...{ name: "RECEIVED", phase: "pending", detail: "1 of 2 submissions finalized" },
    });
    service.states.set("task-1", { name: "PROVING", phase: "pending", detail: "40 %" });
    expect((await processor.status(submission)).detail).to.equal("40 % (1 of 2 submissions finalized)");
    service.states.set("task-1", { name: "ERROR", phase: "failed", detail: "no" });
    expect(await processor.status(submission)).to.deep.equal({ name: "ERROR", phase: "failed", detail: "no" });
    service.states.set("task-1", { name: "DONE", phase: "finalized" });
    expect(await processor.status(submission)).to.deep.equal({ name: "DONE", phase: "finalized" });
  });

  it("asks nobody when everything is finalized", async () => {
    const { service, processor } = setUp({
      finalizedInStore: async () => await Promise.resolve(new Map([[hashOf(1), resultOf(1)]])),
    });
    const submission = await processor.submit(requestOf(1));
    expect(submission).to.deep.equal({
      ...{ id: "finalized", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [hashOf(1)] },
    });
    expect(await processor.status(submission)).to.deep.equal({ name: "finalized", phase: "finalized" });
    expect(service.arrivals).to.deep.equal([]);
    expect(service.asked).to.deep.equal([]);
  });

  it("keeps the service's own hashes in their places", async () => {
    const { service, processor } = setUp();
    service.serviceTaskHashes = [hashOf(101)];
    await processor.submit(requestOf(1));
    service.serviceTaskHashes = undefined;
    const submission = await processor.submit(requestOf(2, 1));
    expect(submission.serviceTaskHashes).to.deep.equal([hashOf(2), hashOf(101)]);
  });

  it("passes a refusal on and sends the task again afterwards", async () => {
    const { service, processor, records } = setUp();
    service.answer = "refuse";
    const refusal = await processor.submit(requestOf(1)).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Refusal);
    service.answer = "accept";
    expect((await processor.submit(requestOf(1))).id).to.equal("task-2");
    expect((await records()).map((record) => record.state)).to.deep.equal(["refused", "open"]);
  });

  it("stops at an unknown outcome until it is settled", async () => {
    const { disk, journal, service, processor, records } = setUp();
    service.answer = "cut-after";
    const cut = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(cut.code).to.equal("HDP-5008");
    expect(cut.cause).to.be.instanceOf(Error);
    expect(cut.message + disk.text(PATH)).to.not.contain("s3cret");
    service.answer = "accept";
    const again = await errorOf(async () => await processor.submit(requestOf(1, 2)));
    expect(again.code).to.equal("HDP-5005");
    expect(again.hints[0]).to.equal(`Task ${hashOf(1)}`);
    expect(again.message).to.match(/hdp:read[^]*--accepted[^]*--lost[^]*--force/);
    expect(service.arrivals.length).to.equal(1);

    expect((await recordAccepted(journal, hashOf(1), "task-1")).state).to.equal("open");
    expect((await processor.submit(requestOf(1, 2))).id).to.equal("task-2,task-1");
    expect((await records()).map((record) => record.state)).to.deep.equal(["open", "open"]);
  });

  it("counts several tasks of unknown outcome", async () => {
    const { service, processor } = setUp();
    service.answer = "cut-before";
    await errorOf(async () => await processor.submit(requestOf(1, 2)));
    const error = await errorOf(async () => await processor.submit(requestOf(2, 1)));
    expect(error.message).to.contain("whether 2 tasks of this request, sent before, was accepted");
    expect(error.hints.filter((hint) => hint.startsWith("Submission")).length).to.equal(1);
  });

  it("sends a lost task again, and settles only what is unsettled", async () => {
    const { journal, service, processor } = setUp();
    await processor.submit(requestOf(1));
    expect((await markLost(journal, "task-1", "gone")).reason).to.equal("gone");
    expect((await processor.submit(requestOf(1))).id).to.equal("task-2");
    service.states.set("task-2", { name: "DONE", phase: "finalized" });
    await processor.status({ ...(await processor.submit(requestOf(1))) });
    const lost = await errorOf(async () => await markLost(journal, "task-2"));
    expect(lost.code).to.equal("HDP-5011");
    expect(lost.message).to.contain("is finalized and cannot be marked as lost.");
    const accepted = await errorOf(async () => await recordAccepted(journal, "task-2", "x"));
    expect(accepted.message).to.contain("is finalized and cannot be recorded as accepted.");
    expect((await errorOf(async () => await markLost(journal, "nobody"))).code).to.equal("HDP-5010");
  });

  it("sends nothing when aborted before, and leaves no intent", async () => {
    const { disk, service, processor } = setUp();
    const signal = AbortSignal.abort(new RangeError("enough"));
    const error = await processor.submit(requestOf(1), { signal }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(service.arrivals).to.deep.equal([]);
    expect(disk.text(PATH)).to.equal("");
  });

  it("sends nothing when a newer version wrote the journal", async () => {
    const { disk, service, processor } = setUp();
    disk.files.set(PATH, { bytes: Buffer.from('{"v":2}\n'), synced: 8, nameSynced: true });
    const error = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5006");
    expect(error.path).to.equal(`${PATH}:1`);
    expect(service.arrivals).to.deep.equal([]);
  });
});

describe("journal: a disk that fails", () => {
  it("sends nothing without an intent", async () => {
    for (const short of [false, true]) {
      const { service, processor } = setUp({}, failingFrom(1, short));
      const error = await errorOf(async () => await processor.submit(requestOf(1)));
      expect(error.code).to.equal("HDP-5001");
      expect(error.message).to.contain(short ? "(unknown reason)" : "(ENOSPC)");
      expect(service.arrivals).to.deep.equal([]);
    }
  });

  it("names the id of an acceptance that it cannot record", async () => {
    const { processor, records } = setUp({}, failingFrom(2));
    const error = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5007");
    expect(error.message).to.match(/accepted the tasks as task-1[^]*--accepted task-1/);
    expect((await records())[0]?.state).to.equal("intent");
  });

  it("says so when the lock cannot be created, read or removed", async () => {
    const failing = async (): Promise<never> =>
      await Promise.reject(Object.assign(new Error("not permitted"), { code: "EPERM" }));
    const { service, processor } = setUp({}, (fs) => ({ ...fs, createExclusive: failing }));
    const error = await errorOf(async () => await processor.submit(requestOf(1)));
    expect([error.code, error.path]).to.deep.equal(["HDP-5001", `${PATH}.lock`]);
    expect(error.message).to.contain("(EPERM)");
    expect(service.arrivals).to.deep.equal([]);
    const held = setUp({}, (fs) => ({
      ...fs,
      createExclusive: async () => await Promise.resolve(false),
      read: failing,
    }));
    expect((await errorOf(async () => await held.processor.submit(requestOf(1)))).path).to.equal(`${PATH}.lock`);
    const kept = setUp({}, (fs) => ({ ...fs, remove: failing }));
    expect((await errorOf(async () => await kept.processor.submit(requestOf(1)))).path).to.equal(`${PATH}.lock`);
    expect((await kept.records())[0]?.state).to.equal("open");
  });

  it("still says why sending failed", async () => {
    const { service, processor, records } = setUp({}, failingFrom(2));
    service.answer = "refuse";
    expect(await processor.submit(requestOf(1)).catch((error: unknown) => error)).to.be.instanceOf(Refusal);
    expect((await records())[0]?.state).to.equal("intent");
  });

  it("says so when the journal cannot be read or its directory not be made", async () => {
    const directory = mkdtempSync(join(tmpdir(), "hdp-journal-"));
    try {
      const path = join(directory, "journal.jsonl");
      mkdirSync(path);
      const unreadable = await errorOf(async () => await journalOn({ fs: nodeJournalFs, path }).read());
      expect(unreadable.code).to.equal("HDP-5002");
      expect(unreadable.message).to.contain("(EISDIR)");
      const file = join(directory, "file");
      const whole = journalOn({ fs: nodeJournalFs, path: file });
      await whole.append({ event: "lost", id: "a" });
      expect(readFileSync(file, "utf8")).to.equal(
        `${encodeEntry({ event: "lost", id: "a" }, new Date("2026-01-01T00:00:00.000Z"))}\n`,
      );
      const below = journalOn({ fs: nodeJournalFs, path: join(file, "hdp", "journal.jsonl") });
      const error = await errorOf(async () => {
        await below.exclusively(NOTHING);
      });
      expect(error.code).to.equal("HDP-5001");
      expect(error.message).to.contain("(ENOTDIR)");
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("journal: reading again", () => {
  it("finds what was appended, torn and rewritten since, with the file's line numbers", async () => {
    const disk = new MemoryDisk();
    const journal = journalOn({ fs: memoryFs(disk) });
    const line = (id: string): string => encodeEntry({ event: "lost", id }, new Date(0));
    const read = async (text: string): Promise<unknown> => {
      disk.files.set(PATH, { bytes: Buffer.from(text), synced: 0, nameSynced: true });
      const { entries, damage } = await journal.read();
      return [entries.map(({ id }) => id).join(""), damage.map((damaged) => damaged.line).join()];
    };
    const begin = `${line("a")}\noops\n${line("b")}`;
    expect(await read(begin)).to.deep.equal(["ab", "2"]);
    expect(await read(`${begin}\n`)).to.deep.equal(["ab", "2"]);
    expect(await read(`${begin}\n${line("c").slice(0, 9)}`)).to.deep.equal(["ab", "2,4"]);
    expect(await read(`${begin}\n${line("c").slice(0, 9)}\n${line("d")}\n`)).to.deep.equal(["abd", "2,4"]);
    expect(await read(`${line("x")}\n${begin}\n`)).to.deep.equal(["xab", "3"]);
    expect(await read("")).to.deep.equal(["", ""]);
  });
});

describe("journal: watching", () => {
  it("writes each state once, failures with their words", async () => {
    const { service, processor, records } = setUp({ redact: (text) => text.replaceAll("k1", "***") });
    const submission = await processor.submit(requestOf(1));
    const states: TaskStatus[] = [
      { name: "RECEIVED", phase: "pending" },
      { name: "RECEIVED", phase: "pending", detail: "still" },
      { name: "PROVING", phase: "pending", detail: "key k1" },
      { name: "ERROR", phase: "failed", detail: "at https://h/p?apiKey=k2" },
    ];
    for (const state of states) {
      service.states.set("task-1", state);
      expect(await processor.status(submission)).to.deep.equal(state);
    }
    const [record] = await records();
    expect(record?.state).to.equal("failed");
    expect(record?.states.map(({ name, phase, detail }) => [name, phase, detail])).to.deep.equal([
      ["RECEIVED", "pending", undefined],
      ["PROVING", "pending", "key ***"],
      ["ERROR", "failed", "at https://h/p?***"],
    ]);
  });

  it("goes on from another process without repeating a state", async () => {
    const { journal, service, processor, records } = setUp();
    await processor.status(await processor.submit(requestOf(1)));
    const other = new JournaledDataProcessor({
      ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
    });
    await other.status(await other.submit(requestOf(2)));
    await other.status({
      ...{ id: "task-1", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] },
    });
    expect((await records()).map((record) => record.states.length)).to.deep.equal([1, 1]);
    expect((await records())[1]?.endpointHost).to.equal(undefined);
  });

  it("asks for a submission that it does not know, and writes nothing", async () => {
    const { disk, processor } = setUp();
    const foreign = { processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] } as const;
    expect(await processor.status({ id: "elsewhere", ...foreign })).to.deep.equal({
      ...{ name: "UNHEARD_OF", phase: "pending" },
    });
    expect(disk.text(PATH)).to.equal("");
  });

  it("writes each result once and is finalized when all are there", async () => {
    const { processor, records } = setUp();
    const submission = await processor.submit(requestOf(1, 2));
    await processor.recordResult(submission, resultOf(1));
    await processor.recordResult(submission, resultOf(1));
    await processor.recordResult(submission, resultOf(3));
    expect((await records())[0]?.state).to.equal("open");
    await processor.recordResult(submission, { ...resultOf(2), transactionHash: hashOf(5), blockNumber: 66n });
    const [record] = await records();
    expect(record?.state).to.equal("finalized");
    expect(
      [...(record?.results.values() ?? [])].map(({ taskHash: hash, blockNumber }) => [hash, blockNumber]),
    ).to.deep.equal([
      [hashOf(1), undefined],
      [hashOf(2), 66n],
    ]);
    // Another word for the same task is news: both are kept in the file, the newest in the record.
    await processor.recordResult(submission, resultOf(1, 8));
    expect((await records())[0]?.results.get(hashOf(1))?.word).to.equal(hashOf(8));
    expect((await processor.submit(requestOf(1, 2))).id).to.equal("finalized");
  });
});
