import { expect } from "chai";

import type { JournalEntry } from "../../src/journal/journal-entry.js";
import { explain, hintsFor } from "../../src/journal/standing.js";
import { ageOf, type JournalRecord, reduce } from "../../src/journal/journal-record.js";
import { withoutPrivateInputs } from "../../src/journal/journaled-request.js";
import { findRecord, submissionOf } from "../../src/journal/find-record.js";
import type { Journal } from "../../src/journal/journal.js";
import { memoryFs } from "../support/memory-disk.js";
import { diskOf, errorOf, hashOf, journalOn, requestOf, STORE, TARGET } from "./support/fixtures.js";

type Bare = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, "v" | "at" | "id"> : never) : never;

const taskHashes = [hashOf(1), hashOf(2)];
const intent: Bare = { event: "intent", ...TARGET, taskHashes, request: withoutPrivateInputs(requestOf(1, 2)) };
const accepted: Bare = { event: "accepted", ...TARGET, taskHashes, serviceId: "S", serviceProcessor: "tasks" };
const refused: Bare = { event: "refused", reason: "HDP-2101: 400" };
const unknown: Bare = { event: "unknown", reason: "SocketError" };
const lost: Bare = { event: "lost", reason: "asked the operator" };
const pending: Bare = { event: "status", name: "PROVING", phase: "pending" };
const finalized: Bare = { event: "status", name: "DONE", phase: "finalized" };
const failed: Bare = { event: "failed", name: "ERROR", detail: "no such block" };
const result = (block: number): Bare => ({ event: "result", taskHash: hashOf(block), word: hashOf(7), store: STORE });

/** Entries a minute apart, as one submission. */
function recordOf(...entries: readonly Bare[]): JournalRecord {
  const record = reduce(submission(...entries)).get("a");
  if (record === undefined) throw new Error("no entry begins a submission");
  return record;
}

function submission(...entries: readonly Bare[]): JournalEntry[] {
  const whole = entries.map((entry, minute): JournalEntry => ({
    ...entry,
    v: 1,
    id: "a",
    at: new Date(minute * 60_000).toISOString(),
  }));
  return whole;
}

