import { expect } from "chai";
import fc from "fast-check";
import { numberToHex } from "viem";

import { elapsed } from "../../src/base/text.js";
import { printRehearsals } from "../../src/tasks/ui/format.js";
import { printRecord, terminalScreen } from "../../src/tasks/ui/screen.js";

describe("elapsed time", () => {
  for (const [milliseconds, text] of [
    [0, "0.0 s"],
    [9949, "9.9 s"],
    [9950, "10 s"],
    [119_499, "119 s"],
    [119_500, "2 min 0 s"],
    [659_700, "11 min 0 s"],
    [7_199_499, "119 min 59 s"],
    [7_199_600, "2 h 0 min"],
    [12_000_000, "3 h 20 min"],
    [3 * 3_600_000 - 1, "3 h 0 min"],
    [47 * 3_600_000, "47 h 0 min"],
    [48 * 3_600_000 - 1, "2 d 0 h"],
    [292 * 3_600_000 - 1, "12 d 4 h"],
  ] as const) {
    it(`writes ${milliseconds} ms as ${text}`, () => {
      expect(elapsed(milliseconds)).to.equal(text);
    });
  }

  it("never writes 60 seconds or 60 minutes (property)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 120_000, max: 10 ** 9 }), (milliseconds) => {
        expect(elapsed(milliseconds)).not.to.match(/ (6\d|[7-9]\d) /);
      }),
    );
  });
});

describe("rehearsals", () => {
  it("have the number that the request gives their task, where it has several", () => {
    const hashes = [1, 2, 3].map((one) => numberToHex(one, { size: 32 }));
    const reason = "there is no node.";
    const printed = (count: number): string => {
      let text = "";
      const stream = { write: (more: string): unknown => (text += more) };
      const screen = terminalScreen(false, { stdout: stream, stderr: stream });
      const tasks = hashes.slice(0, count).map((hash) => ({ hash }));
      printRehearsals(screen, [{ taskHash: hashes[count - 1] ?? "0x", reason }], { tasks });
      return text;
    };
    expect(printed(1)).to.equal("  Not rehearsed  there is no node.\n");
    expect(printed(3)).to.equal("  Not rehearsed 3  there is no node.\n");
  });
});

describe("a record of unknown fields", () => {
  function printed(record: unknown): readonly string[] {
    let text = "";
    const stream = { write: (more: string): unknown => (text += more) };
    printRecord(terminalScreen(false, { stdout: stream, stderr: stream }), "Grow order", record);
    return text.trimEnd().split("\n");
  }

  it("prints a record whole, and of a million lines the first thousand", () => {
    expect(printed({ id: "7" })).to.deep.equal([
      "",
      "  Grow order",
      "    {",
      '      "id": "7"',
      "    }",
    ]);
    const lines = printed(new Array(1_000_000).fill(0));
    expect(lines).to.have.length(1_003);
    expect(lines.at(-1)).to.equal("    … and 999,002 more lines (--json has all)");
  });

  it("prints a record however deep it is", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    expect(printed(deep).join()).to.contain("nested deeper than 500 levels");
  });
});
