import { expect } from "chai";
import fc from "fast-check";

import { encodeEntry, type JournalEntry, type NewEntry } from "../../src/journal/journal-entry.js";
import type { JournalLook } from "../../src/journal/journal-look.js";
import type { JournalRecord } from "../../src/journal/journal-record.js";
import { ToldRecords } from "../../src/journal/told-records.js";
import { withoutPrivateInputs } from "../../src/journal/journaled-request.js";
import { memoryFs, type MemoryDisk } from "../support/memory-disk.js";
import { diskOf, errorOf, hashOf, journalOn, PATH, requestOf, STORE, TARGET } from "./support/fixtures.js";

const AT = new Date("2026-01-01T00:00:00.000Z");
const entry = (id: string, blocks: readonly number[], serviceId: string): JournalEntry => ({
  ...{ v: 1, at: AT.toISOString(), event: "accepted", id, serviceId, serviceProcessor: "tasks" },
  ...{ ...TARGET, taskHashes: blocks.map(hashOf) },
});
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

function append(disk: MemoryDisk, text: string): void {
  const bytes = Buffer.from(disk.text(PATH) + text);
  disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
}

describe("journal: looking submissions up", () => {
  it("finds them by task and by service id, oldest first, whatever the order they are asked in", async () => {
    const disk = diskOf(entry("a", [1], "S"), entry("b", [2, 3], "T"), entry("c", [1, 2], "S"), entry("a", [1], "S"));
    const journal = journalOn({ fs: memoryFs(disk) });
    const look = await journal.look();
    expect(idsOf(await look.withTasks([hashOf(2), hashOf(1)]))).to.deep.equal(["a", "b", "c"]);
    expect(idsOf(await look.withTasks([hashOf(3)]))).to.deep.equal(["b"]);
    expect(await look.withTasks([hashOf(4)])).to.deep.equal([]);
    expect(idsOf(await look.withServiceId("S"))).to.deep.equal(["a", "c"]);
    append(disk, `${encodeEntry(entry("c", [1, 2], "U"), AT)}\n`);
    const later = await journal.look();
    expect(idsOf(await later.withServiceId("S"))).to.deep.equal(["a"]);
    expect(idsOf(await later.withServiceId("U"))).to.deep.equal(["c"]);
    expect([later.size, [...(await journal.records()).records.keys()]]).to.deep.equal([3, ["a", "b", "c"]]);
  });

  it("tells what a last line without its line feed says, and goes on behind it", async () => {
    const disk = diskOf(entry("a", [1], "S"), entry("b", [1], "T"));
    const journal = journalOn({ fs: memoryFs(disk) });
    append(disk, encodeEntry(entry("c", [1], "S"), AT));
    for (let again = 0; again < 2; again += 1) {
      const look = await journal.look();
      expect(idsOf(await look.withTasks([hashOf(1)]))).to.deep.equal(["a", "b", "c"]);
      expect(idsOf(await look.withServiceId("S"))).to.deep.equal(["a", "c"]);
      expect([(await look.submission("c"))?.id, (await look.named("c"))?.id, look.size]).to.deep.equal(["c", "c", 3]);
    }
    append(disk, `\n${encodeEntry({ event: "lost", id: "c", reason: "asked" }, AT)}`);
    expect((await (await journal.look()).submission("c"))?.state).to.equal("lost");
    append(disk, "\n");
    const look = await journal.look();
    expect([(await look.submission("c"))?.state, look.size]).to.deep.equal(["lost", 3]);
  });

  it("counts what a last line without its line feed begins, and nothing twice", async () => {
    const target = { kind: "program", network: "n", content: hashOf(4) } as const;
    const begun: NewEntry[] = [entry("a", [1], "S"), { event: "call", id: "k", ...target }];
    for (const [end, size, callCount] of [
      [{ event: "lost", id: "a" }, 1, 1],
      [{ event: "lost", id: "z" }, 1, 1],
      [entry("a", [1], "S"), 1, 1],
      [entry("b", [1], "S"), 2, 1],
      [{ event: "call-accepted", id: "k", ...target }, 1, 1],
      [{ event: "call", id: "l", ...target }, 1, 2],
      [{ event: "call", id: "a", ...target }, 1, 2],
      [entry("k", [1], "S"), 2, 1],
    ] satisfies [NewEntry, number, number][]) {
      const disk = diskOf(...begun);
      append(disk, encodeEntry(end, AT));
      const look = await journalOn({ fs: memoryFs(disk) }).look();
      expect([look.size, look.callCount]).to.deep.equal([size, callCount]);
      const whole = await journalOn({ fs: memoryFs(disk) }).records();
      expect([look.size, look.callCount]).to.deep.equal([whole.records.size, whole.calls.size]);
    }
  });

  it("reads each line once, however often it is asked for", async () => {
    const disk = diskOf(entry("a", [1], "S"), entry("b", [2], "T"));
    const fs = memoryFs(disk);
    const read: number[] = [];
    const openRead: typeof fs.openRead = async (path) => {
      const file = await fs.openRead(path);
      if (file === undefined) return undefined;
      const readAt: typeof file.readAt = async (position, length, into) => {
        read.push(position);
        return await file.readAt(position, length, into);
      };
      return { ...file, readAt };
    };
    const journal = journalOn({ fs: { ...fs, openRead } });
    const look = await journal.look();
    const lengthOfAll = disk.text(PATH).length;
    read.length = 0;
    expect((await look.submission("a"))?.serviceId).to.equal("S");
    expect(read.length).to.be.greaterThan(0);
    read.length = 0;
    expect((await look.submission("a"))?.serviceId).to.equal("S");
    expect(read).to.deep.equal([]);
    append(disk, `${encodeEntry({ event: "lost", id: "a", reason: "asked" }, AT)}\n`);
    const later = await journal.look();
    read.length = 0;
    expect(await later.submission("a")).to.include({ state: "lost", serviceId: "S" });
    expect(Math.min(...read)).to.equal(lengthOfAll);
  });

  it("does not tell what a line says that was changed since", async () => {
    const disk = diskOf(entry("a", [1], "S"), entry("b", [2], "T"), entry("c", [3], "U"));
    const journal = journalOn({ fs: memoryFs(disk) });
    const look = await journal.look();
    const text = disk.text(PATH);
    for (const changed of [
      text.replace('"S"', '"X"'),
      text.replace(/^.*\n/, (line) => `${"\0".repeat(line.length - 1)}\n`),
      // Whole, of the same length, and another's.
      text.replace(/^.*\n/, () => `${encodeEntry(entry("z", [1], "S"), AT)}\n`),
    ]) {
      const bytes = Buffer.from(changed);
      disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
      const error = await errorOf(async () => await (await journal.look()).withTasks([hashOf(1)]));
      expect([error.code, error.path]).to.deep.equal(["HDP-5002", PATH]);
      expect(error.message).to.contain("it was changed after it was first read");
      // From then on it is known what is damaged.
      const damage = changed.includes('"z"') ? [] : [[1, "damaged"]];
      expect((await journal.look()).damage.map(({ line, kind }) => [line, kind])).to.deep.equal(damage);
      const restored = Buffer.from(text);
      disk.files.set(PATH, { bytes: restored, synced: restored.length, nameSynced: true });
      expect((await journalOn({ fs: memoryFs(disk) }).look()).damage).to.deep.equal([]);
      await journal.records();
    }
    expect(idsOf(await look.withTasks([hashOf(2)]))).to.deep.equal(["b"]);
  });
});

