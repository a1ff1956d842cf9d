import { expect } from "chai";

import { isHdpError } from "../../src/errors/hdp-error.js";
import { confirmed, type Asker } from "../../src/tasks/ui/confirm.js";
import { queriesAsStatus } from "../../src/tasks/storage-proofs/query-table.js";
import { rejection } from "../support/failure.js";

const answering = (answer: string, asked: string[] = []): Asker => ({
  canAnswer: true,
  ask: async (question) => {
    asked.push(question);
    return answer;
  },
});

describe("questions before something that costs money", () => {
  for (const [answer, expected] of [
    ["y", true],
    ["Yes ", true],
    ["", false],
    ["n", false],
    ["yesterday", false],
  ] as const) {
    it(`takes "${answer}" as ${expected ? "yes" : "no"}`, async () => {
      const asked: string[] = [];
      expect(await confirmed("Create it?", false, answering(answer, asked))).to.equal(expected);
      expect(asked).to.deep.equal(["Create it? [y/N]"]);
    });
  }

  it("does not ask when told not to", async () => {
    const asked: string[] = [];
    expect(await confirmed("Create it?", true, answering("n", asked))).to.equal(true);
    expect(asked).to.deep.equal([]);
  });

  it("refuses where nobody can answer", async () => {
    const error = await rejection(confirmed("Create it?", false, { ...answering("y"), canAnswer: false }));
    expect(isHdpError(error, "HDP-6041")).to.equal(true);
  });
});

describe("the state of a storage proof request", () => {
  const query = (status: string) => ({ internal_id: "1", status });

  it("counts queries by their status, in the service's words", () => {
    expect(queriesAsStatus([])).to.deep.equal({ name: "Scheduled", phase: "pending" });
    expect(queriesAsStatus([query("PENDING"), query("COMPLETED"), query("PENDING")])).to.deep.equal({
      name: "2 PENDING, 1 COMPLETED",
      phase: "pending",
      detail: "3 in all",
    });
  });
});
