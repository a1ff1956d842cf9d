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
} from "../../src/entries/request.js";
import { describeTask } from "../../src/request/describe-task.js";
import { hdpThrown } from "../support/failure.js";

const MODULE = { type: "Module", programHash: "0x7", inputs: [{ visibility: "public", value: "0x1" }] } as const;
const withState = (injected_state: unknown): object => ({ ...MODULE, injected_state });
const request = (...tasks: unknown[]): unknown => ({ destinationChainId: "ETHEREUM_SEPOLIA", tasks });

describe("injected state of a task", () => {
  it("names labels as text or felt, in the order of their felts", () => {
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

  it("is written as it is read, and a task of the builder is the same", () => {
    const task = parseTask(withState({ votes: "0x0" }));
    expect(toTaskJson(task)).to.deep.equal({ ...MODULE, injected_state: { "0x766f746573": "0x0" } });
    expect(parseTask(toTaskJson(task))).to.deep.equal(task);
    expect(parseTask(task), "a parsed task is read again").to.deep.equal(task);
    expect(moduleTask({ programHash: 7n, inputs: [1n], injectedState: { votes: 0n } })).to.deep.equal(task);
    const whole = parseTaskRequest(request(task));
    expect(parseTaskRequest(toTaskRequestJson(whole))).to.deep.equal(whole);
  });

  it("leaves a task without labels as it was", () => {
    expect(parseTask(withState({}))).to.deep.equal(MODULE);
    expect(parseTask(MODULE)).to.deep.equal(MODULE);
  });

  it("is no part of the task hash, as published: two such tasks do not go together", () => {
    const [plain, first, second] = [MODULE, withState({ a: "0x0" }), withState({ a: "0x1" })];
    const hashes = [plain, first, second].map((json) => taskHash(parseTask(json)));
    expect(new Set(hashes)).to.have.property("size", 1);
    expect(hdpThrown(() => parseTaskRequest(request(first, second))).message).to.match(
      /^HDP-1125 in tasks\[1\]\.injected_state: .*tasks\[0\]/,
    );
    expect(hdpThrown(() => parseTaskRequest(request(plain, first))).code).to.equal("HDP-1125");
    const other: Task = { ...MODULE, inputs: [{ visibility: "public", value: "0x2" }] };
    expect(parseTaskRequest(request(first, first, { ...second, inputs: other.inputs })).tasks).to.have.length(3);
  });

  for (const [what, wrong, message] of [
    ["a list", ["votes"], "HDP-1103 in injected_state"],
    ["a root that is a number", { votes: 7 }, 'The root of "votes" is 7, which is no felt.'],
    ["a root beyond the field", { votes: `0x${"f".repeat(63)}` }, "which is no felt."],
    ["a label of 32 characters", { ["v".repeat(32)]: "0x0" }, "is no label."],
    ["a label twice", { votes: "0x0", "0x766f746573": "0x0" }, 'The label "votes" is named twice.'],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(hdpThrown(() => parseTask(withState(wrong))).message).to.contain(message);
    });
  }
});
