import { expect } from "chai";
import fc from "fast-check";

import {
  type CompiledClass,
  parseCompiledClass,
  parseCompiledClassText,
} from "../../src/entries/program.js";
import { HdpError } from "../../src/entries/request.js";
import {
  bytecodeSource,
  MAIN_SELECTOR,
  rememberedClass,
  requireMain,
} from "../../src/program/compiled-class.js";
import { compiledJson } from "./classes.js";
import { expectThrown, hdpThrown } from "../support/failure.js";

describe("compiled class", () => {
  it("reads felts, segments, hints and entry points", () => {
    const compiled = parseCompiledClass({ ...compiledJson(), pythonic_hints: [], unknown: 1 });
    expect(compiled).to.deep.equal({
      compilerVersion: "2.8.2",
      bytecode: [0x208b7fff7fff7ffen, 2n, 3n, 0x208b7fff7fff7ffen],
      bytecodeSegmentLengths: [1, [2, 1]],
      hints: [[1, [{ AllocSegment: { dst: { register: "AP", offset: 0 } } }]]],
      entryPointsByType: {
        EXTERNAL: [{ selector: MAIN_SELECTOR, offset: 0, builtins: ["range_check", "poseidon"] }],
        L1_HANDLER: [],
        CONSTRUCTOR: [],
      },
    });
    expect(requireMain(compiled).builtins).to.deep.equal(["range_check", "poseidon"]);
  });

  it("reads equal JSON once, and reads JSON that was changed since anew", () => {
    const json = compiledJson({ compiler_version: "remembered" });
    const compiled = rememberedClass(json);
    expect(rememberedClass(JSON.parse(JSON.stringify(json)))).to.equal(compiled);
    json["bytecode_segment_lengths"] = [4];
    expect(rememberedClass(json)).not.to.equal(compiled);
    expect(rememberedClass(json).bytecodeSegmentLengths).to.deep.equal([4]);
    expect(() => rememberedClass({})).to.throw(HdpError);
  });

  it("forgets the class that was used longest ago, once those remembered have a million felts", () => {
    const large = (name: string): CompiledClass => {
      const bytecode = new Array<string>(400_000).fill("0x1");
      return rememberedClass(
        compiledJson({ compiler_version: name, bytecode, bytecode_segment_lengths: null }),
      );
    };
    const [first, second] = [large("first"), large("second")];
    expect(large("first")).to.equal(first);
    large("third");
    expect(large("first")).to.equal(first);
    expect(large("second")).not.to.equal(second);
  });

  it("reads no segments where the file has none", () => {
    for (const bytecode_segment_lengths of [undefined, null]) {
      expect(parseCompiledClass(compiledJson({ bytecode_segment_lengths }))).not.to.have.property(
        "bytecodeSegmentLengths",
      );
    }
    expect(
      parseCompiledClass(compiledJson({ bytecode_segment_lengths: 4 })).bytecodeSegmentLengths,
    ).to.equal(4);
  });

  it("names the compiled class where the Sierra class is given", () => {
    const sierra = { sierra_program: ["0x1"], abi: [] };
    expectThrown(
      () => parseCompiledClass(sierra, { file: "target/dev/a_B.contract_class.json" }),
      "HDP-7002",
      "target/dev/a_B.contract_class.json",
      "target/dev/a_B.compiled_contract_class.json",
      "casm = true",
    );
    expectThrown(
      () => parseCompiledClass(sierra),
      "HDP-7002",
      undefined,
      ".compiled_contract_class.json",
    );
  });

  it("refuses Cairo 0", () => {
    for (const json of [
      { abi: [], program: { data: [] }, entry_points_by_type: {} },
      { identifiers: {}, reference_manager: {}, data: [] },
      { compiler_version: "0.13.1", data: [] },
    ]) {
      expectThrown(
        () => parseCompiledClass(json, { file: "old.json" }),
        "HDP-7001",
        "old.json",
        "Cairo 2",
      );
    }
    // Each of the two alone says nothing: unknown keys pass.
    for (const key of ["identifiers", "reference_manager"])
      parseCompiledClass(compiledJson({ [key]: {} }));
  });

  it("names the place of a error", () => {
    const refuses = (changes: Record<string, unknown>, ...parts: string[]): void => {
      expectThrown(
        () => parseCompiledClass(compiledJson(changes), { file: "x.json" }),
        "HDP-7001",
        "x.json",
        ...parts,
      );
    };
    const entry = { selector: "0x1", offset: 4, builtins: [] };
    const none = { L1_HANDLER: [], CONSTRUCTOR: [] };
    refuses({ prime: "0x7" }, "prime must be the prime of Starknet's field");
    refuses({ bytecode: undefined }, "bytecode must be a list of 1 to 400000 felts");
    refuses({ compiler_version: undefined }, "compiler_version is missing");
    refuses({ bytecode: ["0x1", "zz"] }, "bytecode[1] must be a felt as text, like 0x1f");
    refuses({ bytecode: [compiledJson()["prime"]] }, "bytecode[0] must be a felt as text");
    refuses({ bytecode: [`0x${"1".repeat(90)}`] }, "bytecode[0] must be a felt as text");
    refuses({ bytecode: [1, 2] }, "bytecode[0]");
    refuses({ bytecode_segment_lengths: [1, 2] }, "sums up to 3, but the bytecode has 4 felts");
    refuses(
      { bytecode_segment_lengths: [1, [-3, 6]] },
      "bytecode_segment_lengths[1][0] must be a number of felts",
    );
    refuses(
      { bytecode_segment_lengths: "4" },
      "bytecode_segment_lengths must be a number or a list",
    );
    refuses({ hints: [[4, []]] }, "hints[0] must be an index of the bytecode with a list of hints");
    refuses(
      { entry_points_by_type: { ...none, EXTERNAL: [entry] } },
      "EXTERNAL[0].offset is 4, outside",
    );
    refuses(
      { entry_points_by_type: { EXTERNAL: [] } },
      "entry_points_by_type.L1_HANDLER is missing",
    );
    let deep: unknown = 4;
    for (let level = 0; level < 20; level += 1) deep = [deep];
    refuses({ bytecode_segment_lengths: deep }, "nested deeper than 16 lists");
    for (const json of [[], null, 5]) {
      expectThrown(
        () => parseCompiledClass(json),
        "HDP-7001",
        undefined,
        "the class must be a JSON object",
      );
    }
  });

  it("refuses text that is no JSON", () => {
    expectThrown(
      () => parseCompiledClassText("{", { file: "x.json" }),
      "HDP-6001",
      "x.json",
      "not JSON: line 1, column 2: the text ends here",
    );
    expectThrown(
      () => parseCompiledClassText(" ".repeat(64 * 1024 * 1024 + 1)),
      "HDP-6001",
      undefined,
      "67108865",
    );
    expect(parseCompiledClassText(JSON.stringify(compiledJson())).bytecode).to.have.length(4);
  });

  it("refuses a class without main", () => {
    const entry_points_by_type = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
    expect(
      hdpThrown(() => requireMain(parseCompiledClass(compiledJson({ entry_points_by_type })))).code,
    ).to.equal("HDP-7007");
  });

  it("never fails in another way on a changed file", () => {
    const keys = Object.keys(compiledJson());
    const change = fc.tuple(
      fc.constantFrom(...keys, "program", "sierra_program"),
      fc.jsonValue({ maxDepth: 5 }),
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        try {
          parseCompiledClass(compiledJson(Object.fromEntries(changes)));
        } catch (error) {
          expect(error).to.be.instanceOf(HdpError);
          refused += 1;
        }
      }),
    );
    expect(refused).to.be.greaterThan(50);
  });

  it("gives felts by index, also of a class that was not read from a file", () => {
    for (const compiled of [
      parseCompiledClass(compiledJson()),
      { ...parseCompiledClass(compiledJson()) },
    ]) {
      const source = bytecodeSource(compiled);
      expect(source.length).to.equal(4);
      expect([0, 1, 2, 3, 4].map((at) => source.at(at))).to.deep.equal([
        0x208b7fff7fff7ffen,
        2n,
        3n,
        0x208b7fff7fff7ffen,
        0n,
      ]);
    }
    const made = { ...parseCompiledClass(compiledJson()), bytecode: [7n] };
    expect([
      bytecodeSource(made).length,
      bytecodeSource(made).at(0),
      bytecodeSource(made).at(1),
    ]).to.deep.equal([1, 7n, 0n]);
  });

  it("takes a class file of the largest size", () => {
    expectThrown(
      () => parseCompiledClassText(" ".repeat(64 * 1024 * 1024)),
      "HDP-6001",
      undefined,
      "not JSON",
    );
  });

  it("finds main among other functions", () => {
    const entries = [
      { selector: "0x1", offset: 1, builtins: [] },
      { selector: `0x${MAIN_SELECTOR.toString(16)}`, offset: 2, builtins: [] },
    ];
    const entry_points_by_type = { EXTERNAL: entries, L1_HANDLER: [], CONSTRUCTOR: [] };
    expect(requireMain(parseCompiledClass(compiledJson({ entry_points_by_type }))).offset).to.equal(
      2,
    );
    const without = { ...entry_points_by_type, EXTERNAL: entries.slice(0, 1) };
    expectThrown(
      () => requireMain(parseCompiledClass(compiledJson({ entry_points_by_type: without }))),
      "HDP-7007",
      undefined,
    );
  });

  it("takes felts, hints and segments at their limits and nothing beyond", () => {
    const takes = (changes: Record<string, unknown>): void => {
      expect(() =>
        parseCompiledClass(compiledJson({ bytecode_segment_lengths: undefined, ...changes })),
      ).not.to.throw();
    };
    const refuses = (changes: Record<string, unknown>, ...parts: string[]): void => {
      const json = compiledJson({ bytecode_segment_lengths: undefined, ...changes });
      expectThrown(() => parseCompiledClass(json), "HDP-7001", undefined, ...parts);
    };
    const prime = BigInt(compiledJson()["prime"] as string);
    const bytecode = (text: string): { bytecode: string[] } => ({
      bytecode: ["0x1", text, "0x2", "0x3"],
    });
    takes(bytecode(`0x${(prime - 1n).toString(16)}`));
    takes(bytecode((prime - 1n).toString()));
    takes(bytecode(`0x${"f".repeat(62)}`));
    refuses(bytecode(prime.toString()), "bytecode[1] must be a felt as text");
    refuses(bytecode(`0x${prime.toString(16)}`), "bytecode[1] must be a felt as text");
    refuses(bytecode(`x0x1`), "bytecode[1]");
    refuses(bytecode(`0x1g`), "bytecode[1]");
    refuses({ bytecode: [] }, "bytecode must be a list of 1 to 400000 felts");
    refuses(
      { bytecode: new Array(400_001).fill("0x1") },
      "bytecode must be a list of 1 to 400000 felts",
    );
    refuses({ bytecode: "0x1" }, "bytecode");
    takes({ hints: [[3, []]] });
    takes({ hints: [[0, ["TestLessThan"]]] });
    for (const pc of [4, 1_000_001])
      refuses({ hints: [[pc, []]] }, "hints[0] must be an index of the bytecode");
    for (const entry of [
      [-1, []],
      [0.5, []],
      ["0", []],
      [0],
      [0, [], 1],
      5,
      [0, 5],
      [0, [5]],
      [0, [null]],
      [0, [[]]],
    ]) {
      refuses({ hints: [entry] }, "hints[0]");
    }
    refuses({ hints: 5 }, "hints");
    let deep: unknown = 4;
    for (let level = 0; level < 16; level += 1) deep = [deep];
    takes({ bytecode_segment_lengths: deep });
    refuses({ bytecode_segment_lengths: [deep] }, "nested deeper than 16 lists");
    takes({ bytecode_segment_lengths: [4, 0] });
    refuses(
      { bytecode_segment_lengths: [4, 500_001] },
      "bytecode_segment_lengths[1] must be a number of felts",
    );
    refuses({ bytecode_segment_lengths: [4, 400_000] }, "sums up to 400004");
    const empty = new Array<number>(19_999).fill(0);
    refuses({ bytecode_segment_lengths: empty }, "sums up to 0");
    const many = "bytecode_segment_lengths[19999] is one of more than 20000 segments";
    refuses({ bytecode_segment_lengths: [...empty, 4] }, many);
    const [half, nested] = [
      empty.slice(0, 10_000),
      "bytecode_segment_lengths[1][9997] is one of more than 20000",
    ];
    refuses({ bytecode_segment_lengths: [half, half] }, nested);
    refuses({ bytecode_segment_lengths: 0.5 }, "must be a number of felts");
    const entry = { selector: "0x1", offset: 3, builtins: [] };
    takes({ entry_points_by_type: { EXTERNAL: [], L1_HANDLER: [entry], CONSTRUCTOR: [entry] } });
    for (const type of ["L1_HANDLER", "CONSTRUCTOR"]) {
      const entry_points_by_type = {
        EXTERNAL: [],
        L1_HANDLER: [],
        CONSTRUCTOR: [],
        [type]: [{ ...entry, offset: 4 }],
      };
      refuses({ entry_points_by_type }, `${type}[0].offset is 4, outside of the bytecode`);
    }
  });
});
