import { expect } from "chai";

import {
  describePlan,
  type PlanOptions,
  planSubmission,
  type SubmissionPlan,
} from "../../src/journal/submission-plan.js";
import type { JournalRecord, RecordState } from "../../src/journal/journal-record.js";
import type { TaskResult } from "../../src/request/lifecycle.js";
import { hdpThrown } from "../support/failure.js";
import { hashOf, STORE, TARGET, taskOf } from "./support/fixtures.js";

const STORED: TaskResult = { taskHash: hashOf(1), word: hashOf(7), value: 7n, store: STORE };

function recordOf(id: string, state: RecordState, parts: Partial<JournalRecord> = {}): JournalRecord {
  const isAccepted = state === "open" || state === "finalized" || state === "failed";
  return {
    ...{ id, state, ...TARGET, taskHashes: [hashOf(1)], forced: false, states: [], results: new Map() },
    ...{ firstAt: "2026-01-01T00:00:00.000Z", lastAt: "2026-01-01T00:00:00.000Z" },
    ...(isAccepted ? { serviceId: `service-${id}`, serviceProcessor: "tasks" } : {}),
    ...parts,
  };
}

function plan(
  blocks: readonly number[],
  records: readonly JournalRecord[],
  stored: readonly TaskResult[] = [],
  options?: PlanOptions,
): SubmissionPlan {
  const tasks = blocks.map((block) => ({ task: taskOf(block), taskHash: hashOf(block) }));
  return planSubmission(tasks, TARGET, records, new Map(stored.map((each) => [each.taskHash, each])), options);
}

/** A plan in short: what is sent, what is reused from where, what is unresolved. */
function told(made: SubmissionPlan): string {
  const number = (hash: string): string => String(Number(hash));
  return [
    ...made.send.map((task) => `send ${number(task.taskHash)}`),
    ...made.reuse.map((task) => `${task.kind} ${number(task.taskHash)} ${task.record?.id ?? "store"}`),
    ...made.unresolved.map((task) => `unresolved ${number(task.taskHash)} ${task.record.id}`),
  ].join("; ");
}

/** The plan of a module task with this injected state, where others of the same hash were submitted before. */
function planWithState(
  root: `0x${string}` | undefined,
  records: readonly JournalRecord[],
  stored: readonly TaskResult[] = [],
): SubmissionPlan {
  const task = { ...MODULE, ...(root === undefined ? {} : { injectedState: { "0x1": root } }) };
  const results = new Map(stored.map((each) => [each.taskHash, each]));
  return planSubmission([{ task, taskHash: hashOf(1) }], TARGET, records, results);
}

const MODULE = { type: "Module", programHash: "0x7", inputs: [] } as const;

describe("journal: idempotent submission of injected state, which the task hash does not cover", () => {
  const of = (id: string, root: `0x${string}` | undefined, state: RecordState = "open"): JournalRecord =>
    recordOf(id, state, {
      request: {
        destinationChainId: TARGET.destinationChainId,
        tasks: [root === undefined ? MODULE : { ...MODULE, injectedState: { "0x1": root } }],
      },
    });

  it("takes a submission of the same state for the task, and one of another state for none", () => {
    expect(told(planWithState("0x5", [of("a", "0x5")]))).to.equal("open 1 a");
    expect(told(planWithState("0x5", [of("a", "0x6")]))).to.equal("send 1");
    expect(told(planWithState("0x5", [of("a", undefined)]))).to.equal("send 1");
    expect(told(planWithState(undefined, [of("a", "0x5"), of("b", undefined)]))).to.equal("open 1 b");
    expect(told(planWithState("0x5", [of("a", "0x6", "unknown")]))).to.equal("send 1");
  });

  it("neither sends nor takes for the task what may have started from the same state, where the request is lost", () => {
    const request = { destinationChainId: TARGET.destinationChainId, tasks: [] };
    for (const more of [{}, { request }]) {
      expect(told(planWithState(undefined, [recordOf("a", "open", more)]))).to.equal("open 1 a");
      for (const state of ["intent", "unknown", "open", "finalized"] as const) {
        const records = [recordOf("a", state, more), of("b", "0x6")];
        const made = planWithState("0x5", records);
        expect(told(made)).to.equal("unresolved 1 a");
        expect(describePlan(made)).to.deep.equal([
          "0 of 1 task to send.",
          `${hashOf(1)} is not sent: whether submission a started from the same injected state is unknown.`,
        ]);
        expect(told(planWithState("0x5", [...records, of("c", "0x5")]))).to.equal("open 1 c");
      }
      for (const state of ["failed", "refused", "lost"] as const) {
        expect(told(planWithState("0x5", [recordOf("a", state, more)]))).to.equal("send 1");
      }
    }
  });

  it("gives no stored result of another state for the task's own", () => {
    expect(told(planWithState("0x5", [of("a", "0x5", "finalized")], [STORED]))).to.equal("finalized 1 store");
    for (const records of [[], [of("a", "0x6")], [of("a", undefined)]]) {
      expect(hdpThrown(() => planWithState("0x5", records, [STORED])).code).to.equal("HDP-5014");
    }
    expect(hdpThrown(() => planWithState(undefined, [of("a", "0x6")], [STORED])).code).to.equal("HDP-5014");
    expect(told(planWithState(undefined, [], [STORED]))).to.equal("finalized 1 store");
  });
});

