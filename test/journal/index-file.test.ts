import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { type DurableFs, nodeFs } from "../../src/base/durable-fs.js";
import { encodeEntry, type NewEntry } from "../../src/journal/journal-entry.js";
import { checkJournal, repairJournal } from "../../src/journal/journal-check.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import type { Journal } from "../../src/journal/journal.js";
import { Lifetime, MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { childScript } from "../support/child-script.js";
import type { ChildJob } from "./processes/child.js";
import { diskOf, errorOf, hashOf, journalOn, PATH, requestOf, TARGET, taskHash } from "./support/fixtures.js";
import { outcomeOf, TestService } from "./support/test-service.js";

const INDEX = `${PATH}.index`;
const AT = new Date("2026-01-01T00:00:00.000Z");
const accepted = (block: number): NewEntry => ({
  ...{ event: "accepted", id: `id-${block}`, ...TARGET, taskHashes: [hashOf(block)] },
  ...{ serviceId: `service-${block}`, serviceProcessor: "tasks" },
});
const END: NewEntry = { event: "lost", id: "id-2", reason: "given up" };
const ENTRIES = [
  accepted(1),
  accepted(2),
  { event: "call", id: "k", kind: "program", network: "n", content: hashOf(4) },
  END,
];

function put(disk: MemoryDisk, path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  disk.files.set(path, { bytes, synced: bytes.length, nameSynced: true });
}

const bytesOf = (disk: MemoryDisk, path: string): Buffer => Buffer.from(disk.files.get(path)?.bytes ?? "");
const indexing = (fs: DurableFs): Journal => journalOn({ fs, indexedFrom: 1 });

/** What a new process knows of a journal. */
async function toldBy(journal: Journal): Promise<unknown> {
  const look = await journal.look();
  const records = await look.withTasks([1, 2, 3, 4].map(hashOf));
  return {
    ...{ size: look.size, calls: [...(await look.calls()).keys()], damage: look.damage },
    records: records.map(({ id, state, serviceId }) => [id, state, serviceId]),
  };
}

/** A disk with a journal and the index that a look left. */
async function indexed(...more: NewEntry[]): Promise<MemoryDisk> {
  const disk = diskOf(...(ENTRIES as NewEntry[]), ...more);
  await indexing(memoryFs(disk)).look();
  expect(disk.files.has(INDEX)).to.equal(true);
  return disk;
}

/** A file system that tells from where on lines of the journal were read one after the other. */
function watched(disk: MemoryDisk): { readonly fs: DurableFs; readonly from: number[] } {
  const fs = memoryFs(disk);
  const from: number[] = [];
  const openRead: DurableFs["openRead"] = async (path) => {
    const file = await fs.openRead(path);
    if (file === undefined || path !== PATH) return file;
    const readAt: typeof file.readAt = async (position, length, into) => {
      if (into === undefined && length >= 64 * 1024) from.push(position);
      return await file.readAt(position, length);
    };
    return { ...file, readAt };
  };
  return { fs: { ...fs, openRead }, from };
}

describe("journal: the index beside it", () => {
  it("is written for a journal of some length, and anew when that has grown by a part", async () => {
    const disk = diskOf(...(ENTRIES as NewEntry[]));
    await journalOn({ fs: memoryFs(disk) }).look();
    expect([...disk.files.keys()]).to.deep.equal([PATH]);
    const length = bytesOf(disk, PATH).length;
    await journalOn({ fs: memoryFs(disk), indexedFrom: length + 1 }).look();
    expect(disk.files.has(INDEX)).to.equal(false);
    await journalOn({ fs: memoryFs(disk), indexedFrom: length }).look();
    expect([...disk.files.keys()]).to.deep.equal([PATH, INDEX]);

    const many = Array.from({ length: 40 }, (_, at) => accepted(at + 10));
    put(disk, PATH, [...(ENTRIES as NewEntry[]), ...many].map((entry) => `${encodeEntry(entry, AT)}\n`).join(""));
    const journal = indexing(memoryFs(disk));
    await journal.look();
    const first = bytesOf(disk, INDEX);
    // A line is less than a sixteenth of what is covered, three are more.
    await journal.append(accepted(3));
    await journal.look();
    expect(bytesOf(disk, INDEX).equals(first)).to.equal(true);
    for (const block of [4, 5]) await journal.append(accepted(block));
    await journal.look();
    expect(bytesOf(disk, INDEX).equals(first)).to.equal(false);
  });

  it("spares reading the lines that it covers", async () => {
    const disk = await indexed();
    const covered = bytesOf(disk, PATH).length;
    put(disk, PATH, `${disk.text(PATH)}${encodeEntry(accepted(3), AT)}\n`);
    const { fs, from } = watched(disk);
    const look = await journalOn({ fs }).look();
    expect([look.size, from]).to.deep.equal([3, [covered, bytesOf(disk, PATH).length]]);
    expect((await look.submission("id-1"))?.serviceId).to.equal("service-1");
  });

  it("is passed over and made anew where any byte of it is another one, is missing or too much", async () => {
    const disk = await indexed();
    const whole = bytesOf(disk, INDEX);
    const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...(ENTRIES as NewEntry[]))) }));
    const damaged = [...whole.keys()].map((at) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      return bytes;
    });
    const cut = [0, 1, 20, 100, whole.length / 2, whole.length - 33, whole.length - 1].map((end) =>
      whole.subarray(0, end),
    );
    const others = [Buffer.concat([whole, Buffer.from("x")]), Buffer.from("{}\n"), Buffer.alloc(whole.length)];
    for (const bytes of [...damaged, ...cut, ...others]) {
      put(disk, INDEX, bytes);
      expect(await toldBy(indexing(memoryFs(disk)))).to.deep.equal(expected);
      expect(bytesOf(disk, INDEX).equals(whole), "made anew").to.equal(true);
    }
  });

  it("is passed over where the journal is another one: shorter, changed, merged, begun anew", async () => {
    const disk = await indexed();
    const index = bytesOf(disk, INDEX);
    const lines = disk.text(PATH).split("\n").slice(0, -1);
    const other = encodeEntry(accepted(3), AT);
    const journals = [
      "",
      `${lines.slice(0, 2).join("\n")}\n`,
      `${[other, ...lines].join("\n")}\n`,
      `${[lines[0], other, ...lines.slice(1)].join("\n")}\n`,
      // Of the same length, with the same end, and all of its lines are good.
      `${[encodeEntry(accepted(3), AT), ...lines.slice(1)].join("\n")}\n`,
      `${[lines[1], lines[0], ...lines.slice(2)].join("\n")}\n`,
    ];
    for (const text of journals) {
      const fresh = new MemoryDisk();
      put(fresh, PATH, text);
      const expected = await toldBy(journalOn({ fs: memoryFs(fresh) }));
      put(fresh, INDEX, index);
      expect(await toldBy(journalOn({ fs: memoryFs(fresh) }))).to.deep.equal(expected);
    }
    const gone = new MemoryDisk();
    put(gone, INDEX, index);
    expect((await journalOn({ fs: memoryFs(gone) }).look()).size).to.equal(0);
  });

  it("hides no damage: whatever byte of the journal is changed is told as without it", async () => {
    const disk = await indexed();
    const [text, index] = [bytesOf(disk, PATH), bytesOf(disk, INDEX)];
    let found = 0;
    for (const at of text.keys()) {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const fresh = new MemoryDisk();
      put(fresh, PATH, bytes);
      const { damage } = await journalOn({ fs: memoryFs(fresh) }).look();
      if (damage.length > 0) found += 1;
      put(fresh, INDEX, index);
      expect((await journalOn({ fs: memoryFs(fresh) }).look()).damage, `byte ${at}`).to.deep.equal(damage);
    }
    // All but those in the names of the checksums: what the lines say is whole.
    expect(text.length - found).to.be.at.most(ENTRIES.length * '"sum":'.length);
  });

  it("stops submissions for damage in what it covers until that is repaired, and knows of the repair", async () => {
    for (const change of [
      (line: string) => line.replace("sepolia", "sepolib"),
      (line: string) => line.slice(0, 50),
      (line: string) => "\0".repeat(line.length),
    ]) {
      const disk = await indexed();
      const lines = disk.text(PATH).split("\n");
      put(disk, PATH, lines.map((line, at) => (at === 1 ? change(line) : line)).join("\n"));
      const service = new TestService();
      const submit = async (): Promise<string> => {
        const journal = indexing(memoryFs(disk));
        const processor = new JournaledDataProcessor({
          ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
        });
        return (await processor.submit(requestOf(7))).id;
      };
      for (let again = 0; again < 2; again += 1) {
        const error = await errorOf(submit);
        expect([error.code, error.path]).to.deep.equal(["HDP-5012", `${PATH}:2`]);
      }
      expect(service.arrivals).to.deep.equal([]);
      const check = await checkJournal(indexing(memoryFs(disk)));
      expect(check.damage.map(({ line, kind }) => [line, kind])).to.deep.equal([[2, "damaged"]]);
      await repairJournal(indexing(memoryFs(disk)));
      await indexing(memoryFs(disk)).look();
      expect((await checkJournal(indexing(memoryFs(disk)))).damage).to.deep.equal([]);
      expect(await submit()).to.equal("task-1");
    }
  });

  it("is not kept of what a later version may read", async () => {
    const disk = diskOf(accepted(1));
    put(disk, PATH, `${disk.text(PATH)}{"v":2,"id":"x"}\n${encodeEntry(accepted(2), AT)}\n`);
    const { damage } = await indexing(memoryFs(disk)).look();
    expect(damage.map(({ kind }) => kind)).to.deep.equal(["newer"]);
    expect(disk.files.has(INDEX)).to.equal(false);
  });

  it("is not needed: a folder that cannot be written, a full disk, a lock that is no lock", async () => {
    const failing = async (): Promise<never> =>
      await Promise.reject(Object.assign(new Error("read-only"), { code: "EROFS" }));
    const changes: ((fs: DurableFs) => DurableFs)[] = [
      (fs) => ({ ...fs, createExclusive: failing }),
      (fs) => ({ ...fs, openAppend: failing }),
      (fs) => ({ ...fs, replace: failing }),
      (fs) => ({ ...fs, remove: failing }),
      (fs) => ({ ...fs, openRead: async (path) => (path === INDEX ? await failing() : await fs.openRead(path)) }),
    ];
    for (const change of changes) {
      const disk = diskOf(...(ENTRIES as NewEntry[]));
      const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...(ENTRIES as NewEntry[]))) }));
      expect(await toldBy(indexing(change(memoryFs(disk))))).to.deep.equal(expected);
    }
    const locked = diskOf(...(ENTRIES as NewEntry[]));
    put(locked, `${PATH}.lock.index`, "no lock");
    expect((await indexing(memoryFs(locked)).look()).size).to.equal(2);
    expect(locked.files.has(INDEX)).to.equal(false);
  });

  it("is old, new or none, and nothing is lost, wherever the process that writes it ends", async function () {
    // Hundreds of journals, each read three times.
    this.timeout(120_000);
    const before = bytesOf(await indexed(), INDEX);
    const more = [accepted(3), accepted(4)];
    const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...(ENTRIES as NewEntry[]), ...more)) }));
    let deaths = 0;
    for (const old of [undefined, before]) {
      for (const kept of [undefined, 0, 0.5, 1]) {
        for (let crashAt = 0; ; crashAt += 1) {
          const disk = diskOf(...(ENTRIES as NewEntry[]), ...more);
          if (old !== undefined) put(disk, INDEX, old);
          const life = new Lifetime(crashAt);
          const processes = { self: { pid: 1, host: "here" }, mayBeAlive: () => true };
          await indexing(memoryFs(disk, life))
            .look()
            .catch(() => undefined);
          if (!life.isDead) break;
          deaths += 1;
          if (kept !== undefined) disk.losePower(kept);
          // The next process finds what there is, and leaves a whole index behind.
          const next = journalOn({
            ...{ fs: memoryFs(disk), indexedFrom: 1 },
            processes: { ...processes, self: { pid: 2, host: "here" }, mayBeAlive: ({ pid }) => pid === 2 },
          });
          expect(await toldBy(next), `step ${crashAt}`).to.deep.equal(expected);
          const { fs, from } = watched(disk);
          expect(await toldBy(journalOn({ fs }))).to.deep.equal(expected);
          expect(from[0], `step ${crashAt}`).to.equal(bytesOf(disk, PATH).length);
          // What the dead one left beside it goes with the next one that is written.
          put(disk, PATH, disk.text(PATH).repeat(2));
          await next.look();
          expect([...disk.files.keys()].sort(), `step ${crashAt}`).to.deep.equal([PATH, INDEX]);
        }
      }
    }
    expect(deaths).to.be.greaterThan(300);
  });
});

