import { expect } from "chai";

import { addCallEntries, type CallRecord, findCall } from "../../src/journal/call-record.js";
import type { JournalEntry } from "../../src/journal/journal-entry.js";
import { hashOf } from "./support/fixtures.js";

type Bare = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, "v" | "at" | "id"> : never) : never;

const target = { kind: "storage-proof", network: "sepolia", content: hashOf(4) } as const;
const call: Bare = { event: "call", ...target };
const accepted: Bare = { event: "call-accepted", ...target, serviceId: "S" };
const pending: Bare = { event: "status", name: "PENDING", phase: "pending" };
const finalized: Bare = { event: "status", name: "DONE", phase: "finalized", detail: "all of it" };
const failed: Bare = { event: "failed", name: "ERROR" };
const refused: Bare = { event: "refused", reason: "said no" };
const unknown: Bare = { event: "unknown", reason: "SocketError" };
const lost: Bare = { event: "lost", reason: "asked" };

/** Entries a minute apart, of one id. */
function told(...entries: readonly Bare[]): Map<string, CallRecord> {
  const records = new Map<string, CallRecord>();
  const whole = entries.map((entry, minute): JournalEntry => ({
    ...entry,
    v: 1,
    id: "k",
    at: new Date(minute * 60_000).toISOString(),
  }));
  addCallEntries(records, whole);
  return records;
}
const recordOf = (...entries: readonly Bare[]): CallRecord | undefined => told(...entries).get("k");
const at = (minute: number): string => new Date(minute * 60_000).toISOString();

describe("journal: records of calls", () => {
  const stories: readonly (readonly [state: string, ...entries: Bare[]])[] = [
    ["intent", call],
    ["open", call, accepted],
    ["open", accepted],
    ["open", call, accepted, call],
    ["refused", call, refused],
    ["unknown", call, unknown],
    ["refused", call, unknown, refused],
    ["open", call, unknown, accepted],
    ["open", call, accepted, refused],
    ["open", call, accepted, unknown],
    ["open", call, accepted, pending],
    ["finalized", call, accepted, finalized],
    ["finalized", call, accepted, finalized, pending],
    ["finalized", call, finalized, accepted],
    ["failed", call, accepted, failed],
    ["failed", call, accepted, failed, pending],
    ["failed", call, failed, accepted],
    ["lost", call, accepted, lost],
    ["lost", call, unknown, lost],
    ["open", call, lost, accepted],
  ];
  for (const [state, ...entries] of stories) {
    it(`are ${state} after ${entries.map((entry) => ("phase" in entry ? entry.phase : entry.event)).join(", ")}`, () => {
      expect(recordOf(...entries)?.state).to.equal(state);
    });
  }

  it("are over with their acceptance where they are programs, and only there", () => {
    for (const [kind, state] of [["program", "finalized"], ["storage-proof", "open"], ["grow-order", "open"]] as const) {
      expect(recordOf({ ...call, kind }, { ...accepted, kind })?.state).to.equal(state);
    } // prettier-ignore
  });

  it("hold what was written, and nothing of what was not", () => {
    const bare = { id: "k", ...target, state: "intent", forced: false, firstAt: at(0), lastAt: at(0), states: [] };
    expect(recordOf(call)).to.deep.equal(bare);
    const place = { endpointHost: "sp.example.org", endpointId: "0123", label: "proof.json" };
    expect(recordOf({ ...call, ...place })).to.deep.equal({ ...bare, ...place });
    expect(recordOf({ ...call, forced: true })).to.deep.equal({ ...bare, forced: true });
    expect(recordOf({ ...call, forced: false })).to.deep.equal(bare);
    expect(recordOf({ ...call, forced: true }, unknown, accepted, pending, finalized)).to.deep.equal({
      ...{ ...bare, forced: true, state: "finalized", serviceId: "S", reason: undefined, lastAt: at(4) },
      states: [
        { name: "PENDING", phase: "pending", at: at(3), detail: undefined },
        { name: "DONE", phase: "finalized", at: at(4), detail: "all of it" },
      ],
    });
    expect(recordOf({ ...accepted, ...place })).to.deep.equal({
      ...{ ...bare, ...place, state: "open", serviceId: "S", reason: undefined },
    });
    expect(recordOf(call, refused)).to.deep.equal({ ...bare, state: "refused", reason: "said no", lastAt: at(1) });
    // What came too late is no reason any more.
    expect(recordOf(call, accepted, refused)).to.include({ state: "open", reason: undefined });
    expect(recordOf(call, accepted, lost)).to.include({ state: "lost", reason: "asked" });
  });

  it("are not made of lines that tell no beginning", () => {
    expect(told(pending, failed, lost).size).to.equal(0);
  });

  it("are found by the journal's id before the service's, of several the newest", () => {
    const named = (id: string, serviceId?: string): [string, CallRecord] => [
      id,
      { id, ...target, state: "open", forced: false, serviceId, firstAt: at(0), lastAt: at(0), states: [] },
    ];
    const records = new Map([named("a", "S"), named("b", "S"), named("S", "T"), named("c", "U"), named("d")]);
    for (const [name, id] of [["a", "a"], ["S", "S"], ["T", "S"], ["U", "c"], ["d", "d"], ["nobody", undefined]] as const) {
      expect(findCall(records, name)?.id, name).to.equal(id);
    } // prettier-ignore
    records.delete("S");
    expect(findCall(records, "S")?.id).to.equal("b");
  });
});
