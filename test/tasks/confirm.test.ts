import { expect } from "chai";

import { isHdpError } from "../../src/entries/request.js";
import { confirmed } from "../../src/tasks/ui/confirm.js";
import { queriesAsStatus } from "../../src/tasks/ui/progress.js";
import { rejection } from "../support/failure.js";

const answering = (
  answer: string,
  asked: string[] = [],
  lines: string[] = [],
): Parameters<typeof confirmed>[2] => ({
  asker: {
    canAnswer: true,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  },
  screen: { line: (text = "") => lines.push(text) },
});

describe("questions before something that costs money", () => {
  const { exitCode } = process;
  afterEach(() => (process.exitCode = exitCode));

  for (const [answer, expected] of [
    ["y", true],
    ["Yes ", true],
    ["", false],
    ["n", false],
    ["yesterday", false],
  ] as const) {
    it(`takes "${answer}" as ${expected ? "yes" : "no"}`, async () => {
      const asked: string[] = [];
      const lines: string[] = [];
      expect(await confirmed("Create it?", false, answering(answer, asked, lines))).to.equal(
        expected,
      );
      expect(asked).to.deep.equal(["Create it? [y/N]"]);
      expect(lines).to.deep.equal(expected ? [] : ["  Nothing was sent."]);
      expect(process.exitCode).to.equal(expected ? exitCode : 1);
    });
  }

  it("does not ask with --yes", async () => {
    const asked: string[] = [];
    expect(await confirmed("Create it?", true, answering("n", asked))).to.equal(true);
    expect(asked).to.deep.equal([]);
  });

  it("throws HDP-6041 where nobody can answer", async () => {
    const error = await rejection(
      confirmed("Create it?", false, {
        ...answering("y"),
        asker: { canAnswer: false, ask: async () => "y" },
      }),
    );
    expect(isHdpError(error, "HDP-6041")).to.equal(true);
  });
});

describe("the state of a storage proof request", () => {
  const query = (status: string) => ({ internal_id: "1", status });

  it("counts queries by their status, in the service's words", () => {
    expect(queriesAsStatus([])).to.deep.equal({ name: "Scheduled", phase: "pending" });
    expect(queriesAsStatus([query("PENDING"), query("COMPLETED"), query("PENDING")])).to.deep.equal(
      {
        name: "2 PENDING, 1 COMPLETED",
        phase: "pending",
        detail: "3 in all",
      },
    );
  });
});