describe("journal: what looks remember", () => {
  const told = (lines: number) => ({ lines });

  it("is what was told last of an id, for those that ask for as many lines or more", () => {
    const remembered = new ToldRecords();
    expect(remembered.of("a", 5)).to.equal(undefined);
    remembered.keep("a", told(3));
    expect([2, 3, 4].map((lines) => remembered.of("a", lines))).to.deep.equal([undefined, told(3), told(3)]);
    remembered.keep("a", told(4));
    expect([3, 4].map((lines) => remembered.of("a", lines))).to.deep.equal([undefined, told(4)]);
  });

  it("is 4,096 lines of those that were asked for last, or one of more", () => {
    const remembered = new ToldRecords();
    const kept = (...ids: string[]): boolean[] => ids.map((id) => remembered.of(id, 10_000) !== undefined);
    remembered.keep("a", told(1_000));
    remembered.keep("b", told(2_000));
    remembered.keep("c", told(1_096));
    expect(kept("a", "b", "c")).to.deep.equal([true, true, true]);
    // What is kept again is not counted twice, and is the newest.
    remembered.keep("a", told(1_000));
    remembered.keep("d", told(1));
    expect(kept("a", "b", "c", "d")).to.deep.equal([true, false, true, true]);
    remembered.keep("e", told(2_000));
    expect(kept("a", "b", "c", "d", "e")).to.deep.equal([true, false, false, true, true]);
    remembered.keep("f", told(5_000));
    expect(kept("a", "d", "e", "f")).to.deep.equal([false, false, false, true]);
    remembered.keep("g", told(1));
    expect(kept("f", "g")).to.deep.equal([false, true]);
  });
});

