import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { AppendLog } from "../../src/base/append-log.js";
import { type DurableFs, nodeFs } from "../../src/base/durable-fs.js";
import { sealLine } from "../../src/base/log-line.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";

const format = { decode: (entry: unknown) => ({ entry }), lineStart: '{"n":' };
const line = (n: number): string => sealLine(JSON.stringify({ n }));
const numbers = (entries: readonly unknown[]): unknown[] =>
  entries.map((entry): unknown => Reflect.get(Object(entry), "n"));

function logOn(path: string, fs: DurableFs = nodeFs, alone = false): AppendLog<unknown> {
  return new AppendLog({ path, fs, format, mode: 0o600, alone });
}

describe("append log", () => {
  let folder = "";
  let path = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-log-"));
    path = join(folder, "below", "log.jsonl");
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it("keeps the order of the calls, and goes on reading from where it was", async () => {
    const log = logOn(path);
    const first = await log.read();
    expect([first.entries, first.continues]).to.deep.equal([[], true]);
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await log.append(line(n));
      }),
    );
    const second = await log.read(first.position);
    expect(numbers(second.entries)).to.deep.equal(Array.from({ length: 200 }, (_, n) => n));
    await log.append(line(200));
    const third = await log.read(second.position);
    expect([numbers(third.entries), third.continues]).to.deep.equal([[200], true]);
    expect((await log.read(third.position)).entries).to.deep.equal([]);
  });

  it("reads a file from its start that was rewritten or is gone", async () => {
    const log = logOn(path);
    await log.append(line(1));
    const { position } = await log.read();
    await writeFile(path, `${line(2)}\n${line(3)}\n`);
    const rewritten = await log.read(position);
    expect([numbers(rewritten.entries), rewritten.continues]).to.deep.equal([[2, 3], false]);
    await rm(path);
    const gone = await log.read(rewritten.position);
    expect([gone.entries, gone.continues, gone.position.offset]).to.deep.equal([[], false, 0]);
  });

  it("reads files that are longer than the longest text", async () => {
    const log = logOn(path);
    await log.append(line(1));
    // A hole, which takes no room on the disk: what a loss of power may leave.
    await truncate(path, 700 * 1024 * 1024);
    await appendFile(path, `\n${line(2)}\n`);
    await log.append(line(3));
    const { entries, damage } = await log.read();
    expect(numbers(entries)).to.deep.equal([1, 2, 3]);
    expect(damage).to.deep.equal([{ line: 2, kind: "damaged", reason: "not a JSON document" }]);
  }).timeout(60_000);

  it("goes on when space is freed, and nobody reads what was half written", async () => {
    for (const alone of [false, true]) {
      const disk = new MemoryDisk();
      let free = Number.POSITIVE_INFINITY;
      const fs = memoryFs(disk);
      const limited: DurableFs = {
        ...fs,
        openAppend: async (file, mode) => {
          const handle = await fs.openAppend(file, mode);
          const write = async (bytes: Uint8Array): Promise<number> => {
            const taken = await handle.write(bytes.subarray(0, free));
            free -= taken;
            return taken;
          };
          return { ...handle, write };
        },
      };
      const log = logOn("/p/log", limited, alone);
      await log.append(line(1));
      free = 12;
      const refused: unknown = await log.append(line(2)).catch((error: unknown) => error);
      expect(String(refused)).to.match(/^Error: 12 of \d+ bytes were written$/);
      free = Number.POSITIVE_INFINITY;
      await log.append(line(3));
      const { entries, damage } = await log.read();
      expect(numbers(entries)).to.deep.equal([1, 3]);
      expect(damage).to.deep.equal(alone ? [] : [{ line: 2, kind: "torn", reason: "not a JSON document" }]);
    }
  });

  it("takes lines back that were refused, where nobody else writes: none of them comes back", async () => {
    const disk = new MemoryDisk();
    const fs = memoryFs(disk);
    let free = Number.POSITIVE_INFINITY;
    const limited: DurableFs = {
      ...fs,
      openAppend: async (file, mode) => {
        const handle = await fs.openAppend(file, mode);
        const write = async (bytes: Uint8Array): Promise<number> => {
          if (free === 0) throw new Error("ENOSPC: no space left on device, write");
          const taken = await handle.write(bytes.subarray(0, free));
          free -= taken;
          return taken;
        };
        return { ...handle, write };
      },
    };
    const log = logOn("/p/log", limited, true);
    await log.append(line(1));
    free = line(2).length + 12;
    const refused = await Promise.all(
      [2, 3].map(async (number) => await log.append(line(number)).catch((error: unknown) => String(error))),
    );
    expect(refused).to.deep.equal(Array.from({ length: 2 }, () => "Error: ENOSPC: no space left on device, write"));
    expect(numbers((await log.read()).entries)).to.deep.equal([1]);
    free = Number.POSITIVE_INFINITY;
    await log.append(line(4));
    expect(numbers((await log.read()).entries)).to.deep.equal([1, 4]);
  });

  it("keeps a last line that lacks only its line feed", async () => {
    for (const alone of [false, true]) {
      const log = logOn(join(folder, String(alone), "log"), nodeFs, alone);
      await log.append(line(1));
      await appendFile(log.path, line(2));
      expect(numbers((await log.read()).end.entries)).to.deep.equal([2]);
      await log.append(line(3));
      expect(await readFile(log.path, "utf8")).to.equal(`${line(1)}\n${line(2)}\n${line(3)}\n`);
    }
  });
});
