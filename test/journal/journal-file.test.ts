import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { encodeEntry } from "../../src/journal/journal-entry.js";
import { type DurableFs, nodeFs } from "../../src/base/durable-fs.js";
import { diskOf, errorOf, hashOf, journalOn, PATH, requestOf } from "./support/fixtures.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { setUp } from "./support/setup.js";
import { Refusal } from "./support/test-service.js";

const NOTHING = async (): Promise<void> => {
  await Promise.resolve();
};

/** A file system that fails to write from the n-th line on. */
function failingFrom(line: number, short = false): (fs: DurableFs) => DurableFs {
  let lines = 0;
  return (fs) => ({
    ...fs,
    openAppend: async (path, mode) => {
      const handle = await fs.openAppend(path, mode);
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

  it("says what could not be done, why, and what to do about it", async () => {
    const full = (): Promise<never> => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    const unwritable = journalOn({ fs: { ...memoryFs(new MemoryDisk()), openAppend: full } });
    const told = async (action: () => Promise<unknown>): Promise<unknown> => {
      const { code, path, shortMessage, hints } = await errorOf(action);
      return { code, path, shortMessage, hints };
    };
    const written = { code: "HDP-5001", path: PATH, shortMessage: "the journal cannot be written (ENOSPC)." };
    const call = { event: "call", id: "k", kind: "program", network: "n", content: hashOf(4) } as const;
    const sending =
      "Nothing is sent without it: free space on the disk or correct the permissions, and run the command again.";
    expect(
      await told(async () => {
        await unwritable.append(call);
      }),
    ).to.deep.equal({ ...written, hints: [sending] });
    expect(
      await told(async () => {
        await unwritable.settle();
      }),
    ).to.deep.equal({ ...written, hints: [sending] });
    expect(
      await told(async () => {
        await unwritable.append({ event: "lost", id: "k" });
      }),
    ).to.deep.equal({
      ...written,
      hints: [
        "What was sent before stands, and is seen again at the next look: free space on the disk or correct the permissions.",
      ],
    });
    const unreadable = journalOn({ fs: { ...memoryFs(new MemoryDisk()), openRead: full } });
    const read = { code: "HDP-5002", path: PATH, shortMessage: "the journal cannot be read (ENOSPC)." };
    const hints = ["Correct its permissions, or name another file as the journal."];
    for (const action of ["read", "records", "look"] as const) {
      expect(await told(async () => await unreadable[action]())).to.deep.equal({ ...read, hints });
    }
  });

  it("settles what another process wrote and did not sync", async () => {
    const disk = diskOf({ event: "call", id: "k", kind: "program", network: "n", content: hashOf(4) });
    const [file] = disk.files.values();
    if (file !== undefined) file.synced = 10;
    expect(disk.durableText(PATH)).to.have.length(10);
    await journalOn({ fs: memoryFs(disk) }).settle();
    expect(disk.durableText(PATH)).to.equal(disk.text(PATH)).and.not.have.length(10);
  });

  it("names the id of an acceptance that it cannot record", async () => {
    const { processor, records } = setUp({}, failingFrom(2));
    const error = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5007");
    const [record] = await records();
    expect(record?.state).to.equal("intent");
    expect([error.shortMessage, error.hints]).to.deep.equal([
      "the data processor accepted the tasks as task-1, but the journal could not record it.",
      [
        `Once the journal can be written again: npx hardhat hdp resume ${record?.id} --accepted task-1 --network sepolia`,
        `Task ${hashOf(1)}`,
      ],
    ]);
  });

  it("says so when the lock cannot be created or read, and goes on when it cannot be removed", async () => {
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
    expect((await kept.processor.submit(requestOf(1))).id).to.equal("task-1");
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
      const unreadable = await errorOf(async () => await journalOn({ fs: nodeFs, path }).read());
      expect(unreadable.code).to.equal("HDP-5002");
      expect(unreadable.message).to.contain("(EISDIR)");
      const file = join(directory, "file");
      const whole = journalOn({ fs: nodeFs, path: file });
      await whole.append({ event: "lost", id: "a" });
      expect(readFileSync(file, "utf8")).to.equal(
        `${encodeEntry({ event: "lost", id: "a" }, new Date("2026-01-01T00:00:00.000Z"))}\n`,
      );
      const below = journalOn({ fs: nodeFs, path: join(file, "hdp", "journal.jsonl") });
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

describe("journal: lock", () => {
  const lockPath = `${PATH}.lock`;

  it("says who holds it for longer than its patience", async () => {
    const fs = memoryFs(new MemoryDisk());
    await fs.createExclusive(lockPath, JSON.stringify({ token: "x", pid: 4711, host: "h" }), "x");
    const error = await errorOf(async () => {
      await journalOn({ fs }).exclusively(NOTHING);
    });
    expect(error.code).to.equal("HDP-5003");
    expect(error.message).to.contain(`process 4711 on h holds the journal's lock ${lockPath} for longer than 1 s.`);
  });

  it("refuses a lock file that is not one", async () => {
    for (const text of ["", "{}", "hello"]) {
      const fs = memoryFs(new MemoryDisk());
      await fs.createExclusive(lockPath, text, "x");
      const error = await errorOf(async () => {
        await journalOn({ fs }).exclusively(NOTHING);
      });
      expect(error.code).to.equal("HDP-5004");
      expect(error.message).to.contain(`delete ${lockPath}`);
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
