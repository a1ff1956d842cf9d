import { spawnSync } from "node:child_process";

import { expect } from "chai";
import fc from "fast-check";

import { printable, printableLines, shellWord } from "../../src/errors/printable.js";

/** Characters that do something on a screen. */
const ACTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u; // eslint-disable-line no-control-regex -- they are what is looked for

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from("\u001b\u009b\u0007\u202e\u2066\u200f\r\n\t'\";$`&|")),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});

describe("text from outside", () => {
  it("prints text on one line without anything that acts on a terminal", () => {
    expect(printable("\u001b]0;title\u0007done\u001b[2J\u202egnp.exe\u2028next\tcell")).to.equal(
      "]0;title done [2J gnp.exe next cell",
    );
    expect(printable("x".repeat(501))).to.equal(`${"x".repeat(499)}…`);
    expect(printable("x".repeat(10), 5)).to.equal("xxxx…");
  });

  it("keeps the lines and tabs of longer text", () => {
    expect(printableLines("a\n\tb\r\n\u001b[31mc\u2029d")).to.equal("a\n\tb \n [31mc d");
  });

  it("prints no active character, whatever the text was (property)", () => {
    fc.assert(
      fc.property(text, (raw) => {
        expect(printable(raw)).to.not.match(ACTIVE);
        expect(printable(raw)).to.not.include("\n");
        expect(printableLines(raw)).to.not.match(ACTIVE);
      }),
    );
  });

  it("quotes text in a command unless it is a plain id or path", () => {
    for (const id of [
      "01JPJ03YJT",
      "a.b:c-d_e",
      "0x12",
      "tasks/fee.json",
      "../fee.json",
      "/tmp/x",
    ]) {
      expect(shellWord(id)).to.equal(id);
    }
    for (const id of ["", "a b", "--force", "$HOME", "a;b", "ü", "~/x"])
      expect(shellWord(id)).to.equal(`'${id}'`);
    expect(shellWord("x'; rm -rf $HOME")).to.equal(`'x'\\''; rm -rf $HOME'`);
  });

  it("makes one word for a shell, whatever the text was (property)", function () {
    if (process.platform === "win32") this.skip();
    fc.assert(
      fc.property(text, (raw) => {
        const { stdout } = spawnSync("sh", ["-c", `printf '%s|' ${shellWord(raw)}`], {
          encoding: "utf8",
        });
        expect(stdout).to.equal(`${printable(raw, 200)}|`);
      }),
      { numRuns: 40 },
    );
  });
});
