import { expect } from "chai";

import { parseCompiledClass } from "../../src/entries/program.js";
import { functionNames } from "../../src/program/module-task.js";

const SELECTOR = "0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7";
const NONE = { L1_HANDLER: [], CONSTRUCTOR: [] };

/** A class with segments of 4, 3 and 2 felts, `main` in the second. */
function compiledWith(
  segments: object = { bytecode_segment_lengths: [4, 3, 2] },
): ReturnType<typeof parseCompiledClass> {
  return parseCompiledClass({
    prime: `0x800000000000011${"0".repeat(47)}1`,
    compiler_version: "2.16.1",
    hints: [],
    bytecode: new Array(9).fill("0x208b7fff7fff7ffe"),
    ...segments,
    entry_points_by_type: { EXTERNAL: [{ selector: SELECTOR, offset: 4, builtins: [] }], ...NONE },
  });
}

function sierraWith(
  names: readonly (readonly [number, string])[],
  main = 1,
  selector = SELECTOR,
): unknown {
  return {
    sierra_program_debug_info: { type_names: [], libfunc_names: [], user_func_names: names },
    entry_points_by_type: { EXTERNAL: [{ selector, function_idx: main }], ...NONE },
  };
}

describe("names of functions", () => {
  it("takes names from the Sierra class by number, at the start of each segment", () => {
    const names = functionNames(
      compiledWith(),
      sierraWith([
        [0, "a::b"],
        [1, "a::main"],
      ]),
    );
    expect([...(names ?? [])]).to.deep.equal([
      [0, "a::b"],
      [4, "a::main"],
    ]);
  });

  it("leave out the constants that a function was specialized for, not a closure's place", () => {
    const long = "m::main[465-657]{NotSpecialized, { 0, 0 }, NotSpecialized, }";
    const closure = "m::main::{closure@src/lib.cairo:3:5: 3:9}";
    const names = functionNames(
      compiledWith(),
      sierraWith([
        [0, long],
        [1, closure],
        [2, "m::f::<core::felt252>"],
      ]),
    );
    expect([...(names?.values() ?? [])]).to.deep.equal([
      "m::main[465-657]",
      closure,
      "m::f::<core::felt252>",
    ]);
    for (const odd of ["{a}", "{}", "a}", "m::{a}}"]) {
      expect(functionNames(compiledWith(), sierraWith([[1, odd]]))?.get(4), "kept whole").to.equal(
        odd,
      );
    }
  });

  for (const [what, compiled, sierra] of [
    ["where the Sierra class has none", compiledWith(), sierraWith([])],
    ["where it is no Sierra class", compiledWith(), { abi: [] }],
    [
      "where an entry point is elsewhere",
      compiledWith(),
      sierraWith(
        [
          [0, "a::b"],
          [1, "a::main"],
        ],
        0,
      ),
    ],
    [
      "where an entry point is another one",
      compiledWith(),
      sierraWith(
        [
          [0, "a::b"],
          [1, "a::main"],
        ],
        1,
        "0x1",
      ),
    ],
    [
      "of more functions than segments",
      compiledWith(),
      sierraWith([
        [0, "a"],
        [1, "b"],
        [2, "c"],
        [3, "d"],
      ]),
    ],
    [
      "of a class of one segment",
      compiledWith({ bytecode_segment_lengths: 9 }),
      sierraWith([
        [0, "a::b"],
        [1, "a::main"],
      ]),
    ],
    ["of a class without segments", compiledWith({}), sierraWith([[1, "a::main"]])],
    [
      "of a class of nested segments",
      compiledWith({ bytecode_segment_lengths: [4, [3, 2]] }),
      sierraWith([
        [0, "a::b"],
        [1, "a::main"],
      ]),
    ],
  ] as const) {
    it(`guesses no names ${what}`, () => {
      expect(functionNames(compiled, sierra)).to.equal(undefined);
    });
  }
});
