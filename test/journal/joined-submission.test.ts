import { expect } from "chai";

import { ALREADY_FINALIZED, joinIds, joinStatuses, partsOf } from "../../src/journal/joined-submission.js";
import type { TaskStatus } from "../../src/request/lifecycle.js";

describe("journal: several submissions as one", () => {
  it("have their ids joined, and taken apart again", () => {
    for (const [ids, joined] of [
      [["a"], "a"],
      [["a,b%"], "a,b%"],
      [["a", "b"], "a,b"],
      [["a,b", "c%", "finalized"], "a%2Cb,c%25,finalized"],
    ] as const) {
      expect(joinIds(ids)).to.equal(joined);
      expect(partsOf(joined, (part) => ids.some((id) => id === part))).to.deep.equal(ids);
    }
  });

  it("are taken apart only where every part is known", () => {
    const known =
      (...ids: string[]) =>
      (id: string) =>
        ids.includes(id);
    expect(partsOf("a,b", known("a", "b"))).to.deep.equal(["a", "b"]);
    expect(partsOf("a,b", known("a"))).to.deep.equal(["a,b"]);
    expect(partsOf("a,b", known("b"))).to.deep.equal(["a,b"]);
    expect(partsOf("a,b", known())).to.deep.equal(["a,b"]);
    expect(partsOf("a,b", known("a", "b", "a,b"))).to.deep.equal(["a,b"]);
    // One part is one id, also where it would be known by another spelling.
    expect(partsOf("a%2Cb", known("a,b"))).to.deep.equal(["a%2Cb"]);
    expect(partsOf(ALREADY_FINALIZED, known())).to.deep.equal([]);
    expect(partsOf(ALREADY_FINALIZED, known(ALREADY_FINALIZED))).to.deep.equal([ALREADY_FINALIZED]);
  });

  it("are failed as soon as one is, finalized when all are, and else pending with how many are done", () => {
    const done: TaskStatus = { name: "DONE", phase: "finalized" };
    const pending: TaskStatus = { name: "PROVING", phase: "pending" };
    const failed: TaskStatus = { name: "ERROR", phase: "failed", detail: "no" };
    expect(joinStatuses([])).to.deep.equal({ name: "finalized", phase: "finalized" });
    for (const one of [done, pending, failed]) expect(joinStatuses([one])).to.equal(one);
    expect(joinStatuses([done, { ...done, name: "LAST" }])).to.deep.equal({ ...done, name: "LAST" });
    for (const statuses of [
      [failed, pending, done],
      [pending, failed, done],
      [done, pending, failed],
    ]) {
      expect(joinStatuses(statuses)).to.deep.equal(failed);
    }
    for (const statuses of [
      [pending, done],
      [done, pending],
    ]) {
      expect(joinStatuses(statuses)).to.deep.equal({ ...pending, detail: "1 of 2 submissions finalized" });
    }
    expect(joinStatuses([done, { ...pending, detail: "40 %" }, pending])).to.deep.equal({
      ...pending,
      detail: "40 % (1 of 3 submissions finalized)",
    });
  });
});
