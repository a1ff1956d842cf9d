import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { nodeFs } from "../../src/base/durable-fs.js";
import { encodeEntry } from "../../src/journal/journal-entry.js";
import { childScript } from "../support/child-script.js";
import { Lifetime, memoryFs } from "../support/memory-disk.js";
import type { ChildJob } from "./processes/child.js";
import { diskOf, journalOn, PATH } from "./support/fixtures.js";
import { accepted, AT, bytesOf, ENTRIES, INDEX, indexed, indexing, put, toldBy, watched } from "./support/indexed.js";

describe("journal: the index when its writer ends", () => {
  it("is old, new or none, and nothing is lost, wherever the process that writes it ends", async function () {
    // Hundreds of journals, each read three times.
    this.timeout(120_000);
    const before = bytesOf(await indexed(), INDEX);
    const more = [accepted(3), accepted(4)];
    const expected = await toldBy(journalOn({ fs: memoryFs(diskOf(...ENTRIES, ...more)) }));
    let deaths = 0;
    for (const old of [undefined, before]) {
      for (const kept of [undefined, 0, 0.5, 1]) {
        for (let crashAt = 0; ; crashAt += 1) {
          const disk = diskOf(...ENTRIES, ...more);
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
    const entries = [...ENTRIES, accepted(3)];
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
