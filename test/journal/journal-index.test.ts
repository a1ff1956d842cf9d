import { expect } from "chai";
import fc from "fast-check";

import type { LinePlace } from "../../src/base/line-places.js";
import { Column } from "../../src/journal/column.js";
import type { JournalEntry } from "../../src/journal/journal-entry.js";
import { JournalIndex } from "../../src/journal/journal-index.js";
import { withoutPrivateInputs } from "../../src/journal/journaled-request.js";
import { KeyTable } from "../../src/journal/key-table.js";
import { hashOf, requestOf, STORE, TARGET } from "./support/fixtures.js";

type Bare = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, "v" | "at"> : never) : never;

const UPPER = `0x${"AB".repeat(32)}` as const;
const request = withoutPrivateInputs(requestOf(1));
const intent = (id: string, ...blocks: number[]): Bare => ({
  ...{ event: "intent", id, ...TARGET, taskHashes: blocks.map(hashOf), request },
});
const accepted = (id: string, serviceId: string, ...blocks: number[]): Bare => ({
  ...{ event: "accepted", id, ...TARGET, taskHashes: blocks.map(hashOf), serviceId, serviceProcessor: "tasks" },
});
const result = (id: string, block: number): Bare => ({
  ...{ event: "result", id, taskHash: hashOf(block), word: hashOf(7), store: STORE },
});
const status = (id: string, phase: "pending" | "finalized"): Bare => ({ event: "status", id, name: "X", phase });
const target = { kind: "program", network: "n", content: hashOf(4) } as const;
const call = (id: string): Bare => ({ event: "call", id, ...target });
const callAccepted = (id: string, serviceId?: string): Bare => ({
  ...{ event: "call-accepted", id, ...target, serviceId },
});

/** An index of lines that stand 100 bytes apart, with what it is told. */
function indexOf(...entries: readonly Bare[]): { index: JournalIndex; add: (...more: readonly Bare[]) => void } {
  const index = new JournalIndex();
  let line = 0;
  const add = (...more: readonly Bare[]): void => {
    for (const entry of more) {
      index.add({ ...entry, v: 1, at: "2026-01-01T00:00:00.000Z" }, { start: 100 * line, length: 50 + line });
      line += 1;
    }
  };
  add(...entries);
  return { index, add };
}
const places = (...lines: readonly number[]): LinePlace[] =>
  lines.map((line) => ({ start: 100 * line, length: 50 + line }));