describe("journal: records", () => {
  const stories: readonly (readonly [state: string, ...entries: Bare[]])[] = [
    ["intent", intent],
    ["open", intent, accepted],
    ["open", accepted],
    ["open", intent, intent, accepted],
    ["refused", intent, refused],
    ["unknown", intent, unknown],
    ["open", intent, unknown, accepted],
    ["open", intent, accepted, unknown],
    ["open", intent, accepted, refused],
    ["open", intent, accepted, pending],
    ["finalized", intent, accepted, finalized],
    ["finalized", intent, accepted, finalized, pending],
    ["finalized", finalized, intent, finalized, accepted],
    ["failed", intent, accepted, failed],
    ["failed", intent, accepted, failed, pending],
    ["failed", intent, failed, accepted],
    ["failed", intent, accepted, finalized, failed],
    ["finalized", intent, accepted, failed, result(1), result(2)],
    ["finalized", intent, accepted, result(1), result(2), failed],
    ["open", intent, accepted, result(1)],
    ["failed", intent, accepted, result(1), failed],
    ["finalized", intent, unknown, result(1), result(2)],
    ["lost", intent, lost],
    ["lost", intent, unknown, lost],
    ["lost", intent, accepted, lost, pending],
    ["finalized", intent, accepted, lost, finalized],
    ["open", intent, lost, accepted],
    ["finalized", intent, accepted, finalized, lost],
    ["refused", intent, refused, lost],
  ];
  for (const [state, ...entries] of stories) {
    const told = entries.map((entry) => ("phase" in entry ? entry.phase : entry.event)).join(", ");
    it(`is ${state} after ${told}`, () => {
      expect(recordOf(...entries).state).to.equal(state);
    });
  }

  it("tells everything that was written", () => {
    const hashes = { serviceTaskHashes: [hashOf(9), hashOf(8)] };
    const record = recordOf({ ...intent, forced: true }, { ...accepted, ...hashes }, pending, failed, result(1));
    expect(record).to.deep.equal({
      ...{ id: "a", ...TARGET, taskHashes, state: "failed", forced: true, request: requestOf(1, 2) },
      ...{ serviceId: "S", serviceProcessor: "tasks", ...hashes, reason: undefined },
      ...{ firstAt: "1970-01-01T00:00:00.000Z", lastAt: "1970-01-01T00:04:00.000Z" },
      states: [
        { name: "PROVING", phase: "pending", at: "1970-01-01T00:02:00.000Z", detail: undefined },
        { name: "ERROR", phase: "failed", at: "1970-01-01T00:03:00.000Z", detail: "no such block" },
      ],
      results: new Map([
        [
          hashOf(1),
          {
            ...{ taskHash: hashOf(1), word: hashOf(7), store: STORE },
            ...{ transactionHash: undefined, blockNumber: undefined },
          },
        ],
      ]),
    });
    expect(ageOf(record, 3_600_000)).to.equal(3_600_000);
    expect(ageOf({ ...record, firstAt: "1970-01-01T00:10:00.000Z" }, 3_600_000)).to.equal(3_000_000);
  });

  it("gives the reason of its state, not of what came too late", () => {
    for (const [reason, ...entries] of [
      [undefined, intent],
      ["HDP-2101: 400", intent, refused],
      ["SocketError", intent, unknown],
      ["HDP-2101: 400", intent, unknown, refused],
      [undefined, intent, unknown, accepted],
      [undefined, intent, accepted, refused],
      [undefined, intent, accepted, unknown],
      ["asked the operator", intent, accepted, lost],
      ["asked the operator", intent, unknown, lost],
      [undefined, intent, accepted, finalized, lost],
      ["HDP-2101: 400", intent, refused, lost],
    ] as const) {
      expect(recordOf(...entries).reason).to.equal(reason);
    }
  });

  it("leaves out what nothing is known of", () => {
    expect(reduce([{ ...pending, v: 1, id: "a", at: "2026-01-01T00:00:00.000Z" }]).size).to.equal(0);
  });
});

describe("journal: explanations", () => {
  const kinds = (record: JournalRecord): string[] => explain(record).waysOut.map((way) => way.kind);
  const undecided = ["look-up", "attach", "mark-lost", "send-again"];

  it("gives the ways out of a crash between sending and answer", () => {
    const record = recordOf(intent);
    expect(kinds(record)).to.deep.equal(undecided);
    expect(hintsFor(record)).to.deep.equal([
      "Submission a: Was about to be sent to hdp.example.org at 1970-01-01T00:00:00.000Z; the process ended before the answer was recorded, so it may have been accepted.",
      `Look whether the results arrived on ETHEREUM_SEPOLIA: npx hardhat hdp:result ${hashOf(1)} --network sepolia, npx hardhat hdp:result ${hashOf(2)} --network sepolia`,
      "If the service shows the submission, name its id: npx hardhat hdp resume a --accepted <service id> --network sepolia",
      "Give it up: npx hardhat hdp resume a --lost --network sepolia (the tasks can then be sent again).",
      "Send the tasks again: npx hardhat hdp:submit <task file> --force --network sepolia (if the first submission was accepted they run twice).",
    ]);
  });

  it("names the commands that go on, and one way out of a refusal", () => {
    const ways = (...entries: Bare[]): string[] =>
      explain(recordOf(intent, ...entries)).waysOut.map(({ text }) => text);
    expect(ways(accepted)).to.deep.equal(["Wait for it: npx hardhat hdp resume S --network sepolia"]);
    expect(ways(accepted, finalized)).to.deep.equal(["Read the results: npx hardhat hdp resume S --network sepolia"]);
    expect(ways(refused)).to.deep.equal(["Correct the cause and submit the task file again."]);
  });

  it("says where each other state stands", () => {
    const tell = (...entries: Bare[]): readonly [string, string[]] => {
      const record = recordOf(intent, ...entries);
      return [explain(record).summary, kinds(record)];
    };
    expect(tell(unknown)).to.deep.equal([
      "Was sent to hdp.example.org at 1970-01-01T00:00:00.000Z, and no answer says whether it was accepted (SocketError).",
      undecided,
    ]);
    expect(tell(accepted)).to.deep.equal([
      "Accepted as S, last seen as accepted at 1970-01-01T00:01:00.000Z.",
      ["await"],
    ]);
    expect(tell(accepted, pending)[0]).to.equal('Accepted as S, last seen as "PROVING" at 1970-01-01T00:02:00.000Z.');
    expect(tell(accepted, finalized)).to.deep.equal(["Finalized as S; not every result has been read.", ["await"]]);
    expect(tell(accepted, result(1), finalized)[0]).to.equal("Finalized as S; not every result has been read.");
    expect(explain({ ...recordOf(intent, accepted, failed), states: [] }).summary).to.equal(
      'Failed in state "failed".',
    );
    expect(tell(accepted, result(1), result(2))).to.deep.equal(["Finalized, and every result was read.", []]);
    expect(tell(accepted, failed)).to.deep.equal(['Failed in state "ERROR" (no such block).', ["send-again"]]);
    expect(tell(accepted, { event: "failed", name: "E" })[0]).to.equal('Failed in state "E".');
    expect(tell(refused)).to.deep.equal(["Was not accepted (HDP-2101: 400).", ["send-again"]]);
    expect(tell({ event: "lost" })).to.deep.equal(["Given up.", ["send-again"]]);
  });
});