describe("journal: the index and several processes", () => {
  const CHILD = fileURLToPath(new URL("processes/child.ts", import.meta.url));
  let directory: string;
  let path: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "hdp-index-"));
    path = join(directory, "journal.jsonl");
    const entries = [...(ENTRIES as NewEntry[]), accepted(3)];
    writeFileSync(path, entries.map((entry) => `${encodeEntry(entry, AT)}\n`).join(""));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  async function run(job: ChildJob): Promise<{ readonly signal: string | null; readonly stdout: string }> {
    const script = await childScript(CHILD);
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, JSON.stringify(job)]);
      let stdout = "";
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
      child.on("error", reject);
      child.on("close", (_code, signal) => {
        resolve({ signal, stdout });
      });
    });
  }

  it("recovers from kill -9 at each kind of step of writing it", async () => {
    const points = ["remove:1:before", "write:1:before", "write:1:partial", "write:9:partial", "write:16:before"];
    const all = [...points, "write:16:partial", "replace:1:before", "replace:1:after", "remove:2:before"];
    for (let at = 0; at < all.length; at += 3) {
      await Promise.all(
        all.slice(at, at + 3).map(async (killAt, index) => {
          const own = `${path}.${index}`;
          rmSync(`${own}.index`, { force: true });
          writeFileSync(own, readFileSync(path));
          const ended = await run({ path: own, look: 1, killAt });
          expect(ended.signal, killAt).to.equal("SIGKILL");
          expect((await run({ path: own, look: 2 })).stdout, killAt).to.equal('["3 0","3 0"]');
          expect(existsSync(`${own}.index`), killAt).to.equal(true);
          const { damage, size } = await journalOn({ fs: nodeFs, path: own }).look();
          expect([damage, size], killAt).to.deep.equal([[], 3]);
        }),
      );
    }
  }).timeout(120_000);

  it("tells the same to processes that look and write it while others append", async () => {
    const appending = [1, 2].map(async (number) => await run({ path, append: { id: `id-${number}`, count: 150 } }));
    const looking = [1, 2].map(async () => await run({ path, look: 60 }));
    const [, , ...looks] = await Promise.all([...appending, ...looking]);
    const expected = JSON.stringify(Array.from({ length: 60 }, () => "3 0"));
    expect(looks.map(({ stdout }) => stdout)).to.deep.equal([expected, expected]);
    const whole = await journalOn({ fs: nodeFs, path, indexedFrom: Number.MAX_SAFE_INTEGER }).records();
    const look = await journalOn({ fs: nodeFs, path }).look();
    for (const id of ["id-1", "id-2", "id-3"]) {
      expect(await look.submission(id)).to.deep.equal(whole.records.get(id));
    }
    expect(whole.records.get("id-1")?.states.length).to.equal(150);
  }).timeout(120_000);
});
