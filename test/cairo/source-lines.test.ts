import { expect } from "chai";

import { compiledFile } from "../support/compiled-functions.js";
import { hdpFailure } from "../support/failure.js";
import { PANIC_LINES, panicOf, type PanicsClasses } from "../support/panics-module.js";

const classes = {
  casm: compiledFile("panics.compiled_contract_class.json.br"),
  sierra: compiledFile("panics.contract_class.json.br"),
};
const FILE = "/panics/src/kinds.cairo";

/** Function and line of a panic, in short. */
async function placeOf(kind: number, { casm, sierra }: PanicsClasses = classes) {
  const run = await panicOf(kind, { casm, sierra });
  if (run.status !== "panicked") return expect.fail(run.status);
  return { func: run.panickedIn.replace("panics::kinds::", ""), line: run.panickedAt };
}

/** `unwrap` of a conversion: its line is that of the conversion, and of one that the compiler wrote once for five. */
const UNKNOWN = new Set([6, 21]);
/** A system call that the data processor refuses, and a read of a block that there is not. */
const STOPPED: Readonly<Record<number, string>> = { 28: "HDP-7111", 29: "HDP-4101" };

describe("the line of a panic", () => {
  it("names the line of each kind of panic, and none where one of several unwraps failed", async () => {
    expect([...PANIC_LINES.keys()].sort((a, b) => a - b)).to.deep.equal([...Array(30).keys()]);
    const told: (readonly [number, string | undefined])[] = [];
    for (const kind of [...PANIC_LINES.keys()].filter((one) => !(one in STOPPED)))
      told.push([kind, (await placeOf(kind)).line]);
    expect(told).to.deep.equal(
      told.map(([kind]) => [
        kind,
        UNKNOWN.has(kind) ? undefined : `${FILE}:${String(PANIC_LINES.get(kind))}`,
      ]),
    );
  });

  it("comes with the function: a loop, one that calls itself, one that is called", async () => {
    const names = {
      0: "panics",
      16: /^looped\[\d+-\d+\]/,
      22: "recursive",
      23: "inner",
      27: "panics",
    };
    for (const [kind, name] of Object.entries(names))
      expect((await placeOf(Number(kind))).func).to.match(new RegExp(name));
  });

  it("names the line of a refused system call, or of a refused read of a library's function", async () => {
    for (const [kind, code] of Object.entries(STOPPED)) {
      const place = `${FILE}:${String(PANIC_LINES.get(Number(kind)))}`;
      const refused = await hdpFailure(panicOf(Number(kind), classes));
      expect([refused.code, refused.path]).to.deep.equal([
        code,
        `panics::kinds::panics (${place})`,
      ]);
    }
  });

  for (const [what, change] of Object.entries<(text: string) => string>({
    "has no lines": (text) => text.replace("statements_code_locations", "other"),
    "is of another program": (text) =>
      text.replace('"sierra_program":["0x1"', '"sierra_program":["0x1","0x7"'),
    "is cut short": (text) =>
      text.replace(/"sierra_program":\[[^\]]*\]/, '"sierra_program":["0x1"]'),
  })) {
    it(`names no line where the Sierra class ${what}`, async () => {
      const sierra: unknown = JSON.parse(change(JSON.stringify(classes.sierra)));
      expect(await placeOf(0, { ...classes, sierra })).to.deep.equal({
        func: "panics",
        line: undefined,
      });
    });
  }
});