describe("journal: resume", () => {
  const journalWith = (...entries: readonly JournalEntry[]): Journal => journalOn({ fs: memoryFs(diskOf(...entries)) });

  it("finds a submission by journal id, service id and task hash in any case, the newest first", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const hash = `0x${"ab".repeat(32)}` as const;
    const acceptedAs = (id: string, serviceId: string): JournalEntry => ({
      ...{ v: 1, event: "accepted", id, at, ...TARGET, taskHashes: [hash], serviceId, serviceProcessor: "tasks" },
    });
    const journal = journalWith(acceptedAs("a", "S"), acceptedAs("b", "T"));
    const names = ["a", "b", "S", "T", hash.toUpperCase()];
    const found = await Promise.all(names.map(async (name) => (await findRecord(journal, name)).id));
    expect(found).to.deep.equal(["a", "b", "a", "b", "b"]);
  });

  it("says what the journal holds when there is none", async () => {
    const error = await errorOf(async () => await findRecord(journalWith(...submission(intent)), "z"));
    expect(error.code).to.equal("HDP-5010");
    expect(error.message).to.contain('no submission "z"');
    expect(error.hints[1]).to.equal("The journal holds 1 submission.");
    const none = await errorOf(async () => await findRecord(journalWith(), "z"));
    expect(none.hints[1]).to.equal("The journal holds 0 submissions.");
  });

  it("finds a submission by any of its tasks", async () => {
    const journal = journalWith(...submission(intent));
    for (const hash of [hashOf(1), hashOf(2)]) expect((await findRecord(journal, hash)).id).to.equal("a");
  });

  it("rebuilds the submission", () => {
    expect(submissionOf(recordOf(intent, { ...accepted, serviceProcessor: "batch" })).processor).to.equal("batch");
    expect(submissionOf({ ...recordOf(intent, accepted), serviceProcessor: undefined }).processor).to.equal("tasks");
    const whole = { destinationChainId: TARGET.destinationChainId, taskHashes };
    expect(submissionOf(recordOf(intent, accepted))).to.deep.equal({ id: "S", processor: "tasks", ...whole });
    const hashes = { serviceTaskHashes: [hashOf(9), hashOf(8)] };
    expect(submissionOf(recordOf({ ...accepted, ...hashes }))).to.deep.equal({
      ...{ id: "S", processor: "tasks", ...whole, ...hashes },
    });
  });

  it("explains why one cannot be resumed", async () => {
    const error = await errorOf(() => submissionOf(recordOf(intent, refused)));
    expect(error.code).to.equal("HDP-5009");
    expect(error.message).to.contain("Was not accepted (HDP-2101: 400).");
  });
});