describe("journal: idempotent submission", () => {
  const withResult = { results: new Map([[hashOf(1), STORED]]) };

  it("decides by the state of the earlier submission", () => {
    const expected: Readonly<Record<RecordState, string>> = {
      intent: "unresolved 1 a",
      unknown: "unresolved 1 a",
      open: "open 1 a",
      finalized: "open 1 a",
      failed: "send 1",
      refused: "send 1",
      lost: "send 1",
    };
    const states: RecordState[] = ["intent", "unknown", "open", "finalized", "failed", "refused", "lost"];
    for (const state of states) expect(told(plan([1], [recordOf("a", state)]))).to.equal(expected[state]);
  });

  it("sends what nobody knows, once for equal tasks", () => {
    expect(told(plan([1, 2, 1], []))).to.equal("send 1; send 2");
  });

  it("prefers a result to an open submission, and that to one of unknown outcome", () => {
    const all = [recordOf("r", "failed", withResult), recordOf("o", "open"), recordOf("u", "unknown")];
    expect(told(plan([1], all))).to.equal("finalized 1 r");
    expect(told(plan([1], all.slice(1)))).to.equal("open 1 o");
    expect(told(plan([1], all.slice(2)))).to.equal("unresolved 1 u");
    expect(told(plan([1], all.slice(2), [STORED]))).to.equal("finalized 1 store");
  });

  it("takes the newest of several", () => {
    expect(told(plan([1], [recordOf("a", "open"), recordOf("b", "open")]))).to.equal("open 1 b");
    expect(told(plan([1], [recordOf("a", "intent"), recordOf("b", "unknown")]))).to.equal("unresolved 1 b");
  });

  it("tells other destinations, data processors and hosts apart, but not networks", () => {
    const others: Partial<JournalRecord>[] = [
      { destinationChainId: "ETHEREUM_MAINNET" },
      { processor: "batch" },
      { endpointHost: "staging.example.org" },
    ];
    for (const other of others) expect(told(plan([1], [recordOf("a", "open", other)]))).to.equal("send 1");
    expect(told(plan([1], [recordOf("a", "open", { network: "other" })]))).to.equal("open 1 a");
  });

  it("tells chains apart by their first block, and sends again what one that starts anew has lost", () => {
    const [then, now] = [hashOf(100), hashOf(101)];
    const target = { ...TARGET, genesis: now };
    const planned = (record: JournalRecord, options: PlanOptions = {}): string =>
      told(planSubmission([{ task: taskOf(1), taskHash: hashOf(1) }], target, [record], new Map(), options));
    const startsAnew = true;
    for (const state of ["open", "finalized", "intent", "unknown"] as const) {
      expect(planned(recordOf("a", state, { genesis: then }), { startsAnew })).to.equal("send 1");
      expect(planned(recordOf("a", state, { genesis: now }), { startsAnew })).to.not.equal("send 1");
      expect(planned(recordOf("a", state), { startsAnew })).to.not.equal("send 1");
      // A chain that does not start anew was paid on: what was sent for another is not sent again without a word.
      expect(planned(recordOf("a", state, { genesis: then }))).to.not.equal("send 1");
    }
    const read = recordOf("a", "finalized", { ...withResult, genesis: then });
    expect(planned(read, { startsAnew })).to.equal("send 1");
    expect(planned(read)).to.equal("open 1 a");
    expect(planned({ ...read, genesis: now })).to.equal("finalized 1 a");
  });

  it("does not believe the journal where the store was asked", () => {
    const read = recordOf("a", "finalized", withResult);
    const isStoreAsked = true;
    expect(told(plan([1], [read], [STORED], { isStoreAsked }))).to.equal("finalized 1 a");
    expect(told(plan([1], [read], [], { isStoreAsked, startsAnew: true }))).to.equal("send 1");
    expect(told(plan([1], [read], [], { isStoreAsked }))).to.equal("open 1 a");
    expect(told(plan([1], [recordOf("a", "open")], [], { isStoreAsked, startsAnew: true }))).to.equal("open 1 a");
  });

  it("sends everything by force", () => {
    const records = [recordOf("a", "open"), recordOf("b", "unknown")];
    expect(told(plan([1, 2, 2], records, [STORED], { force: true }))).to.equal("send 1; send 2");
  });

  it("says what a batch sends and why not the rest", () => {
    const other = { ...STORED, taskHash: hashOf(2) };
    expect(describePlan(plan([1, 2, 3], [recordOf("a", "open")], [other]))).to.deep.equal([
      "1 of 3 tasks to send.",
      `${hashOf(1)} is not sent: submitted 2026-01-01T00:00:00.000Z as service-a.`,
      `${hashOf(2)} is not sent: finalized in ${STORE}.`,
    ]);
    expect(describePlan(plan([1, 2], [recordOf("a", "unknown")]))).to.deep.equal([
      "0 of 2 tasks to send.",
      `${hashOf(1)} is not sent: whether submission a was accepted is unknown.`,
    ]);
    expect(describePlan(plan([5], []))).to.deep.equal(["1 of 1 task to send."]);
  });
});