/** A line's text of any story, in any order. */
const ids = fc.constantFrom("a", "b", "c", "ä", "4");
const callIds = fc.constantFrom("k", "l");
const hashes = fc.constantFrom(hashOf(1), hashOf(2), hashOf(3), `0x${"AB".repeat(32)}` as const);
const taskHashes = fc.array(hashes, { minLength: 1, maxLength: 3 });
const name = fc.constantFrom("S", "T", "a", "finalized");
const request = withoutPrivateInputs(requestOf(1));
const content = fc.constantFrom(hashOf(4), hashOf(5));
const target = { kind: "program" as const, network: "sepolia" };
const stories: fc.Arbitrary<NewEntry> = fc.oneof(
  fc.record({ id: ids, taskHashes }).map((some): NewEntry => ({ event: "intent", ...TARGET, request, ...some })),
  fc
    .record({ id: ids, taskHashes, serviceId: name })
    .map((some): NewEntry => ({ event: "accepted", ...TARGET, serviceProcessor: "tasks", ...some })),
  fc.record({
    id: fc.oneof(ids, callIds),
    event: fc.constantFrom("refused" as const, "unknown" as const, "lost" as const),
    reason: name,
  }),
  fc.record({
    id: fc.oneof(ids, callIds),
    name,
    event: fc.constant("status" as const),
    phase: fc.constantFrom("pending", "finalized"),
  }),
  fc.record({ id: fc.oneof(ids, callIds), name, event: fc.constant("failed" as const) }),
  fc
    .record({ id: ids, taskHash: hashes })
    .map((some): NewEntry => ({ event: "result", word: hashOf(7), store: STORE, ...some })),
  fc.record({ id: callIds, content }).map((some): NewEntry => ({ event: "call", ...target, ...some })),
  fc
    .record({ id: ids, content, serviceId: name })
    .map((some): NewEntry => ({ event: "call-accepted", ...target, ...some })),
);
/** Whole lines, damaged ones, torn ones in front of others, empty ones. */
const damages: fc.Arbitrary<(line: string) => string> = fc.oneof(
  { weight: 12, arbitrary: fc.constant((line: string) => `${line}\n`) },
  { weight: 1, arbitrary: fc.constant((line: string) => `${line.replace("sepolia", "sepolib").replace("S", "Z")}\n`) },
  { weight: 1, arbitrary: fc.constant((line: string) => line.slice(0, line.length / 2)) },
  { weight: 1, arbitrary: fc.constant((line: string) => `${line.replace(/,"sum":"\w+"\}$/, "}")}\n\n`) },
);

