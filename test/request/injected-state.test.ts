import { expect } from "chai";

import {
  moduleTask,
  type ModuleTask,
  parseTask,
  parseTaskRequest,
  type Task,
  taskHash,
  toTaskJson,
  toTaskRequestJson,
  describeTask,
} from "../../src/entries/request.js";
import { blockTask } from "./documents.js";
import { hdpThrown } from "../support/failure.js";

const MODULE = {
  type: "Module",
  programHash: "0x7",
  inputs: [{ visibility: "public", value: "0x1" }],
} as const;
const withState = (injected_state: unknown): object => ({ ...MODULE, injected_state });
const request = (...tasks: unknown[]): unknown => ({
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks,
});

describe("injected state of a task", () => {
  it("orders labels, which are text or felts, by their felts", () => {
    const task = parseTask(withState({ votes: "0x0A", "0x2": "0x0" })) as ModuleTask;
    expect(Object.entries(task.injectedState ?? {})).to.deep.equal([
      ["0x2", "0x0"],
      ["0x766f746573", "0xa"],
    ]);
    expect(describeTask(task).lines.slice(1)).to.deep.equal([
      "injected state 0x2 from root 0x0",
      "injected state votes from root 0xa",
    ]);
  });

  it("survives writing and reading, and the builder makes the same task", () => {
    const task = parseTask(withState({ votes: "0x0" }));
    expect(toTaskJson(task)).to.deep.equal({
      ...MODULE,
      injected_state: { "0x766f746573": "0x0" },
    });
    expect(parseTask(toTaskJson(task))).to.deep.equal(task);
    expect(parseTask(task), "a parsed task is read again").to.deep.equal(task);
    expect(
      moduleTask({ programHash: 7n, inputs: [1n], injectedState: { votes: 0n } }),
    ).to.deep.equal(task);
    const whole = parseTaskRequest(request(task));
    expect(parseTaskRequest(toTaskRequestJson(whole))).to.deep.equal(whole);
  });

  it("accepts at most 100 labels, whatever they are", () => {
    const labelled = (count: number) =>
      withState(Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, "0x0"])));
    expect(parseTask(labelled(100)))
      .to.have.property("injectedState")
      .that.has.property("0x6c39", "0x0");
    expect(hdpThrown(() => parseTask(labelled(101))).message).to.match(
      /^HDP-1124 in injected_state: an object of 101 labels is not accepted as injected state: a module starts from at most 100 tries\./,
    );
  });

  it("writes nothing for a task without labels", () => {
    expect(parseTask(withState({}))).to.deep.equal(MODULE);
    expect(parseTask(MODULE)).to.deep.equal(MODULE);
  });

  it("stays out of the task hash, so that two tasks which differ in it alone are refused", () => {
    const [plain, first, second] = [MODULE, withState({ a: "0x0" }), withState({ a: "0x1" })];
    const hashes = [plain, first, second].map((json) => taskHash(parseTask(json)));
    expect(new Set(hashes)).to.have.property("size", 1);
    expect(hdpThrown(() => parseTaskRequest(request(first, second))).message).to.match(
      /^HDP-1125 in tasks\[1\]\.injected_state: .*tasks\[0\]/,
    );
    expect(hdpThrown(() => parseTaskRequest(request(plain, first))).code).to.equal("HDP-1125");
    const other: Task = { ...MODULE, inputs: [{ visibility: "public", value: "0x2" }] };
    expect(
      parseTaskRequest(request(first, first, { ...second, inputs: other.inputs })).tasks,
    ).to.have.length(3);
  });

  for (const [what, wrong, message] of [
    ["a list", ["votes"], "HDP-1103 in injected_state"],
    [
      "a root that is a number",
      { votes: 7 },
      '"votes": 7 is not accepted as injected state: a root is a felt as 0x hex, "0x0" for a new trie.',
    ],
    ["a root beyond the field", { votes: `0x${"f".repeat(63)}` }, "a root is a felt as 0x hex"],
    [
      "a label of 32 characters",
      { ["v".repeat(32)]: "0x0" },
      "a label is text of at most 31 characters, or a felt as 0x hex.",
    ],
    [
      "a label twice",
      { votes: "0x0", "0x766f746573": "0x0" },
      '"0x766f746573": "0x0" is not accepted as injected state: the label "votes" is named twice.',
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(hdpThrown(() => parseTask(withState(wrong))).message).to.contain(message);
    });
  }

  it("distinguishes text labels from felt labels", () => {
    const labels = (...names: string[]): string[] => {
      const task = parseTask(
        withState(Object.fromEntries(names.map((name) => [name, "0x0"]))),
      ) as ModuleTask;
      return Object.keys(task.injectedState ?? {});
    };
    expect(labels("x0x1", "0x1z", "0X0A")).to.deep.equal(["0xa", "0x3078317a", "0x78307831"]);
    expect(labels("0x1", "0x2", "0x3")).to.deep.equal(["0x1", "0x2", "0x3"]);
    expect(labels("0x3", "0x2", "0x1")).to.deep.equal(["0x1", "0x2", "0x3"]);
    expect(labels("v".repeat(31))).to.deep.equal([`0x${"76".repeat(31)}`]);
    expect(labels(`0x0${"f".repeat(62)}`)).to.deep.equal([`0x${"f".repeat(62)}`]);
    for (const label of ["", "é", "aé", "éa", "a\nb", `0x${"f".repeat(63)}`]) {
      expect(hdpThrown(() => labels(label)).shortMessage).to.equal(
        `${JSON.stringify(label)}: "0x0" is not accepted as injected state: a label is text of at most 31 characters, or a felt as 0x hex.`,
      );
    }
  });

  it("accepts roots as hex or bigint felts only", () => {
    const root = (given: unknown): unknown =>
      (parseTask(withState({ a: given })) as ModuleTask).injectedState?.["0x61"];
    expect([root("0x0A"), root(10n), root(0n)]).to.deep.equal(["0xa", "0xa", "0x0"]);
    for (const given of [["0x1"], "x0x1", "0x1z", "0x", "1", null, -1n, 2n ** 252n, true]) {
      const { code, path, hints } = hdpThrown(() => root(given));
      expect([code, path, hints]).to.deep.equal([
        "HDP-1124",
        "injected_state",
        ['For instance "injected_state": { "my_trie": "0x0" }.'],
      ]);
    }
    for (const given of [null, 5, "votes", [], true]) {
      expect(hdpThrown(() => parseTask(withState(given))).code).to.equal("HDP-1103");
    }
  });

  it("compares every label with every task of the same hash", () => {
    const refused = (...states: readonly (object | undefined)[]): string[] => {
      const tasks = states.map((state) => (state === undefined ? MODULE : withState(state)));
      const error = hdpThrown(() => parseTaskRequest(request(...tasks)));
      const all =
        "errors" in error
          ? (error.errors as readonly { path?: string; shortMessage: string }[])
          : [];
      return all.map(
        ({ path = "", shortMessage }) => `${path} ${/tasks\[\d\]/.exec(shortMessage)?.[0] ?? ""}`,
      );
    };
    const [a, b, c] = [{ x: "0x0" }, { x: "0x0", y: "0x0" }, { x: "0x0", y: "0x1" }];
    expect(refused(a, b)).to.deep.equal(["tasks[1].injected_state tasks[0]"]);
    expect(refused(b, a)).to.deep.equal(["tasks[1].injected_state tasks[0]"]);
    expect(refused(b, c)).to.deep.equal(["tasks[1].injected_state tasks[0]"]);
    expect(refused(b, b, c)).to.deep.equal(["tasks[2].injected_state tasks[0]"]);
    expect(refused(a, b, a, c)).to.deep.equal([
      "tasks[1].injected_state tasks[0]",
      "tasks[2].injected_state tasks[1]",
      "tasks[3].injected_state tasks[0]",
    ]);
    expect(refused(undefined, b, undefined)).to.deep.equal([
      "tasks[1].injected_state tasks[0]",
      "tasks[2].injected_state tasks[1]",
    ]);
    expect(refused(a, b, c, a)).to.deep.equal([
      "tasks[1].injected_state tasks[0]",
      "tasks[2].injected_state tasks[0]",
      "tasks[3].injected_state tasks[1]",
    ]);
    // Private inputs are no part of the hash.
    const hidden = (value: string, state: object): object => ({
      ...MODULE,
      inputs: [...MODULE.inputs, { visibility: "private", value }],
      injected_state: state,
    });
    for (const first of [hidden("0x1", a), withState(a)]) {
      expect(hdpThrown(() => parseTaskRequest(request(first, hidden("0x2", b)))).code).to.equal(
        "HDP-1125",
      );
    }
    expect(
      parseTaskRequest(request(hidden("0x1", a), hidden("0x01", a), ...[blockTask(), blockTask()]))
        .tasks,
    ).to.have.length(4);
    expect(
      hdpThrown(() => parseTaskRequest(request(hidden("0x1", a), hidden("0x2", a)))),
    ).to.include({
      code: "HDP-1125",
      path: "tasks[1].inputs",
    });
  });

  it("reads labels from a parsed task under its parsed name", () => {
    const parsed = parseTask(withState({ votes: "0x1" }));
    expect(parseTask({ ...MODULE, injectedState: { votes: "0x1" } })).to.deep.equal(parsed);
    expect(
      hdpThrown(() => parseTask({ ...withState({ votes: "0x1" }), injectedState: {} }))
        .shortMessage,
    ).to.contain('the key "injectedState" is not known.');
    expect(toTaskJson(parseTask(MODULE))).not.to.have.property("injected_state");
    expect(moduleTask({ programHash: 7n, inputs: [1n] })).not.to.have.property("injectedState");
  });
});
