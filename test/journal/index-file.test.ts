import { expect } from "chai";

import type { DurableFs } from "../../src/base/durable-fs.js";
import { encodeEntry } from "../../src/journal/journal-entry.js";
import { checkJournal, repairJournal } from "../../src/journal/journal-check.js";
import { readIndex, writeIndex } from "../../src/journal/index-file.js";
import { JournalIndex } from "../../src/journal/journal-index.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { diskOf, errorOf, journalOn, PATH, requestOf, taskHash } from "./support/fixtures.js";
import { accepted, AT, bytesOf, ENTRIES, INDEX, indexed, indexing, put, toldBy, watched } from "./support/indexed.js";
import { outcomeOf, TestService } from "./support/test-service.js";

const diskOfAll = (): MemoryDisk => diskOf(...ENTRIES);

describe("journal: the index beside it", () => {
  it("is written for a journal of some length, and anew when that has grown by a part", async () => {
    const disk = diskOf(...ENTRIES);
    await journalOn({ fs: memoryFs(disk) }).look();
    expect([...disk.files.keys()]).to.deep.equal([PATH]);
    const length = bytesOf(disk, PATH).length;
    await journalOn({ fs: memoryFs(disk), indexedFrom: length + 1 }).look();
    expect(disk.files.has(INDEX)).to.equal(false);
    await journalOn({ fs: memoryFs(disk), indexedFrom: length }).look();
    expect([...disk.files.keys()]).to.deep.equal([PATH, INDEX]);

    const many = Array.from({ length: 40 }, (_, at) => accepted(at + 10));
    put(disk, PATH, [...ENTRIES, ...many].map((entry) => `${encodeEntry(entry, AT)}\n`).join(""));
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
    const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...ENTRIES)) }));
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

  it("is not written where there is too much damage to be told of in its first line", async () => {
    const whole = diskOfAll().text(PATH);
    for (const [lines, isWritten] of [
      [500, true],
      [2_000, false],
    ] as const) {
      const disk = diskOfAll();
      put(disk, PATH, `${"nonsense\n".repeat(lines)}${whole}`);
      for (let again = 0; again < 2; again += 1) {
        const { damage, size } = await indexing(memoryFs(disk)).look();
        expect([damage.length, size]).to.deep.equal([lines, 2]);
        expect(disk.files.has(INDEX), `${lines}`).to.equal(isWritten);
      }
    }
  });

  it("is whole where a disk takes it in pieces, and is not kept where one takes nothing", async () => {
    const expected = bytesOf(await indexed(), INDEX);
    for (const [taken, isWritten] of [
      [1, true],
      [7, true],
      [0, false],
    ] as const) {
      const disk = diskOfAll();
      const fs = memoryFs(disk);
      const openAppend: DurableFs["openAppend"] = async (path, mode) => {
        const handle = await fs.openAppend(path, mode);
        return { ...handle, write: async (bytes) => (taken === 0 ? 0 : await handle.write(bytes.subarray(0, taken))) };
      };
      expect((await indexing({ ...fs, openAppend }).look()).size).to.equal(2);
      expect(disk.files.has(INDEX)).to.equal(isWritten);
      if (isWritten) expect(bytesOf(disk, INDEX).equals(expected)).to.equal(true);
    }
  });

  it("is closed behind who reads and writes it, also where that fails", async () => {
    for (const change of [
      (fs: DurableFs): DurableFs => fs,
      (fs: DurableFs): DurableFs => ({
        ...fs,
        openAppend: async (path, mode) => ({
          ...(await fs.openAppend(path, mode)),
          write: async () => await Promise.resolve(0),
        }),
      }),
    ]) {
      const disk = await indexed(...Array.from({ length: 5 }, (_, at) => accepted(at + 10)));
      put(disk, PATH, `${disk.text(PATH)}${encodeEntry(accepted(3), AT)}\n`.repeat(2));
      const fs = change(memoryFs(disk));
      const open = new Set<object>();
      const closing = <T extends { readonly close: () => Promise<void> }>(file: T): T => {
        const close = async (): Promise<void> => {
          open.delete(own);
          await file.close();
        };
        const own = { ...file, close };
        open.add(own);
        return own;
      };
      const counted: DurableFs = {
        ...fs,
        openAppend: async (path, mode) => closing(await fs.openAppend(path, mode)),
        openRead: async (path) => {
          const file = await fs.openRead(path);
          return file && closing(file);
        },
      };
      await indexing(counted).look();
      expect(open.size).to.equal(0);
    }
  });

  it("is none where it is not one", async () => {
    const disk = diskOfAll();
    const fs = memoryFs(disk);
    expect(await readIndex(fs, INDEX)).to.equal(undefined);
    for (const text of ["", "\n", "{}\n", "nonsense\n", "nonsense", '{"v":2}\n']) {
      put(disk, INDEX, text);
      expect(await readIndex(fs, INDEX), text).to.equal(undefined);
    }
  });

  it("has a first line of 64 KiB at most", async () => {
    const disk = new MemoryDisk();
    const fs = memoryFs(disk);
    const write = async (repaired: string): Promise<number> => {
      disk.files.clear();
      const position = { offset: 0, lines: 0, digest: "" };
      await writeIndex(fs, INDEX, { position, index: new JournalIndex(), damage: [], repaired: new Set([repaired]) });
      return bytesOf(disk, INDEX).indexOf(10) + 1;
    };
    const most = 64 * 1024 - (await write(""));
    expect(await write("x".repeat(most))).to.equal(64 * 1024);
    expect([...((await readIndex(fs, INDEX))?.repaired ?? [])]).to.deep.equal(["x".repeat(most)]);
    expect(await write("x".repeat(most + 1))).to.equal(0);
  });

  it("is not written where too much behind its end is not certain, and the journal is read all the same", async () => {
    const disk = diskOf(...ENTRIES);
    put(disk, PATH, Buffer.concat([bytesOf(disk, PATH), Buffer.alloc(64 * 1024 * 1024 + 1, "x")]));
    const look = await indexing(memoryFs(disk)).look();
    expect([look.size, look.damage.map(({ line, kind }) => [line, kind])]).to.deep.equal([2, [[5, "torn"]]]);
    expect(disk.files.has(INDEX)).to.equal(false);
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
      const disk = diskOf(...ENTRIES);
      const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...ENTRIES)) }));
      expect(await toldBy(indexing(change(memoryFs(disk))))).to.deep.equal(expected);
    }
    const locked = diskOf(...ENTRIES);
    put(locked, `${PATH}.lock.index`, "no lock");
    expect((await indexing(memoryFs(locked)).look()).size).to.equal(2);
    expect(locked.files.has(INDEX)).to.equal(false);
  });
});