/** Those that were accepted under one id are found in the order of that. */
const byId = (records: readonly JournalRecord[]): JournalRecord[] =>
  [...records].sort((one, other) => (one.id < other.id ? -1 : 1));

/** All that a look tells, found in every way. */
async function told(look: JournalLook): Promise<unknown> {
  const names = ["a", "b", "c", "ä", "4", "k", "l", "S", "T", "finalized", "nobody"];
  const blocks = [hashOf(1), hashOf(2), hashOf(3), `0x${"ab".repeat(32)}`];
  const found: unknown[] = [look.size, look.callCount, look.damage];
  for (const one of names) {
    found.push(await look.submission(one), await look.named(one), byId(await look.withServiceId(one)));
    found.push([...(await look.callsNamed(one))]);
  }
  for (const hash of blocks) found.push(await look.withTasks([hash]));
  found.push(await look.withTasks(blocks), await look.unfinished());
  found.push([...(await look.calls())], await look.callsOf(hashOf(4)));
  return found;
}

/** The same, by going through all of it. */
function searched({ records, calls, damage }: Awaited<ReturnType<ReturnType<typeof journalOn>["records"]>>): unknown {
  const all = [...records.values()];
  const has = (record: JournalRecord, wanted: string): boolean =>
    record.taskHashes.some((hash) => hash.toLowerCase() === wanted.toLowerCase());
  const names = ["a", "b", "c", "ä", "4", "k", "l", "S", "T", "finalized", "nobody"];
  const blocks = [hashOf(1), hashOf(2), hashOf(3), `0x${"ab".repeat(32)}`];
  const found: unknown[] = [records.size, calls.size, damage];
  for (const one of names) {
    const named = records.get(one) ?? all.findLast((record) => record.serviceId === one || has(record, one));
    found.push(records.get(one), named, byId(all.filter(({ serviceId }) => serviceId === one)));
    found.push([...calls].filter(([id, { serviceId }]) => id === one || serviceId === one));
  }
  for (const hash of blocks) found.push(all.filter((record) => has(record, hash)));
  found.push(all.filter((record) => blocks.some((hash) => has(record, hash))));
  found.push(
    all.filter(({ state, taskHashes: tasks, results }) =>
      state === "finalized" ? tasks.some((hash) => !results.has(hash)) : ["open", "intent", "unknown"].includes(state),
    ),
  );
  found.push(
    [...calls],
    [...calls.values()].filter((call) => call.content === hashOf(4)),
  );
  return found;
}

describe("journal: a look (property)", () => {
  it("tells what all lines tell, read in one go, in pieces, and with an index at any point", async () => {
    let records = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ story: stories, damage: damages, looks: fc.boolean() }), { minLength: 1, maxLength: 25 }),
        fc.boolean(),
        async (steps, endsWhole) => {
          const disk = diskOf();
          const following = journalOn({ fs: memoryFs(disk), indexedFrom: 1 });
          for (const { story, damage, looks } of steps) {
            append(disk, damage(encodeEntry(story, AT)));
            if (looks) await told(await following.look());
          }
          if (!endsWhole) append(disk, encodeEntry({ event: "lost", id: "a", reason: "end" }, AT));
          const whole = await journalOn({ fs: memoryFs(disk), indexedFrom: Number.MAX_SAFE_INTEGER }).records();
          records += whole.records.size;
          const expected = searched(whole);
          expect(await told(await following.look())).to.deep.equal(expected);
          // With the index that was left, and without one.
          expect(await told(await journalOn({ fs: memoryFs(disk) }).look())).to.deep.equal(expected);
          disk.files.delete(`${PATH}.index`);
          expect(await told(await journalOn({ fs: memoryFs(disk) }).look())).to.deep.equal(expected);
        },
      ),
      // About 385 records, give or take 15.
      { numRuns: 340 },
    );
    expect(records).to.be.greaterThan(300);
  }).timeout(60_000);
});
