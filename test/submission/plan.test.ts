import { expect } from "chai";
import type { Hex } from "viem";

import type { ModuleInput, ModuleTask } from "../../src/entries/request.js";
import type { SubmissionRecord, SubmissionState } from "../../src/types.js";
import type { Target } from "../../src/submission/model.js";
import {
  describePlan,
  workIdentity,
  planSubmission,
  type PlanInput,
} from "../../src/submission/plan.js";

const TARGET: Target = {
  network: "sepolia",
  processor: "tasks",
  host: "hdp.example.org",
  endpoint: "e1",
  destinationChainId: "ETHEREUM_SEPOLIA",
  genesis: "0x01",
};
const HASH = `0x${"aa".repeat(32)}`;
const IDENTITY = workIdentity("tasks", HASH, TARGET);
const ITEM = { hash: HASH, identity: IDENTITY };
const STORED = new Map([[HASH, { store: "0x5708e" as const }]]);

let count = 0;

function record(state: SubmissionState, more: Partial<SubmissionRecord> = {}): SubmissionRecord {
  const id = `r${(count += 1)}`;
  return {
    id,
    kind: "tasks",
    state,
    createdAt: 0,
    updatedAt: 0,
    forced: false,
    serviceId: `s-${id}`,
    ...TARGET,
    parts: [{ hash: HASH, identity: IDENTITY }],
    ...more,
  };
}

const read = (state: SubmissionState): SubmissionRecord =>
  record(state, { parts: [{ hash: HASH, identity: IDENTITY, word: "0x07" }] });

function decide(records: readonly SubmissionRecord[], more: Partial<PlanInput> = {}): string {
  const plan = planSubmission({
    items: [ITEM],
    target: TARGET,
    records,
    isBeingSent: () => false,
    ...more,
  });
  const [decision] = plan.decisions;
  const about = decision !== undefined && "record" in decision ? ` ${decision.record.id}` : "";
  const released = plan.release.map((one) => one.record.id);
  return `${String(decision?.kind)}${about}${released.length === 0 ? "" : `, releases ${released.join(" ")}`}`;
}

