import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { sealLine } from "../../src/base/log-line.js";
import { openState, type FrontState, type FrontStateOptions } from "../../src/dev-server/front-state.js";
import { endedEntry } from "../../src/dev-server/task-log.js";
import type { TaskRecord } from "../../src/dev-server/task-record.js";
import { parseTaskRequest } from "../../src/request/parse.js";
import { taskHash } from "../../src/request/task-hash.js";
import { Crash, Lifetime, MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { headerTask } from "./fixture.js";

const WORD = `0x${"0".repeat(63)}7` as const;

describe("local front: a long log", () => {
  let dataDir: string;
  let disk: MemoryDisk;
  let ids: number;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "hdp-front-"));
    disk = new MemoryDisk();
    ids = 0;
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  const path = (): string => join(dataDir, "front.jsonl");

  async function open(options: Partial<FrontStateOptions> = {}): Promise<FrontState> {
    return await openState({
      ...{ dataDir, fs: memoryFs(disk), worthRewriting: 0 },
      timestamp: () => "2026-05-04T10:00:00.000Z",
      newId: () => `id-${(ids += 1)}`,
      processor: {
        submit: (request) =>
          Promise.resolve({
            ...{ id: "1", processor: "local", destinationChainId: request.destinationChainId },
            taskHashes: request.tasks.map((task) => taskHash(task)),
          }),
        wait: () => Promise.resolve({ name: "Finalized", phase: "finalized" }),
        results: ({ taskHashes }) =>
          Promise.resolve(taskHashes.map((hash) => ({ taskHash: hash, word: WORD, value: 7n, store: "0x01" }))),
      },
      providerFor: () => ({ request: () => Promise.reject(new Error("nothing is read")) }),
      notify: () => Promise.resolve(),
      onFailure: () => undefined,
      ...options,
    });
  }

  /** Accepts tasks one after the other, and waits for their end. */
  async function finish(state: FrontState, ends: readonly number[], key?: (end: number) => string): Promise<string[]> {
    const records: TaskRecord[] = [];
    for (const end of ends) {
      const idempotency = key && { key: key(end), digest: end.toString(16).padStart(64, "0") };
      const request = parseTaskRequest(headerTask(end));
      records.push(await state.tasks.accept({ edition: "tasks", request, idempotency }));
    }
    while (records.some(({ state: at }) => at !== "TaskDecommitmentCompleted")) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return records.map(({ accepted }) => accepted.id);
  }

  it("finds tasks of earlier starts by id and by key, as they were", async () => {
    const first = await open();
    const [id = ""] = await finish(first, [3], () => 'a "quoted" key');
    const [plain = ""] = await finish(first, [4], () => "plain-key");
    const before = [await first.tasks.index.find(id), await first.tasks.index.find(plain)];
    await first.close();

    const second = await open();
    const { index } = second.tasks;
    for (const [at, known] of [id, plain].entries()) {
      const found = await index.find(known);
      expect(found?.accepted).to.deep.equal(before[at]?.accepted);
      expect(found?.transitions).to.deep.equal(before[at]?.transitions);
      expect(found?.results).to.deep.equal([{ taskHash: before[at]?.accepted.taskHashes[0], word: WORD }]);
      expect(await index.find(known), "one record for everyone").to.equal(found);
    }
    expect((await index.findByKey("plain-key"))?.accepted.id).to.equal(plain);
    expect((await index.findByKey('a "quoted" key'))?.accepted.id).to.equal(id);
    expect(index.findByKey("another")).to.equal(undefined);
    expect(await index.find("another")).to.equal(undefined);
    expect(index.ids()).to.deep.equal([plain, id]);
    expect(await index.idsWhere(({ accepted }) => accepted.id === id)).to.deep.equal([id]);
    expect((await index.all([id, "another"])).map(({ accepted }) => accepted.id)).to.deep.equal([id]);
    await second.close();
  });

  it("reads the logs of 0.1.0, whose lines have no checksum and other orders of members", async () => {
    const first = await open();
    const [id = ""] = await finish(first, [3]);
    const record = await first.tasks.index.find(id);
    await first.close();
    const [accepted = "", ended = ""] = disk
      .text(path())
      .trim()
      .split("\n")
      .map((line) => line.replace(/,"sum":"\w+"\}$/, "}"));
    const { type, id: taskId, ...others } = JSON.parse(accepted) as Record<string, unknown>;
    const file = disk.files.get(path());
    if (file === undefined || record === undefined) throw new Error("nothing was written");
    const { state, ...rest } = JSON.parse(ended) as Record<string, unknown>;
    file.bytes = Buffer.from(
      `${JSON.stringify({ type, edition: "tasks", id: taskId, ...others })}\n\n${JSON.stringify(rest)}\n`,
    );
    expect(state).to.equal("TaskDecommitmentCompleted");

    const second = await open();
    const found = await second.tasks.index.find(id);
    expect(found?.accepted).to.deep.equal(record.accepted);
    expect(endedEntry(found ?? record)).to.deep.equal(endedEntry(record));
    await second.close();
  });

  it("begins a failed task of an earlier start anew once, whoever asks", async () => {
    const first = await open();
    const request = parseTaskRequest(headerTask(3));
    const { accepted } = await first.tasks.withhold({ edition: "tasks", request }, "DryRunFailed", "a fault");
    await first.close();
    const second = await open();
    const [one, two] = await Promise.all([second.tasks.index.find(accepted.id), second.tasks.index.find(accepted.id)]);
    expect(one?.error).to.equal("a fault");
    expect(one).to.equal(two);
    await second.close();
  });

  it("does not start with a line that was changed", async () => {
    const first = await open();
    await finish(first, [3, 4]);
    await first.close();
    const file = disk.files.get(path());
    if (file === undefined) throw new Error("nothing was written");
    file.bytes = Buffer.from(disk.text(path()).replace('"blockRangeEnd":4', '"blockRangeEnd":5'));
    const failure = await open().catch((error: unknown) => String(error));
    expect(failure).to.match(/HDP-4502.*line [23] is damaged \(its checksum is wrong\)/);
    file.bytes = Buffer.from(sealLine('{"type":"recipe"}') + "\n");
    expect(await open().catch((error: unknown) => String(error))).to.match(/line 1 is none that this version writes/);
  });

  it("forgets the oldest that ended, and takes them out of the log at the next start", async () => {
    const ends = Array.from({ length: 12 }, (_, end) => end);
    const first = await open();
    const all = await finish(first, ends, (end) => `key-${end}`);
    await first.growOrders.create("order", "2026-05-04", { n: 1 });
    await first.close();
    const before = disk.text(path());

    const few = { remembered: 4 };
    await (await open({ ...few, worthRewriting: 1_000_000 })).close();
    expect(disk.text(path()), "too little to be worth it").to.equal(before);

    const second = await open(few);
    expect(second.tasks.index.ids()).to.deep.equal(all.slice(8).reverse());
    expect(second.tasks.index.findByKey("key-7")).to.equal(undefined);
    expect((await second.tasks.index.findByKey("key-8"))?.accepted.id).to.equal(all[8]);
    expect(second.growOrders.find("order")?.status).to.equal("OPEN");
    // Forgotten while it runs, too.
    const [last = ""] = await finish(second, [20]);
    expect(second.tasks.index.ids()).to.deep.equal([last, ...all.slice(9).reverse()]);
    await second.close();
    const after = disk.text(path());
    expect(after.length).to.be.lessThan(before.length / 2);
    expect(disk.files.has(`${path()}.new`)).to.equal(false);
    const third = await open(few);
    expect((await third.tasks.index.find(last))?.accepted.request.tasks).to.have.length(1);
    await third.close();
  });

  it("loses nothing when the process ends at any step of writing the log anew", async () => {
    const first = await open();
    const ends = Array.from({ length: 9 }, (_, end) => end);
    const all = await finish(first, ends);
    await first.close();
    const bytes = Buffer.from(disk.text(path()));
    let isThrough = false;
    for (let crashAt = 1; !isThrough; crashAt += 1) {
      for (const kept of [0, 0.5, 1]) {
        disk.files.clear();
        disk.files.set(path(), { bytes: Buffer.from(bytes), synced: bytes.length, nameSynced: true });
        const life = new Lifetime(crashAt);
        const dying = open({ remembered: 3, fs: memoryFs(disk, life) });
        isThrough = await dying.then(
          () => true,
          (error: unknown) => {
            if (!life.isDead) throw error;
            expect(String((error as Error).cause ?? error)).to.include(new Crash("the process ended").message);
            return false;
          },
        );
        if (isThrough) await (await dying).close();
        else await rm(join(dataDir, "lock"), { force: true });
        disk.losePower(kept);
        const next = await open({ remembered: 3 });
        expect(next.tasks.index.ids(), `step ${crashAt}, ${kept} kept`).to.deep.equal(all.slice(6).reverse());
        for (const id of all.slice(6)) expect((await next.tasks.index.find(id))?.results).to.have.length(1);
        await next.close();
      }
    }
  });
});