describe("journal: what an index knows", () => {
  it("is where the lines of each id stand, in the file's order", () => {
    const { index, add } = indexOf(intent("a", 1), intent("b", 2), status("a", "pending"), status("nobody", "pending"));
    add(call("k"), status("b", "pending"), status("a", "finalized"), result("nobody", 1));
    expect(index.placesOf("a")).to.deep.equal(places(0, 2, 6));
    expect(index.placesOf("b")).to.deep.equal(places(1, 5));
    expect(index.placesOf("k")).to.deep.equal(places(4));
    expect(index.placesOf("nobody")).to.deep.equal([]);
    // From its beginning on it is somebody.
    add(intent("nobody", 3), status("nobody", "pending"));
    expect(index.placesOf("nobody")).to.deep.equal(places(8, 9));
  });

  it("is how many submissions and calls there are, each once", () => {
    const { index, add } = indexOf(intent("a", 1), accepted("a", "S", 1), call("k"), callAccepted("k", "T"));
    expect([index.submissions, index.calls]).to.deep.equal([1, 1]);
    add(accepted("b", "S", 1), callAccepted("l"), status("m", "pending"));
    expect([index.submissions, index.calls]).to.deep.equal([2, 2]);
    add(call("a"));
    expect([index.submissions, index.calls, index.allCalls()]).to.deep.equal([2, 3, ["a", "k", "l"]]);
    for (const [id, isSubmission, isCall] of [
      ["a", true, true],
      ["b", true, false],
      ["k", false, true],
      ["m", false, false],
    ] as const) {
      expect([index.hasSubmission(id), index.hasCall(id)], id).to.deep.equal([isSubmission, isCall]);
    }
  });

  it("is who has a task, a service's id or a content", () => {
    const { index, add } = indexOf(intent("a", 1, 2), accepted("a", "S", 1, 2), intent("b", 2), call("k"));
    add(callAccepted("k", "S"), callAccepted("l"), {
      ...{ event: "accepted", id: "c", ...TARGET, taskHashes: [UPPER], serviceId: "T", serviceProcessor: "tasks" },
    });
    expect([1, 2, 3].map((block) => index.withTask(hashOf(block)))).to.deep.equal([["a"], ["a", "b"], []]);
    expect([UPPER, UPPER.toLowerCase()].map((hash) => index.withTask(hash))).to.deep.equal([["c"], ["c"]]);
    expect(["S", "T", "U"].map((id) => index.withServiceId(id))).to.deep.equal([["a", "k"], ["c"], []]);
    // Where none was told, none is noted.
    expect(index.withServiceId("undefined")).to.deep.equal([]);
    expect([hashOf(4), hashOf(1)].map((content) => index.withContent(content))).to.deep.equal([["k", "l"], []]);
    expect(index.withContent(hashOf(2))).to.deep.equal([]);
  });

  it("is what is left to do: every submission that is not over, or whose results were not all read", () => {
    const { index, add } = indexOf(intent("a", 1, 2), call("k"), intent("b", 3));
    const left = (...more: readonly Bare[]): string[] => {
      add(...more);
      return index.unfinished();
    };
    expect(left()).to.deep.equal(["a", "b"]);
    expect(left({ event: "refused", id: "b", reason: "no" })).to.deep.equal(["a"]);
    expect(left(accepted("a", "S", 1, 2))).to.deep.equal(["a"]);
    expect(left(status("a", "finalized"))).to.deep.equal(["a"]);
    // One of two, twice; one of another's task; one of a call.
    expect(left(result("a", 1), result("a", 1))).to.deep.equal(["a"]);
    expect(left(result("a", 3), result("k", 2), status("k", "pending"))).to.deep.equal(["a"]);
    expect(left(result("a", 2))).to.deep.equal([]);
    expect(left(result("a", 2), { event: "failed", id: "a", name: "E" })).to.deep.equal([]);
    expect(left(intent("c", 4), { event: "unknown", id: "c", reason: "?" })).to.deep.equal(["c"]);
    expect(left({ event: "lost", id: "c" })).to.deep.equal([]);
    expect(left(accepted("d", "T", 5), result("d", 5))).to.deep.equal([]);
    expect(left(accepted("e", "U", 6), { event: "failed", id: "e", name: "E" })).to.deep.equal([]);
    // Once its result is there, a failure is none.
    expect(left(status("e", "finalized"))).to.deep.equal(["e"]);
    expect(left(result("e", 6))).to.deep.equal([]);
  });

  it("is not what became of a call, where a submission has its id", () => {
    for (const end of [
      { event: "failed", id: "a", name: "E" },
      { event: "refused", id: "a", reason: "no" },
    ] as const) {
      const { index } = indexOf(call("a"), end, intent("a", 1));
      expect([index.unfinished(), index.submissions, index.calls]).to.deep.equal([["a"], 1, 1]);
    }
  });

  it("is a task without a result where its hash is not written as all are", () => {
    const upper = (event: "intent" | "result"): Bare =>
      event === "intent"
        ? { event, id: "u", ...TARGET, taskHashes: [UPPER, hashOf(1)], request }
        : { event, id: "u", taskHash: UPPER, word: hashOf(7), store: STORE };
    const { index, add } = indexOf(upper("intent"), result("u", 1), upper("result"), status("u", "finalized"));
    expect(index.unfinished()).to.deep.equal(["u"]);
    add(upper("intent"), upper("result"));
    expect(index.unfinished()).to.deep.equal(["u"]);
  });

  it("is the same when it is made of its columns again, and goes on", () => {
    const ids = Array.from({ length: 300 }, (_, at) => `id-${at}`);
    const { index } = indexOf(
      ...ids.flatMap((id, at) => [accepted(id, `S${at % 7}`, at), status(id, at % 3 === 0 ? "finalized" : "pending")]),
      ...ids.slice(0, 100).map((id, at) => result(id, at)),
      ...ids.slice(0, 5).map((_, at) => callAccepted(`call-${at}`, `S${at}`)),
    );
    // As they stand in a file: at any byte, one behind the other.
    for (const shift of [0, 1, 4]) {
      const columns = index.columns().map((bytes) => {
        const memory = new Uint8Array(bytes.length + shift);
        memory.set(bytes, shift);
        return memory.subarray(shift);
      });
      const again = new JournalIndex(columns);
      expect([again.submissions, again.calls]).to.deep.equal([300, 5]);
      expect(again.unfinished()).to.deep.equal(index.unfinished());
      expect(again.allCalls()).to.deep.equal(["call-0", "call-1", "call-2", "call-3", "call-4"]);
      for (const id of [...ids, "call-3", "nobody"]) {
        expect(again.placesOf(id)).to.deep.equal(index.placesOf(id));
        expect(again.hasSubmission(id)).to.equal(id.startsWith("id-"));
      }
      for (let at = 0; at < 7; at += 1)
        expect(again.withServiceId(`S${at}`)).to.deep.equal(index.withServiceId(`S${at}`));
      expect(again.withTask(hashOf(7))).to.deep.equal(["id-7"]);
      expect(again.columns().map((column) => Buffer.from(column).toString("hex"))).to.deep.equal(
        index.columns().map((column) => Buffer.from(column).toString("hex")),
      );
      const entry: JournalEntry = { ...accepted("new", "S1", 7), v: 1, at: "2026-01-01T00:00:00.000Z" };
      again.add(entry, { start: 7, length: 8 });
      expect([again.submissions, again.placesOf("new")]).to.deep.equal([301, [{ start: 7, length: 8 }]]);
      expect(again.withTask(hashOf(7))).to.deep.equal(["id-7", "new"]);
    }
  });
});

