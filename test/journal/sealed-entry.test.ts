import { expect } from "chai";
import fc from "fast-check";

import { sealLine } from "../../src/base/log-line.js";
import { encodeEntry, journalEntry, type JournalEntry, type NewEntry } from "../../src/journal/journal-entry.js";
import { decodeJournal } from "../../src/journal/journal-lines.js";
import { withoutPrivateInputs } from "../../src/journal/journaled-request.js";
import { sealedEntry } from "../../src/journal/sealed-entry.js";
import { hashOf, requestOf, STORE, TARGET } from "./support/fixtures.js";

const AT = new Date("2026-01-01T00:00:00.000Z");
const request = withoutPrivateInputs(requestOf(1));
const target = { ...TARGET, genesis: hashOf(5), taskHashes: [hashOf(1)] };
const ENTRIES: readonly NewEntry[] = [
  { event: "intent", id: "a", ...target, request, forced: true },
  { event: "accepted", id: "a", ...target, serviceId: "S", serviceProcessor: "tasks", serviceTaskHashes: [hashOf(9)] },
  { event: "status", id: "a", name: "PROVING", phase: "pending", detail: "" },
  { event: "result", id: "a", taskHash: hashOf(1), word: hashOf(7), store: STORE, blockNumber: 12n },
  { event: "result", id: "a", taskHash: hashOf(1), word: hashOf(7), store: STORE, transactionHash: hashOf(3) },
  { event: "failed", id: "a", name: "ERROR" },
  { event: "lost", id: "a" },
];
const lines = ENTRIES.map((entry) => encodeEntry(entry, AT));

/** Any value for any member of the entries, wherever it stands. */
const members = [...new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)))];
const values = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "", 0, 1, "0x", "0xg", "pending", "failed", "ETHEREUM_SEPOLIA", "12", "-1"),
  fc.constantFrom<unknown>([], ["0x1"], ["x"], {}, true, "2026-01-01T00:00:00.000Z", "2026-01-01", "toString"),
  fc.string(),
);

describe("journal: lines with a checksum", () => {
  it("are read as the schema reads them", () => {
    for (const [at, line] of lines.entries()) {
      const value = JSON.parse(line) as Record<string, unknown>;
      const [entry] = decodeJournal(`${line}\n`).entries;
      expect(entry, line).to.deep.equal(journalEntry.parse(value));
      expect(sealedEntry(value, line) === undefined, `${at}: the rare ones are left to the schema`).to.equal(at > 4);
    }
  });

  it("are never read where the schema would refuse them (property)", () => {
    const changed = fc.tuple(fc.constantFrom(...lines), fc.constantFrom(...members), values);
    let refused = 0;
    fc.assert(
      fc.property(changed, ([line, member, value]) => {
        const whole = { ...(JSON.parse(line) as Record<string, unknown>), [member]: value };
        const parsed = journalEntry.safeParse(whole);
        if (!parsed.success) refused += 1;
        // A request is looked at when it is asked for.
        if (parsed.success || member === "request") return;
        expect(sealedEntry(whole, line)).to.equal(undefined);
      }),
      { numRuns: 3_000 },
    );
    expect(refused).to.be.greaterThan(100);
  });

  it("are left to the schema for one wrong value in a list, no request, or a phase of no name", () => {
    const [intent = "", accepted = "", status = ""] = lines;
    const read = (line: string, change: Readonly<Record<string, unknown>>): boolean =>
      sealedEntry({ ...(JSON.parse(line) as Record<string, unknown>), ...change }, line) !== undefined;
    for (const line of [intent, accepted]) {
      expect(read(line, { taskHashes: ["0x1", "0x2"] })).to.equal(true);
      for (const taskHashes of [["0x1", "x"], ["x", "0x1"], [], "0x1"]) {
        expect(read(line, { taskHashes })).to.equal(false);
      }
    }
    for (const [serviceTaskHashes, isRead] of [[[], true], [["0x1"], true], [["0x1", "x"], false]] as const) {
      expect(read(accepted, { serviceTaskHashes })).to.equal(isRead);
    } // prettier-ignore
    for (const request of [undefined, "text", 7]) expect(read(intent, { request })).to.equal(false);
    for (const [phase, isRead] of [["pending", true], ["finalized", true], ["failed", false]] as const) {
      expect(read(status, { phase })).to.equal(isRead);
    } // prettier-ignore
    expect(read(status, { event: "toString" })).to.equal(false);
  });

  it("have no number of a block where they are of no result", () => {
    const status = JSON.parse(lines[2] ?? "") as Record<string, unknown>;
    for (const blockNumber of ["12", "latest"]) {
      expect(sealedEntry({ ...status, blockNumber }, "")).to.deep.equal({ ...status, blockNumber });
    }
  });

  it("tell a request that cannot be read as one without tasks", () => {
    const bare = (lines[0] ?? "").replace(/,"sum":"\w+"\}$/, "}");
    const unsealed = { ...(JSON.parse(bare) as Record<string, unknown>), request: { tasks: "none" } };
    const { entries, damage } = decodeJournal(`${sealLine(JSON.stringify(unsealed))}\n`);
    expect(damage).to.deep.equal([]);
    // Of a line without a checksum nobody says that it was right once.
    const open = decodeJournal(`${JSON.stringify(unsealed)}\n`);
    expect([open.entries, open.damage.map(({ kind }) => kind)]).to.deep.equal([[], ["damaged"]]);
    const [entry] = entries as readonly Extract<JournalEntry, { event: "intent" }>[];
    expect(JSON.parse(JSON.stringify(entry?.request))).to.deep.equal({
      ...{ destinationChainId: TARGET.destinationChainId, tasks: [] },
    });
    expect(entry?.request.destinationChainId).to.equal(TARGET.destinationChainId);
  });
});