describe("the plan of a submission", () => {
  for (const [state, expected] of [
    ["claimed", "send, releases"],
    ["sending", "undecided"],
    ["unknown", "undecided"],
    ["accepted", "reuse"],
    ["finalized", "reuse"],
    ["failed", "send"],
    ["refused", "send"],
    ["lost", "send"],
  ] as const) {
    it(`decides "${expected}" after a submission that is ${state}`, () => {
      const earlier = record(state);
      const named = ["undecided", "reuse", "send, releases"].includes(expected)
        ? ` ${earlier.id}`
        : "";
      expect(decide([earlier])).to.equal(`${expected}${named}`);
    });
  }

  it("sends what is not known, and equal items once", () => {
    const plan = planSubmission({
      items: [ITEM, ITEM],
      target: TARGET,
      records: [],
      isBeingSent: () => false,
    });
    expect(plan.decisions).to.deep.equal([{ kind: "send", elsewhere: undefined, item: ITEM }]);
  });

  it("prefers a stored result to an accepted submission, that to one being sent, and that to an undecided one", () => {
    const [unknown, sending, accepted] = [record("unknown"), record("sending"), record("accepted")];
    const isBeingSent = ({ id }: SubmissionRecord): boolean => id === sending.id;
    expect(decide([unknown, accepted], { stored: STORED })).to.equal("stored");
    expect(decide([accepted, unknown])).to.equal(`reuse ${accepted.id}`);
    expect(decide([unknown, sending], { isBeingSent })).to.equal(`wait ${sending.id}`);
    expect(decide([sending, unknown], { isBeingSent })).to.equal(`undecided ${unknown.id}`);
  });

  it("takes the newest of several", () => {
    const newest = record("accepted");
    expect(decide([record("accepted"), newest, record("refused")])).to.equal(`reuse ${newest.id}`);
  });

  it("distinguishes destinations and services, but not networks", () => {
    const other = (target: Partial<Target>): SubmissionRecord =>
      record("accepted", {
        ...target,
        parts: [{ hash: HASH, identity: workIdentity("tasks", HASH, { ...TARGET, ...target }) }],
      });
    expect(decide([other({ destinationChainId: "BASE_SEPOLIA" })])).to.equal("send");
    expect(decide([other({ host: "h2", endpoint: "e2" })])).to.equal("send");
    expect(decide([other({ network: "mainnet" })])).to.match(/^reuse/);
  });

  it("distinguishes development chains by their first block, and no others", () => {
    const identity = (genesis: `0x${string}`, startsAnew: boolean): string =>
      workIdentity("tasks", HASH, { ...TARGET, genesis }, { startsAnew });
    expect(identity("0x01", true)).to.not.equal(identity("0x02", true));
    expect(identity("0x01", false)).to.equal(identity("0x02", false));
  });

  it("sends again what a development chain has lost, where its store was asked", () => {
    const [open, done] = [record("accepted"), read("finalized")];
    const asked = { stored: new Map() };
    expect(decide([done], { ...asked, before: [done] })).to.equal(`send, releases ${done.id}`);
    expect(decide([done], { before: [done] })).to.equal(`reuse ${done.id}`);
    expect(decide([done], asked), "a live chain").to.equal(`reuse ${done.id}`);
    expect(decide([open], { ...asked, before: [open] })).to.equal(`reuse ${open.id}`);
  });

  it("keeps a task open on a development chain whose result was read after its store was asked", () => {
    const done = read("finalized");
    const unread = { ...done, parts: done.parts.map((part) => ({ ...part, word: undefined })) };
    const asked = { stored: new Map() };
    expect(decide([done], { ...asked, before: [] })).to.equal(`reuse ${done.id}`);
    expect(decide([done], { ...asked, before: [unread] })).to.equal(`reuse ${done.id}`);
    expect(decide([done], { ...asked, before: [done] })).to.equal(`send, releases ${done.id}`);
  });

  it("keeps a task open on a development chain while only other results of its request were read", () => {
    const parts = [
      { hash: HASH, identity: IDENTITY },
      { hash: "0xbb", identity: "other", word: "0x07" as const },
    ];
    const [open, done] = [
      record("accepted", { parts }),
      record("accepted", { parts: [...parts].reverse() }),
    ];
    const asked = { stored: new Map(), before: [open, done] };
    expect(decide([open], asked)).to.equal(`reuse ${open.id}`);
    expect(decide([done], { ...asked, items: [{ hash: "0xbb", identity: "other" }] })).to.equal(
      `send, releases ${done.id}`,
    );
  });

  it("sends again what the service has forgotten", () => {
    const [open, undecided] = [record("accepted"), record("unknown")];
    expect(decide([open], { gone: new Set([open.id]) })).to.equal(`send, releases ${open.id}`);
    expect(decide([undecided], { gone: new Set([undecided.id]) })).to.equal(
      `undecided ${undecided.id}`,
    );
    expect(decide([open], { gone: new Set([open.id]), stored: STORED })).to.equal("stored");
  });

  it("sends everything by force, in place of what was sent before", () => {
    const [open, unknown] = [record("accepted"), record("unknown")];
    expect(decide([open, unknown], { force: true, stored: STORED })).to.equal(
      `send, releases ${open.id} ${unknown.id}`,
    );
  });

  it("refuses what is open under another API version of the same service", () => {
    const open = record("accepted", { processor: "batch" });
    expect(decide([open])).to.equal(`other-version ${open.id}`);
  });

  it("names what is open at another address of the same host, and sends it", () => {
    const elsewhere = (more: Partial<SubmissionRecord>): SubmissionRecord =>
      record("accepted", { endpoint: "e9", parts: [{ hash: HASH, identity: "other" }], ...more });
    const noted = (one: SubmissionRecord, target: Partial<Target> = {}): boolean => {
      const input = {
        items: [ITEM],
        target: { ...TARGET, ...target },
        records: [one],
        isBeingSent: () => false,
      };
      return describePlan(planSubmission(input)).elsewhere.length > 0;
    };
    expect(noted(elsewhere({ host: "hdp.example.org:8080" }))).to.equal(true);
    expect(noted(elsewhere({ state: "unknown" }))).to.equal(true);
    expect(noted(elsewhere({ host: "h2" }))).to.equal(false);
    expect(noted(elsewhere({ host: undefined }))).to.equal(false);
    expect(noted(elsewhere({ state: "refused" }))).to.equal(false);
    expect(noted(elsewhere({ destinationChainId: "BASE_SEPOLIA" }))).to.equal(false);
    expect(noted(elsewhere({ genesis: "0x02" }))).to.equal(false);
    expect(noted(elsewhere({ parts: [{ hash: "0x1", identity: "other" }] }))).to.equal(false);
    expect(noted(elsewhere({ endpoint: "e1" })), "the same address").to.equal(false);
    expect(noted(elsewhere({ genesis: undefined })), "a chain that was not asked then").to.equal(
      true,
    );
    expect(noted(elsewhere({}), { genesis: undefined }), "a chain that is not asked now").to.equal(
      true,
    );
    expect(noted(elsewhere({ host: "[::2]" }), { host: "[::1]" })).to.equal(false);
    const two = ["0x1", HASH].map((hash) => ({ hash, identity: "other" }));
    expect(noted(elsewhere({ parts: two }))).to.equal(true);
  });

  it("describes in a sentence each task that is not sent, or sent a second time", () => {
    const open = record("accepted", { serviceId: undefined });
    const elsewhere = record("accepted", {
      endpoint: "e9",
      parts: [{ hash: "0x03", identity: "other" }],
    });
    const items = [HASH, "0x02", "0x03"].map((hash) => ({
      hash,
      identity: workIdentity("tasks", hash, TARGET),
    }));
    const stored = new Map([["0x02", { store: "0x5708e" as const }]]);
    const input = {
      items,
      target: TARGET,
      records: [open, elsewhere],
      stored,
      isBeingSent: () => false,
    };
    const warning = `0x03 is sent although it is open at another address of the same host, hdp.example.org, as s-${elsewhere.id}.`;
    expect(describePlan(planSubmission(input))).to.deep.equal({
      send: ["0x03"],
      reuse: [HASH, "0x02"],
      sentences: [
        "1 of 3 tasks to send.",
        warning,
        `${HASH} is not sent: submitted 1970-01-01T00:00:00.000Z as ${open.id}.`,
        "0x02 is not sent: finalized in 0x5708e.",
      ],
      elsewhere: [warning],
    });
  });

  const moduleOf = (more: Partial<ModuleTask>): string =>
    workIdentity("tasks", HASH, TARGET, {
      task: { type: "Module", programHash: "0xabc", inputs: [], ...more },
    });
  const publicInput = { visibility: "public", value: "0x1" } as const;
  const secret = (value: Hex): ModuleInput => ({ visibility: "private", value });

  it("distinguishes modules by what their hash does not cover, of which private inputs are not stored", () => {
    expect(moduleOf({ inputs: [publicInput] })).to.equal(IDENTITY);
    expect(moduleOf({ injectedState: { "0x1": "0x5" } })).to.equal(`${IDENTITY}1=5`);
    const [own, same, other, place] = [
      [publicInput, secret("0x7")],
      [publicInput, secret("0x07")],
      [publicInput, secret("0x8")],
      [secret("0x7"), publicInput],
    ].map((inputs) => moduleOf({ inputs }));
    expect(own?.replace(IDENTITY, "")).to.match(/^ private [0-9a-f]{8}$/);
    expect(same).to.equal(own);
    expect(new Set([own, other, place]).size).to.equal(3);
  });

  for (const [state, expected] of [
    ["claimed", "send, releases"],
    ["sending", "other-open"],
    ["unknown", "other-open"],
    ["accepted", "other-open"],
    ["finalized", "other-open"],
    ["failed", "send"],
    ["refused", "send"],
    ["lost", "send"],
  ] as const) {
    it(`decides "${expected}" after a submission of its hash, but of other state, that is ${state}`, () => {
      const parts = [{ hash: HASH, identity: moduleOf({ injectedState: { "0x1": "0x5" } }) }];
      const other = record(state, { parts });
      const named = ["other-open", "send, releases"].includes(expected) ? ` ${other.id}` : "";
      expect(decide([other])).to.equal(`${expected}${named}`);
      const own = record("accepted");
      const releases = state === "claimed" ? `, releases ${other.id}` : "";
      expect(decide([own, other]), "its own comes first").to.equal(`reuse ${own.id}${releases}`);
      expect(decide([other], { force: true })).to.equal(`send, releases ${other.id}`);
    });
  }

  it("sends a task after one of its hash that a development chain has lost", () => {
    const identity = moduleOf({ injectedState: { "0x1": "0x5" } });
    const done = record("finalized", { parts: [{ hash: HASH, identity, word: "0x07" }] });
    const stored = new Map();
    expect(decide([done], { stored, before: [done] })).to.equal(`send, releases ${done.id}`);
    const open = record("finalized", { parts: [{ hash: HASH, identity }] });
    expect(decide([open], { stored, before: [open] })).to.equal(`other-open ${open.id}`);
  });

  it("takes a stored result for the task's, unless it may be of other private inputs or injected state", () => {
    const stored = STORED;
    const withState = moduleOf({ injectedState: { "0x1": "0x5" } });
    const other = record("finalized", { parts: [{ hash: HASH, identity: withState }] });
    expect(decide([], { stored })).to.equal("stored");
    expect(decide([other], { stored })).to.equal("other-stored");
    expect(decide([other, record("finalized")], { stored })).to.equal("stored");
    expect(decide([], { stored, items: [{ hash: HASH, identity: withState }] })).to.equal(
      "other-stored",
    );
    expect(decide([other], { stored, items: [{ hash: HASH, identity: withState }] })).to.equal(
      "stored",
    );
    const several = { parts: [{ hash: "0x1", identity: "tasks 0x1#" }, ...other.parts] };
    expect(decide([record("finalized", several)], { stored })).to.equal("other-stored");
    const unlike = record("finalized", { parts: [{ hash: "0x1", identity: "tasks 0x1#" }] });
    expect(decide([unlike], { stored })).to.equal("stored");
  });
});