describe("journal: numbers by key", () => {
  it("are found under it, oldest first, each once, however many there are", () => {
    for (const count of [0, 1, 63, 64, 65, 129, 1000]) {
      const table = new KeyTable();
      for (let at = 0; at < count; at += 1) {
        expect(table.note(`key-${at}`, at)).to.equal(true);
        expect(table.note(`key-${at}`, at)).to.equal(false);
        table.note("all", at);
      }
      const numbers = Array.from({ length: count }, (_, at) => at);
      for (const one of [table, new KeyTable(table.columns())]) {
        expect(one.find("all"), `${count}`).to.deep.equal(numbers);
        for (const at of numbers) {
          expect(one.find(`key-${at}`)).to.deep.equal([at]);
          expect([one.has(`key-${at}`, at), one.has(`key-${at}`, at + 1)]).to.deep.equal([true, false]);
        }
        expect([one.find("none"), one.has("none", 0)]).to.deep.equal([[], false]);
      }
    }
  });

  it("are told as noted before where they are among the last eight of it", () => {
    const table = new KeyTable();
    for (let at = 0; at < 9; at += 1) table.note("key", at);
    expect(table.note("key", 1)).to.equal(false);
    // Not looked for any longer, and found once all the same.
    expect(table.note("key", 0)).to.equal(true);
    expect(table.find("key")).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe("journal: numbers in a column", () => {
  const kinds = [["bytes", 1, 255], ["integers", 4, 2 ** 32 - 1], ["offsets", 8, 2 ** 53 - 1]] as const; // prettier-ignore

  it("are what was put there, of any size of their kind", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (kind, parts) => {
        const [name, size, most] = kind;
        const column = new Column(name);
        const numbers = parts.map((part) => Math.floor(part * most));
        for (const number of numbers) column.push(number);
        expect([column.length, column.bytes().length]).to.deep.equal([numbers.length, numbers.length * size]);
        for (const [at, number] of numbers.entries()) expect(column.get(at)).to.equal(number);
        const again = new Column(name, column.bytes());
        expect([again.length, numbers.map((_, at) => again.get(at))]).to.deep.equal([numbers.length, numbers]);
        if (numbers.length < 2) return;
        const rest = new Column(name, Uint8Array.from(column.bytes(1, numbers.length - 1)));
        expect(Array.from({ length: rest.length }, (_, at) => rest.get(at))).to.deep.equal(numbers.slice(1, -1));
      }),
      { examples: [[kinds[2], [0, 1, 0.5, 1]], [kinds[1], Array<number>(200).fill(1)]] }, // prettier-ignore
    );
    expect([new Column("integers").get(0), new Column("integers").get(-1)]).to.deep.equal([0, 0]);
  });

  it("stay in the memory that they are given where they can, else in a copy", () => {
    const memory = new Uint8Array(24);
    const isTouched = (bytes: Uint8Array): boolean => bytes.some((byte) => byte !== 0);
    for (const [name, size] of kinds) {
      const own = new Column(name, memory.subarray(8, 16));
      own.set(0, 1);
      expect(isTouched(memory), name).to.equal(true);
      memory.fill(0);
      const copy = new Column(name, memory.subarray(9, 9 + 8));
      copy.set(0, 1);
      expect([copy.length, isTouched(memory)], name).to.deep.equal([8 / size, size === 1]);
      memory.fill(0);
    }
  });

  it("are moved to more memory some times only, however many come", () => {
    const column = new Column("integers");
    const memories = new Set<ArrayBufferLike>();
    for (let number = 0; number < 10_000; number += 1) {
      column.push(number);
      memories.add(column.bytes().buffer);
    }
    expect(memories.size).to.be.at.most(30);
    expect(column.bytes().buffer.byteLength).to.be.at.most(10_000 * 4 * 1.3);
    const text = new Column("bytes");
    text.append(Buffer.from("ab"));
    text.append(Buffer.alloc(1000, "c"));
    text.append(Buffer.alloc(0));
    text.append(Buffer.from("d"));
    expect(Buffer.from(text.bytes(1, 4)).toString()).to.equal("bcc");
    expect([text.length, text.get(1002)]).to.deep.equal([1003, "d".charCodeAt(0)]);
  });
});
