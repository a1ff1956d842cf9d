import { poseidonHashMany as libraryHash } from "@scure/starknet";
import { expect } from "chai";
import { hash } from "starknet";

import { parseCompiledClass, flatProgramHash, programHash } from "../../src/entries/program.js";
import { compiledJson } from "./classes.js";

/** starknet.js's hash of the same JSON; it is typed for its own class type. */
function starknetJsHash(json: Record<string, unknown>): string {
  const text: unknown = JSON.parse(JSON.stringify(json));
  return hash.computeCompiledClassHashPoseidon(
    text as Parameters<typeof hash.computeCompiledClassHashPoseidon>[0],
  );
}

describe("program hash", () => {
  it("computes each hash of a class once", () => {
    const compiled = parseCompiledClass(compiledJson());
    let readings = 0;
    const counted = {
      ...compiled,
      get bytecode() {
        readings += 1;
        return compiled.bytecode;
      },
    };
    for (const hashOf of [programHash, flatProgramHash]) {
      readings = 0;
      const expected = hashOf(compiled);
      expect(hashOf(counted)).to.equal(expected);
      expect(readings).to.be.above(0);
      readings = 0;
      expect(hashOf(counted)).to.equal(expected);
      expect(readings).to.equal(0);
    }
  });

  it("equals starknet.js for several segments, one and none", () => {
    for (const bytecode_segment_lengths of [[3, 1], [4], [1, 1, 1, 1], undefined]) {
      const json = compiledJson({ bytecode_segment_lengths });
      expect(programHash(parseCompiledClass(json))).to.equal(starknetJsHash(json));
    }
  });

  it("equals starknet.js for several entry points of every type", () => {
    const json = compiledJson({
      bytecode_segment_lengths: [1, 3],
      entry_points_by_type: {
        EXTERNAL: [
          { selector: "0x1", offset: 0, builtins: [] },
          {
            selector: "0x2",
            offset: 3,
            builtins: ["pedersen", "range_check", "bitwise", "segment_arena"],
          },
        ],
        L1_HANDLER: [{ selector: "0x3", offset: 1, builtins: ["poseidon"] }],
        CONSTRUCTOR: [
          {
            selector: "0x4",
            offset: 2,
            builtins: ["ec_op", "range_check96", "add_mod", "mul_mod"],
          },
        ],
      },
    });
    expect(programHash(parseCompiledClass(json))).to.equal(starknetJsHash(json));
  });

  it("hashes a node inside of a node as one part", () => {
    const compiled = parseCompiledClass(compiledJson());
    const [a = 0n, b = 0n, c = 0n, d = 0n] = compiled.bytecode;
    const inner = 1n + libraryHash([2n, libraryHash([b, c]), 1n, libraryHash([d])]);
    const bytecode = 1n + libraryHash([1n, libraryHash([a]), 3n, inner]);
    const builtins = libraryHash([0x72616e67655f636865636bn, 0x706f736569646f6en]);
    const main = 0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7n;
    const external = libraryHash([main, 0n, builtins]);
    const version = 0x434f4d50494c45445f434c4153535f5631n;
    const expected = libraryHash([version, external, libraryHash([]), libraryHash([]), bytecode]);
    expect(BigInt(programHash(compiled))).to.equal(expected);
  });

  it("hashes a class without segments flat, to another hash than with them", () => {
    const flat = starknetJsHash(compiledJson({ bytecode_segment_lengths: undefined }));
    const segmented = parseCompiledClass(compiledJson());
    expect(flatProgramHash(segmented)).to.equal(flat);
    expect(programHash(segmented)).not.to.equal(flat);
    expect(programHash(parseCompiledClass(compiledJson({ bytecode_segment_lengths: 4 })))).to.equal(
      flat,
    );
  });

  it("ignores the compiler's version and the hints", () => {
    const changed = parseCompiledClass(compiledJson({ compiler_version: "2.11.4", hints: [] }));
    expect(programHash(changed)).to.equal(programHash(parseCompiledClass(compiledJson())));
  });
});
